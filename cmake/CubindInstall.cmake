# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0

# Install rules for headers, libraries, the files of find_package(cubind), and pkg-config files.

include(CMakePackageConfigHelpers)
file(RELATIVE_PATH CUBIND_PC_UP ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})

install(TARGETS ${CUBIND_INSTALLED_TARGETS} EXPORT cubindTargets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(EXPORT cubindTargets NAMESPACE cubind:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/cubind)

foreach(target IN LISTS CUBIND_INSTALLED_TARGETS)
    string(REPLACE "cubind_" "" name ${target})
    if(EXISTS ${PROJECT_SOURCE_DIR}/generated/${name}/include)
        set(include_folder ${PROJECT_SOURCE_DIR}/generated/${name}/include)
    else()
        set(include_folder ${PROJECT_SOURCE_DIR}/runtime/${name}/include)
    endif()
    install(DIRECTORY ${include_folder}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

    set(CUBIND_PC_NAME ${name})
    get_target_property(links ${target} INTERFACE_LINK_LIBRARIES)
    list(FILTER links INCLUDE REGEX "^cubind_")
    list(TRANSFORM links REPLACE "^cubind_" "cubind-")
    get_property(others TARGET ${target} PROPERTY CUBIND_PC_REQUIRES)
    list(APPEND links ${others})
    list(JOIN links " " CUBIND_PC_REQUIRES)
    get_property(CUBIND_PC_REQUIRES_PRIVATE TARGET ${target} PROPERTY CUBIND_PC_REQUIRES_PRIVATE)
    set(CUBIND_PC_LIBS "")
    if(name STREQUAL "loader")
        list(JOIN CMAKE_DL_LIBS " -l" libraries)
        if(libraries)
            set(CUBIND_PC_LIBS "-l${libraries}")
        endif()
    endif()
    configure_file(${PROJECT_SOURCE_DIR}/cmake/cubind.pc.in ${PROJECT_BINARY_DIR}/pkgconfig/cubind-${name}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/pkgconfig/cubind-${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/cubindConfig.cmake.in ${PROJECT_BINARY_DIR}/cubindConfig.cmake
    INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/cubind)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cubindConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/cubindConfig.cmake ${PROJECT_BINARY_DIR}/cubindConfigVersion.cmake
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/cubind)
if(CUBIND_BUILD_CORE AND NOT BUILD_SHARED_LIBS)
    install(FILES ${PROJECT_SOURCE_DIR}/cmake/Findsodium.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/cubind)
endif()
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
