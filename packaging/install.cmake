# cmake --install, and what of it is in which package (packages.cmake). The layout is Debian's:
#   bin/nlsh, lib/TRIPLET/nlsh/libnlsh-preload.so, lib/systemd/system/nlsh.*, share/man, share/bash-completion
# LD_PRELOAD='PREFIX/$LIB/nlsh/libnlsh-preload.so' then names the library for each program's own architecture: $LIB is
# lib/TRIPLET where the system's loader says so, whatever CMAKE_INSTALL_LIBDIR is.
include(GNUInstallDirs)

set(nlsh_multiarch lib/${CMAKE_LIBRARY_ARCHITECTURE})
if(NOT CMAKE_LIBRARY_ARCHITECTURE)
  set(nlsh_multiarch ${CMAKE_INSTALL_LIBDIR})
endif()
set(nlsh_preload_dir ${nlsh_multiarch}/nlsh)

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

# The server and nlsh itself.
install(TARGETS nlsh DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT server)
configure_file(packaging/systemd/nlsh.service.in packaging/nlsh.service @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/packaging/nlsh.service packaging/systemd/nlsh.socket
  DESTINATION lib/systemd/system COMPONENT server)
install(FILES packaging/completion/nlsh
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT server)
nlsh_install_manual(nlsh.1 server)
nlsh_install_manual(nlsh-serve.8 server)
file(GLOB documents ${CMAKE_SOURCE_DIR}/packaging/docs/*.md)
install(FILES ${documents} DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT server)
install(DIRECTORY packaging/supervisor DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples COMPONENT server)

# The library that goes into programs.
configure_file(packaging/systemd/preload.conf.in packaging/preload.conf @ONLY)
install(TARGETS nlsh_preload LIBRARY DESTINATION ${nlsh_preload_dir} COMPONENT preload)
install(FILES ${CMAKE_BINARY_DIR}/packaging/preload.conf
  DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/nlsh-preload/examples COMPONENT preload)
nlsh_install_manual(nlsh-preload.7 preload)

# nlsh as ip and bridge: a directory for PATH, and the command that puts them in the real ones' place.
file(RELATIVE_PATH nlsh_from_shim /${CMAKE_INSTALL_PREFIX}/lib/nlsh/shim
  /${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}/nlsh)
foreach(tool ip bridge)
  file(CREATE_LINK ${nlsh_from_shim} ${CMAKE_BINARY_DIR}/packaging/${tool} SYMBOLIC)
  install(FILES ${CMAKE_BINARY_DIR}/packaging/${tool} DESTINATION lib/nlsh/shim COMPONENT shim)
endforeach()
install(PROGRAMS packaging/shim/nlsh-shim DESTINATION ${CMAKE_INSTALL_SBINDIR} COMPONENT shim)
nlsh_install_manual(nlsh-shim.8 shim)

include(packaging/packages.cmake)
