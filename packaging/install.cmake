# cmake --install, and what of it is in which package (packages.cmake). The layout is Debian's:
#   bin/nlsh, libexec/nlsh/nlsh-mock, lib/TRIPLET/nlsh/{libnlsh-preload,libnlsh-engine,nlsh-builtin}.so, lib/TRIPLET/libnlsh.so.0, include/nlsh.h,
#   lib/systemd/system/nlsh.*, share/man, share/bash-completion
# LD_PRELOAD='PREFIX/$LIB/nlsh/libnlsh-preload.so' then names the library for each program's own architecture: $LIB is
# lib/TRIPLET where the system's loader says so, whatever CMAKE_INSTALL_LIBDIR is.
include(GNUInstallDirs)

set(nlsh_multiarch lib/${CMAKE_LIBRARY_ARCHITECTURE})
if(NOT CMAKE_LIBRARY_ARCHITECTURE)
  set(nlsh_multiarch ${CMAKE_INSTALL_LIBDIR})
endif()
set(nlsh_preload_dir ${nlsh_multiarch}/nlsh)
set_source_files_properties(shim/process/places.cpp TARGET_DIRECTORY nlsh_shim
  PROPERTIES COMPILE_DEFINITIONS NLSH_LIBRARIES="${nlsh_preload_dir}")
file(RELATIVE_PATH nlsh_from_preload /${CMAKE_INSTALL_PREFIX}/${nlsh_preload_dir} /${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}/nlsh)
set_source_files_properties(preload/spawned/spawned.c TARGET_DIRECTORY nlsh_preload
  PROPERTIES COMPILE_DEFINITIONS NLSH_FROM_PRELOAD="${nlsh_from_preload}")

# Man pages, changelogs: compressed as Debian wants them, without a time in the file.
find_program(GZIP gzip REQUIRED)
function(nlsh_install_compressed source name directory component)
  set(target ${CMAKE_BINARY_DIR}/packaging/${component}/${name}.gz)
  add_custom_command(OUTPUT ${target} DEPENDS ${source} VERBATIM
    COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/packaging/${component}
    COMMAND sh -c "'${GZIP}' -9nc '${source}' >'${target}'")
  add_custom_target(nlsh_gz_${component}_${name} ALL DEPENDS ${target})
  install(FILES ${target} DESTINATION ${directory} COMPONENT ${component})
endfunction()

function(nlsh_install_manual page component)
  string(REGEX MATCH "[0-9]$" section ${page})
  nlsh_install_compressed(${CMAKE_SOURCE_DIR}/packaging/man/${page} ${page}
    ${CMAKE_INSTALL_MANDIR}/man${section} ${component})
endfunction()

