# How the folders' libraries and their tests are built.

# Three quarters of a source's compile time are these headers. Sources include what they use all the
# same: the clang preset builds without.
option(NLSH_PRECOMPILE "Precompile the standard headers" ON)
set(precompiled <algorithm> <array> <chrono> <expected> <functional> <map> <memory> <optional> <span> <string>
    <string_view> <unordered_map> <variant> <vector> <fmt/format.h>)
if(NLSH_PRECOMPILE AND CMAKE_CXX_COMPILER_LAUNCHER MATCHES ccache)
  add_compile_options($<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess>) # it asks for this
endif()

# Several sources in one compiler's run take 40 % of the time that they take one by one, which is what a build from scratch
# spends; one by one is for those who edit. packaging/unity_groups.py says which may go together.
option(NLSH_UNITY "Compile sources in groups" OFF)
if(NLSH_UNITY)
  list(PREPEND precompiled <net/if.h> <netinet/in.h>)  # the kernel's headers go with libc's when these come first
endif()
function(nlsh_unity target)  # SOURCE…
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  list(TRANSFORM ARGN PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ REGEX "^[^/]" OUTPUT_VARIABLE files)
  execute_process(COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_SOURCE_DIR}/packaging/unity_groups.py ${CMAKE_SOURCE_DIR} ${files}
    OUTPUT_VARIABLE lines OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "\n" ";" lines "${lines}")
  foreach(line ${lines})  # GROUP FILE
    string(REGEX MATCH "^([0-9]+) (.+)$" line ${line})
    set_source_files_properties(${CMAKE_MATCH_2} PROPERTIES UNITY_GROUP ${CMAKE_MATCH_1})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # A class with a member of an unnamed namespace's type: in a source that is right, but GCC takes the source for a header.
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${files})
endfunction()

function(nlsh_static target sources)  # LIBRARY…
  add_library(${target} STATIC ${sources})
  target_include_directories(${target} PUBLIC ${CMAKE_SOURCE_DIR})
  target_link_libraries(${target} PUBLIC Threads::Threads ${ARGN})
  if(NLSH_PRECOMPILE)
    if(NLSH_UNITY AND NOT ${target} STREQUAL nlsh_parser)
      target_precompile_headers(${target} REUSE_FROM nlsh_parser)  # five seconds for each
    else()
      target_precompile_headers(${target} PRIVATE ${precompiled})
    endif()
  endif()
  if(NLSH_UNITY)
    nlsh_unity(${target} ${sources})
  endif()
endfunction()

# A program or library that is run from the build's top folder.
function(nlsh_at_top target)
  set_target_properties(${target} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR} LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
endfunction()

# Adds files of objects, which aren't listed: an object is its folder and its line in parser/ip/requests.h. What ends in
# _test.cpp goes to `tests`, the rest to `sources`.
macro(nlsh_objects)  # FILE…
  foreach(file ${ARGN})
    if(file MATCHES "_test\\.cpp$")
      list(APPEND tests ${file})
    else()
      list(APPEND sources ${file})
    endif()
  endforeach()
endmacro()

# The library of a folder, nlsh_NAME, and NAME_test, its unit tests (GoogleTest): from the variables `sources` and `tests`.
function(nlsh_folder name)  # LIBRARY…
  nlsh_static(nlsh_${name} "${sources}" ${ARGN})
  if(NOT NLSH_TESTS)
    return()
  endif()
  add_executable(${name}_test ${tests})
  nlsh_at_top(${name}_test)
  target_link_libraries(${name}_test PRIVATE nlsh_${name} GTest::gmock_main)
  if(NLSH_PRECOMPILE)
    if(NLSH_UNITY AND NOT ${name} STREQUAL parser)
      target_precompile_headers(${name}_test REUSE_FROM parser_test)  # twelve seconds for each
    else()
      target_precompile_headers(${name}_test PRIVATE ${precompiled} <gmock/gmock.h>)
    endif()
  endif()
  if(NLSH_UNITY)
    nlsh_unity(${name}_test ${tests})
  endif()
  # A test's own code needn't be fast, but built soon.
  target_compile_options(${name}_test PRIVATE $<$<CONFIG:Release>:-O0>)
  gtest_discover_tests(${name}_test TEST_PREFIX ${name}. DISCOVERY_MODE PRE_TEST)
endfunction()

# Fuzz targets, fuzz/NAME_fuzz.cpp: compat-tests/fuzz-parsers.
function(nlsh_fuzz folder)  # NAME…
  if(NOT NLSH_FUZZ)
    return()
  endif()
  foreach(name ${ARGN})
    add_executable(${name}_fuzz EXCLUDE_FROM_ALL fuzz/${name}_fuzz.cpp)
    nlsh_at_top(${name}_fuzz)
    target_link_libraries(${name}_fuzz PRIVATE nlsh_${folder})
    target_link_options(${name}_fuzz PRIVATE -fsanitize=fuzzer)
  endforeach()
endfunction()
