# nlsh is linked twice. In the second one the functions that a short command goes through lie side by side: a page of code that a
# process hasn't touched yet costs a microsecond, and they come by sixteens: 66 page faults at a start, or 35.
# By GNU ld, whose own script is text, and where what is built can run.
execute_process(COMMAND ${CMAKE_CXX_COMPILER} -Wl,--version OUTPUT_VARIABLE linker ERROR_QUIET)
if(CMAKE_CROSSCOMPILING OR NOT linker MATCHES "GNU ld")
  return()
endif()
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(layout ${CMAKE_SOURCE_DIR}/packaging/layout)
set(layout_order ${CMAKE_BINARY_DIR}/layout.order)

add_executable(nlsh_steps ${layout}/steps.c)
nlsh_at_top(nlsh_steps)  # tests run it, too
target_link_options(nlsh_unordered PRIVATE -Wl,-Map,${CMAKE_BINARY_DIR}/layout.map)
add_custom_command(OUTPUT ${layout_order}
  COMMAND ${Python3_EXECUTABLE} -B ${layout}/layout.py order ${layout_order} ${CMAKE_BINARY_DIR}/layout.map
          $<TARGET_FILE:nlsh_steps> $<TARGET_FILE:nlsh_unordered> ${layout}/lines
  DEPENDS nlsh_unordered nlsh_steps ${layout}/layout.py ${layout}/lines VERBATIM)

set(layout_script ${CMAKE_BINARY_DIR}/layout.ld)
add_custom_command(OUTPUT ${layout_script}
  COMMAND ${Python3_EXECUTABLE} -B ${layout}/layout.py script ${layout_script} ${layout_order} ${CMAKE_CXX_COMPILER} ${nlsh_link_options}
  DEPENDS ${layout_order} ${layout}/layout.py VERBATIM)
add_custom_target(nlsh_layout DEPENDS ${layout_script})
add_dependencies(nlsh nlsh_layout)
target_link_options(nlsh PRIVATE -Wl,-T,${layout_script})
set_property(TARGET nlsh APPEND PROPERTY LINK_DEPENDS ${layout_script})