# A file that names the prefix, SOURCE.in: that is known when it is installed (--prefix, the packages' /usr).
function(nlsh_install_with_prefix source directory component)
  get_filename_component(name ${source} NAME)
  install(CODE "configure_file([[${CMAKE_SOURCE_DIR}/${source}.in]] [[${CMAKE_BINARY_DIR}/packaging/${name}]] @ONLY)
    file(INSTALL [[${CMAKE_BINARY_DIR}/packaging/${name}]] DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${directory}\")"
    COMPONENT ${component})
endfunction()

# The server and nlsh itself.
install(TARGETS nlsh DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT server)
# What `nlsh qualify` runs the installed iproute2 with.
install(TARGETS nlsh_replay LIBRARY DESTINATION lib/nlsh COMPONENT server)
install(FILES shim/replay/recordings.xz DESTINATION lib/nlsh RENAME nlsh-replay.xz COMPONENT server)
install(TARGETS nlsh_mock DESTINATION libexec/nlsh COMPONENT server)  # shim/process/places.cpp knows where
nlsh_install_with_prefix(packaging/systemd/nlsh.service lib/systemd/system server)
install(FILES packaging/systemd/nlsh.socket DESTINATION lib/systemd/system COMPONENT server)
install(FILES packaging/completion/nlsh
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT server)
nlsh_install_manual(nlsh.1 server)
nlsh_install_manual(nlsh-mock.1 server)
nlsh_install_manual(nlsh-serve.8 server)
# The documents, with links that lead to where things are installed, and without those to the sources.
file(GLOB documents ${CMAKE_SOURCE_DIR}/packaging/docs/*.md)
list(APPEND documents ${CMAKE_SOURCE_DIR}/README.md ${CMAKE_SOURCE_DIR}/SECURITY.md)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${documents})
foreach(document ${documents})
  get_filename_component(name ${document} NAME)
  file(READ ${document} text)
  string(REGEX REPLACE "!\\[[^]]*\\]\\([^)]*\\)\n\n" "" text "${text}")
  string(REGEX REPLACE "\\[([^]]*)\\]\\((\\.\\./\\.\\./)?(bench|compat-tests|preload|shim|parser|backend|decisions)/[^)]*\\)" "\\1" text "${text}")
  string(REPLACE "](../../" "](" text "${text}")
  string(REPLACE "](packaging/docs/" "](" text "${text}")
  string(REPLACE "](../examples/nlapi" "](../libnlsh-dev/examples/nlapi" text "${text}")
  string(REPLACE "](../examples/" "](examples/" text "${text}")
  string(REPLACE "](../supervisor/" "](examples/supervisor/" text "${text}")
  string(REPLACE "](../sonic/" "](examples/sonic/" text "${text}")
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/packaging/docs/${name} CONTENT "${text}" @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/packaging/docs/${name} DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT server)
endforeach()
install(DIRECTORY packaging/sonic DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples COMPONENT server USE_SOURCE_PERMISSIONS)
install(DIRECTORY packaging/supervisor packaging/examples/mock packaging/examples/fleet DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples COMPONENT server)

# The library that goes into programs, and the engine that it loads when it is to do without a server.
install(TARGETS nlsh_preload nlsh_engine nlsh_builtin LIBRARY DESTINATION ${nlsh_preload_dir} COMPONENT preload)
install(TARGETS nlsh_trial DESTINATION ${nlsh_preload_dir} COMPONENT preload)  # dynamic, as what it stands in for
install(FILES shim/builtin/builtin.bash DESTINATION ${nlsh_preload_dir} COMPONENT preload)
nlsh_install_with_prefix(packaging/systemd/preload.conf ${CMAKE_INSTALL_DATADIR}/doc/nlsh-preload/examples preload)
nlsh_install_manual(nlsh-preload.7 preload)
nlsh_install_manual(nlsh-builtin.7 preload)

# nlsh as ip and bridge: a directory for PATH, and the command that puts them in the real ones' place.
file(RELATIVE_PATH nlsh_from_shim /${CMAKE_INSTALL_PREFIX}/lib/nlsh/shim
  /${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}/nlsh)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/packaging)
foreach(tool ip bridge)
  file(CREATE_LINK ${nlsh_from_shim} ${CMAKE_BINARY_DIR}/packaging/${tool} SYMBOLIC)
  install(FILES ${CMAKE_BINARY_DIR}/packaging/${tool} DESTINATION lib/nlsh/shim COMPONENT shim)
endforeach()
install(PROGRAMS packaging/shim/nlsh-shim DESTINATION ${CMAKE_INSTALL_SBINDIR} COMPONENT shim)
nlsh_install_manual(nlsh-shim.8 shim)

# libnlsh, and what programs are built with.
file(RELATIVE_PATH nlsh_prefix_from_pkgconfig /${nlsh_multiarch}/pkgconfig /)
configure_file(packaging/library/nlsh.pc.in packaging/nlsh.pc @ONLY)
set(nlsh_cmake_dir ${nlsh_multiarch}/cmake/nlsh)
install(TARGETS nlsh_library EXPORT nlsh
  LIBRARY DESTINATION ${nlsh_multiarch} COMPONENT library NAMELINK_COMPONENT development
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT nlsh NAMESPACE nlsh:: FILE nlsh-targets.cmake DESTINATION ${nlsh_cmake_dir} COMPONENT development)
include(CMakePackageConfigHelpers)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/packaging/nlsh-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES packaging/library/nlsh-config.cmake ${CMAKE_BINARY_DIR}/packaging/nlsh-config-version.cmake
  DESTINATION ${nlsh_cmake_dir} COMPONENT development)
install(FILES ${CMAKE_BINARY_DIR}/packaging/nlsh.pc DESTINATION ${nlsh_multiarch}/pkgconfig COMPONENT development)
install(FILES shim/library/nlsh.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
install(FILES packaging/examples/nlapi.c packaging/examples/nlapi.h
  DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libnlsh-dev/examples COMPONENT development)
nlsh_install_manual(libnlsh.3 development)

# The Python package, where Debian's python3 looks for it when the prefix is /usr; elsewhere it is installed from a wheel.
set(nlsh_python_dir lib/python3/dist-packages)
install(DIRECTORY packaging/python/nlsh DESTINATION ${nlsh_python_dir} COMPONENT python PATTERN __pycache__ EXCLUDE)
configure_file(packaging/python/METADATA.in packaging/METADATA @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/packaging/METADATA DESTINATION ${nlsh_python_dir}/nlsh-${PROJECT_VERSION}.dist-info
  COMPONENT python)

include(packaging/packages.cmake)
