# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0

# Install rules for headers, libraries, the files of find_package(cubind), and pkg-config files. Each rule has a component:
#
# libraries               shared libraries
# development             headers, static libraries, and what CMake and pkg-config read
# simulation              libcuda.so.1 and the other simulated libraries
# simulation_development  what programs need that contain the simulated driver
# launcher                cubind-sim
# tools                   cubind-info, cubind-compile, and cubind-prof with the library that it loads into programs
# generator               cubind-gen, with the specs and templates that it reads
# license                 the license

include(CMakePackageConfigHelpers)
include(${CMAKE_CURRENT_LIST_DIR}/CubindPkgConfig.cmake)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/cubind)
install(TARGETS ${CUBIND_INSTALLED_TARGETS} EXPORT cubindTargets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT libraries NAMELINK_COMPONENT development
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(EXPORT cubindTargets NAMESPACE cubind:: DESTINATION ${package_folder} COMPONENT development)
# Each component has its own list of targets, because CMake requires that the files of all targets of a list exist.
if(TARGET cubind-compile)
    install(EXPORT cubindTools NAMESPACE cubind:: DESTINATION ${package_folder} COMPONENT tools)
endif()
if(TARGET cubind-gen)
    install(EXPORT cubindGenerator NAMESPACE cubind:: DESTINATION ${package_folder} COMPONENT generator)
endif()
if(TARGET cubind_kernels)
    install(FILES ${PROJECT_SOURCE_DIR}/cmake/CubindKernels.cmake DESTINATION ${package_folder} COMPONENT development)
endif()

foreach(target IN LISTS CUBIND_INSTALLED_TARGETS)
    get_target_property(folders ${target} INTERFACE_INCLUDE_DIRECTORIES)
    foreach(folder IN LISTS folders)
        if(folder MATCHES "^\\$<BUILD_INTERFACE:(.*)>$")
            install(DIRECTORY ${CMAKE_MATCH_1}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
        endif()
    endforeach()
    cubind_install_pkg_config(${target} development)
endforeach()
if(TARGET cubind_sim)
    install(EXPORT cubindSimulation NAMESPACE cubind:: DESTINATION ${package_folder}
        COMPONENT simulation_development)
    cubind_install_pkg_config(cubind_sim simulation_development "\${libdir}/cubind/sim/cubind_sim.o")
endif()

set(CUBIND_COMPONENTS ${CUBIND_INSTALLED_TARGETS} cubind_sim)
list(TRANSFORM CUBIND_COMPONENTS REPLACE "^cubind_" "")
list(JOIN CUBIND_COMPONENTS " " CUBIND_COMPONENTS)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/cubindConfig.cmake.in ${PROJECT_BINARY_DIR}/cubindConfig.cmake
    INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cubindConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/cubindConfig.cmake ${PROJECT_BINARY_DIR}/cubindConfigVersion.cmake
    DESTINATION ${package_folder} COMPONENT development)
if(CUBIND_BUILD_CORE AND NOT BUILD_SHARED_LIBS)
    install(FILES ${PROJECT_SOURCE_DIR}/cmake/Findsodium.cmake DESTINATION ${package_folder} COMPONENT development)
endif()
if(TARGET cubind_core)
    set(gdb_printers ${PROJECT_SOURCE_DIR}/tools/gdb/cubind_gdb.py)
    install(FILES ${PROJECT_SOURCE_DIR}/runtime/core/module/cubind.cppm ${gdb_printers}
        DESTINATION ${CMAKE_INSTALL_DATADIR}/cubind COMPONENT development)
    if(BUILD_SHARED_LIBS)
        # GDB loads the file with the library of this path.
        install(FILES ${gdb_printers} DESTINATION ${CMAKE_INSTALL_DATADIR}/gdb/auto-load/${CMAKE_INSTALL_FULL_LIBDIR}
            RENAME libcubind_core.so.${PROJECT_VERSION}-gdb.py COMPONENT development)
    endif()
endif()
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT license)
