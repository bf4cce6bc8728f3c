# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0

# Install rules for headers, libraries, the files of find_package(cubind), and pkg-config files.

include(CMakePackageConfigHelpers)
include(${CMAKE_CURRENT_LIST_DIR}/CubindPkgConfig.cmake)

install(TARGETS ${CUBIND_INSTALLED_TARGETS} EXPORT cubindTargets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(EXPORT cubindTargets NAMESPACE cubind:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/cubind)
if(TARGET cubind-gen OR TARGET cubind-compile)
    install(EXPORT cubindTools NAMESPACE cubind:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/cubind COMPONENT tools)
endif()
if(TARGET cubind_kernels)
    install(FILES ${PROJECT_SOURCE_DIR}/cmake/CubindKernels.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/cubind)
endif()

foreach(target IN LISTS CUBIND_INSTALLED_TARGETS)
    string(REPLACE "cubind_" "" name ${target})
    if(EXISTS ${PROJECT_SOURCE_DIR}/generated/${name}/include)
        set(include_folder ${PROJECT_SOURCE_DIR}/generated/${name}/include)
    else()
        set(include_folder ${PROJECT_SOURCE_DIR}/runtime/${name}/include)
    endif()
    install(DIRECTORY ${include_folder}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
    cubind_install_pkg_config(${target})
endforeach()
if(TARGET cubind_sim)
    # Programs must link the whole archive, because linkers extract no members for weak symbols (simulation/CMakeLists.txt).
    cubind_install_pkg_config(cubind_sim
        "-L\${libdir}/cubind/sim -Wl,--whole-archive -lcubind_sim -Wl,--no-whole-archive")
endif()

set(CUBIND_COMPONENTS ${CUBIND_INSTALLED_TARGETS})
if(TARGET cubind_sim)
    list(APPEND CUBIND_COMPONENTS cubind_sim)
endif()
list(TRANSFORM CUBIND_COMPONENTS REPLACE "^cubind_" "")
list(JOIN CUBIND_COMPONENTS ", " CUBIND_COMPONENTS)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/cubindConfig.cmake.in ${PROJECT_BINARY_DIR}/cubindConfig.cmake
    INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/cubind)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cubindConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/cubindConfig.cmake ${PROJECT_BINARY_DIR}/cubindConfigVersion.cmake
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/cubind)
if(CUBIND_BUILD_CORE AND NOT BUILD_SHARED_LIBS)
    install(FILES ${PROJECT_SOURCE_DIR}/cmake/Findsodium.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/cubind)
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
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
