# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0

# Writes pkg-config files from the properties of targets, so that pkg-config and find_package(cubind) name the same dependencies.

file(RELATIVE_PATH CUBIND_PC_UP ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})

# Installs cubind-<name>.pc for a target with a component. The optional argument replaces the -L and -l options of the target's own file.
function(cubind_install_pkg_config target component)
    string(REPLACE "cubind_" "" CUBIND_PC_NAME ${target})
    get_target_property(type ${target} TYPE)
    # A program that links a static library must also link the dependencies of that library.
    set(property INTERFACE_LINK_LIBRARIES)
    if(type STREQUAL "STATIC_LIBRARY")
        set(property LINK_LIBRARIES)
    endif()
    get_target_property(links ${target} ${property})
    set(CUBIND_PC_REQUIRES "")
    set(CUBIND_PC_LIBS "-L\${libdir} -lcubind_${CUBIND_PC_NAME}")
    if(ARGC GREATER 2)
        set(CUBIND_PC_LIBS "${ARGV2}")
    elseif(type STREQUAL "INTERFACE_LIBRARY")
        set(CUBIND_PC_LIBS "")
    endif()
    foreach(link IN LISTS links)
        if(link MATCHES "^cubind_(.*)$")
            string(APPEND CUBIND_PC_REQUIRES " cubind-${CMAKE_MATCH_1}")
        elseif(link STREQUAL "sodium::sodium")
            string(APPEND CUBIND_PC_REQUIRES " libsodium")
        elseif(link STREQUAL "Threads::Threads")
            string(APPEND CUBIND_PC_LIBS " -pthread")
        elseif(link MATCHES "^[a-z_]+$")
            string(APPEND CUBIND_PC_LIBS " -l${link}")
        elseif(NOT link MATCHES "^(\\$<(BUILD_INTERFACE|LINK_ONLY):|::@)")  # CMake encloses items of another folder in ::@
            message(FATAL_ERROR "cubind: no pkg-config name is known for ${link}, which ${target} links; add it to ${CMAKE_CURRENT_FUNCTION_LIST_FILE}")
        endif()
    endforeach()
    get_target_property(options ${target} INTERFACE_LINK_OPTIONS)
    if(options)
        list(TRANSFORM options REPLACE "^LINKER:" "-Wl,")
        list(JOIN options " " options)
        string(PREPEND CUBIND_PC_LIBS "${options} ")
    endif()
    set(CUBIND_PC_CFLAGS "")
    get_target_property(definitions ${target} INTERFACE_COMPILE_DEFINITIONS)
    if(definitions)
        list(TRANSFORM definitions PREPEND " -D")
        list(JOIN definitions "" CUBIND_PC_CFLAGS)
    endif()
    configure_file(${PROJECT_SOURCE_DIR}/cmake/cubind.pc.in ${PROJECT_BINARY_DIR}/pkgconfig/cubind-${CUBIND_PC_NAME}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/pkgconfig/cubind-${CUBIND_PC_NAME}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
        COMPONENT ${component})
endfunction()
