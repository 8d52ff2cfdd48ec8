# find_package(nlsh): the target nlsh::nlsh.
include(${CMAKE_CURRENT_LIST_DIR}/nlsh-targets.cmake)
