# Debian packages, by CPack: `cmake --build --preset release --target package` leaves them in build/release/packages.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME nlsh)
set(CPACK_PACKAGE_CONTACT "nlsh developers <nlsh@localhost.localdomain>")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# libnlsh-preload.so is no library to link with.
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS OFF)
set(CPACK_DEBIAN_PACKAGE_SECTION net)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)

# NAME of the package, its one-line description, the rest of it, and then fields: DEPENDS x …
function(nlsh_package component name summary description)
  string(TOUPPER ${component} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name} PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_DESCRIPTION "${summary}\n${description}" PARENT_SCOPE)
  set(fields ${ARGN})
  while(fields)
    list(POP_FRONT fields field value)
    set(CPACK_DEBIAN_${upper}_PACKAGE_${field} "${value}" PARENT_SCOPE)
  endwhile()
  file(GLOB scripts ${CMAKE_SOURCE_DIR}/packaging/debian/${name}/*)
  set(CPACK_DEBIAN_${upper}_PACKAGE_CONTROL_EXTRA "${scripts}" PARENT_SCOPE)
  set(documents ${CMAKE_INSTALL_DATADIR}/doc/${name})
  install(FILES packaging/debian/copyright DESTINATION ${documents} COMPONENT ${component})
  nlsh_install_compressed(${CMAKE_SOURCE_DIR}/packaging/debian/changelog changelog.Debian
    ${documents} ${component})
  set(overrides ${CMAKE_BINARY_DIR}/packaging/${component}/overrides)
  file(READ packaging/debian/lintian-overrides text)
  if(EXISTS ${CMAKE_SOURCE_DIR}/packaging/debian/${name}.lintian-overrides)
    file(READ packaging/debian/${name}.lintian-overrides own)
    string(APPEND text "${own}")
  endif()
  file(CONFIGURE OUTPUT ${overrides} CONTENT "${text}" @ONLY)
  install(FILES ${overrides} RENAME ${name} DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides COMPONENT ${component})
endfunction()

nlsh_package(server nlsh "ip and bridge of iproute2, without exec"
  "nlsh answers the ip and bridge command lines of programs over netlink sockets\nthat stay open: the output, errors and status of iproute2, without a process.\nThis package has nlsh itself and its server."
  RECOMMENDS nlsh-preload DEPENDS iproute2)
nlsh_package(preload nlsh-preload "popen and system without exec for ip and bridge"
  "A library for LD_PRELOAD: popen and system of an unmodified program hand their\nip and bridge command lines to the server of nlsh. Nothing is preloaded by\ninstalling it: each service is given it by its own configuration.\nFor bash there are loadable builtins, too."
  RECOMMENDS nlsh ENHANCES nlsh)
nlsh_package(shim nlsh-shim "nlsh in the place of iproute2's ip and bridge"
  "Links named ip and bridge for a PATH, and nlsh-shim, a command that puts nlsh\nin the place of iproute2's for the whole machine, or takes it out again.\nInstalling this package changes nothing yet."
  DEPENDS "nlsh (>= ${PROJECT_VERSION}), iproute2")
nlsh_package(library libnlsh0 "ip and bridge of iproute2 as a library"
  "libnlsh runs the ip and bridge command lines of a program that is linked with\nit, without a process: in the program itself or by the server of nlsh."
  SECTION libs SUGGESTS nlsh MULTIARCH same)
nlsh_package(development libnlsh-dev "ip and bridge of iproute2 as a library, development files"
  "libnlsh runs the ip and bridge command lines of a program that is linked with\nit, without a process. This package has what such a program is built with."
  SECTION libdevel DEPENDS "libnlsh0 (= ${PROJECT_VERSION}-1)" MULTIARCH same)
nlsh_package(python python3-nlsh "ip and bridge of iproute2, for Python"
  "The package nlsh for Python 3 runs ip and bridge command lines by libnlsh,\nwithout a process: in the program itself or by the server of nlsh. It says\nwhich command of a line failed, and what the kernel had to say of it."
  SECTION python DEPENDS "python3:any (>= 3.11), libnlsh0 (>= ${PROJECT_VERSION})" ARCHITECTURE all SHLIBDEPS OFF)
set(CPACK_COMPONENTS_ALL server preload shim library development python)
# Multi-Arch: written by CMake 3.31 and later only.
set(CPACK_DEBIAN_PRELOAD_PACKAGE_MULTIARCH same)
set(CPACK_DEBIAN_SHIM_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SHLIBDEPS OFF)

# Which sources' libraries are inside the executables.
set(CPACK_POST_BUILD_SCRIPTS ${CMAKE_SOURCE_DIR}/packaging/debian/static-built-using.cmake)

include(CPack)
