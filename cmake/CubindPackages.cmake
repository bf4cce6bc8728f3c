# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0

# Settings of CPack. `cpack -G DEB` in a build with shared libraries and CMAKE_INSTALL_PREFIX=/usr writes four packages for Debian.
# What is particular to Debian is in debian/packages.cmake, which CPack reads when it runs.

set(CPACK_PACKAGE_NAME cubind)
set(CPACK_PACKAGE_VENDOR "The cubind authors")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGE_CONTACT "The cubind authors <cubind@example.org>" CACHE STRING "Maintainer of the packages, with a mail address")
set(CPACK_GENERATOR DEB)
set(CPACK_SOURCE_GENERATOR "")
set(CPACK_STRIP_FILES ON)
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/cmake/debian/packages.cmake)
set(CPACK_COMPONENTS_ALL libraries development)
if(TARGET cubind_sim)
    list(APPEND CPACK_COMPONENTS_ALL simulation simulation_development)
endif()
if(TARGET cubind-sim)
    list(APPEND CPACK_COMPONENTS_ALL launcher)
endif()
if(TARGET cubind-info)
    list(APPEND CPACK_COMPONENTS_ALL tools)
endif()
if(TARGET cubind-gen)
    list(APPEND CPACK_COMPONENTS_ALL generator)
endif()
set(CPACK_CUBIND_SOURCE_DIR ${PROJECT_SOURCE_DIR})
set(CPACK_CUBIND_SHARED_LIBRARIES ${BUILD_SHARED_LIBS})
include(CPack)
