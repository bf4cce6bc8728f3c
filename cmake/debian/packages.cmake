# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0

# The Debian packages, from the components of the installation (CubindInstall.cmake):
#
# libcubind0.1   the shared libraries. The name has the version of the SONAMEs, so that packages of several minor versions can be installed.
# libcubind-dev  headers, the files for CMake and pkg-config, and the simulated driver for use within a program
# libcubind-sim  libcuda.so.1 and the other simulated libraries, in a folder that the OS loader does not search
# cubind-tools   the programs, with the specs and templates of cubind-gen
#
# CPack reads this file when it runs, so that `cpack -D CPACK_PACKAGE_VERSION=...` packs a build under another version.

cmake_policy(VERSION 3.22)
if(NOT CPACK_GENERATOR STREQUAL "DEB")
    return()
endif()
if(NOT CPACK_CUBIND_SHARED_LIBRARIES)
    message(FATAL_ERROR "cubind: Debian packages contain shared libraries; configure with -DBUILD_SHARED_LIBS=ON -DCMAKE_INSTALL_PREFIX=/usr")
endif()
string(REGEX MATCH "^[0-9]+\\.[0-9]+" abi ${CPACK_PACKAGE_VERSION})

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
if(NOT CPACK_DEBIAN_COMPRESSION_TYPE)
    set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
endif()
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SOURCE cubind)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER ${CPACK_PACKAGE_CONTACT})
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS OFF)  # prepare.cmake does it, because CPack would add scripts that call ldconfig
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # each description has its own
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(version ${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})

set(CPACK_COMPONENT_SIMULATION_DEVELOPMENT_GROUP dev)
set(CPACK_COMPONENT_DEVELOPMENT_GROUP dev)
set(CPACK_COMPONENT_LAUNCHER_GROUP programs)
set(CPACK_COMPONENT_TOOLS_GROUP programs)
set(CPACK_COMPONENT_GENERATOR_GROUP programs)

set(CPACK_DEBIAN_LIBRARIES_PACKAGE_NAME libcubind${abi})
set(CPACK_DEBIAN_LIBRARIES_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARIES_DESCRIPTION "CUDA's host APIs for modern C++ - shared libraries
cubind offers the functions of CUDA's libraries (driver, runtime, NVRTC, NVML
and others) to programs in C++20, with classes for devices, streams, memory,
programs, kernels and graphs on top of them.

This package contains the shared libraries. They load CUDA's libraries when a
program calls the first function, and explain what is missing.")

set(CPACK_DEBIAN_DEV_PACKAGE_NAME libcubind-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "libcubind${abi} (= ${version})")
set(CPACK_DEBIAN_DEV_DESCRIPTION "CUDA's host APIs for modern C++ - development files
cubind offers the functions of CUDA's libraries (driver, runtime, NVRTC, NVML
and others) to programs in C++20, with classes for devices, streams, memory,
programs, kernels and graphs on top of them.

This package contains the headers, the files for CMake and pkg-config, and the
simulated driver for use within tests. Programs can be built without CUDA's
headers and libraries.")

set(CPACK_DEBIAN_SIMULATION_PACKAGE_NAME libcubind-sim)
set(CPACK_DEBIAN_SIMULATION_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_SIMULATION_DESCRIPTION "simulated CUDA driver, which executes kernels without a GPU
cubind's simulation runs programs that use CUDA, and executes the PTX of their
kernels, on machines without a GPU. It is made for tests.

This package contains a libcuda.so.1, a libcudart.so.13 and a
libnvidia-ml.so.1 in a folder of their own, so that a program uses them only if
cubind-sim of the package cubind-tools starts it.")

set(CPACK_DEBIAN_PROGRAMS_PACKAGE_NAME cubind-tools)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_DEPENDS "libcubind${abi} (>= ${version})")
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_RECOMMENDS libc6-dev)  # which headers of CUDA include
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_SUGGESTS "libcubind-dev (= ${version})")
set(CPACK_DEBIAN_PROGRAMS_DESCRIPTION "CUDA's host APIs for modern C++ - programs
cubind offers the functions of CUDA's libraries to programs in C++20.

This package contains cubind-info, which tells what CUDA libraries a machine
has and what is wrong with them; cubind-sim, which runs programs on a simulated
driver; cubind-compile, which compiles CUDA C++ with NVRTC; cubind-prof, if the
build has CUPTI, which tells where the time of a program goes; and cubind-gen,
which turns NVIDIA's headers into specs, specs into C++, and kernels into C++
functions.")

# cubind-sim and the simulated libraries agree on variables of the environment.
if("simulation" IN_LIST CPACK_COMPONENTS_ALL)
    string(APPEND CPACK_DEBIAN_PROGRAMS_PACKAGE_DEPENDS ", libcubind-sim (= ${version})")
endif()

list(APPEND CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/prepare.cmake)
