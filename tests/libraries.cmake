# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0

# Reads library.json of a library.

# Sets a variable to the value at a path of library.json, or to "" if it has no such key. A list of texts becomes a CMake list.
#   cubind_read_library(VARIABLE LIBRARY key...)
function(cubind_read_library variable library)
    set(file ${cubind_SOURCE_DIR}/api-specs/${library}/library.json)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(READ ${file} json)
    string(JSON type ERROR_VARIABLE error TYPE "${json}" ${ARGN})
    set(value "")
    if(type STREQUAL "ARRAY")
        string(JSON count LENGTH "${json}" ${ARGN})
        set(index 0)
        while(index LESS count)
            string(JSON each GET "${json}" ${ARGN} ${index})
            list(APPEND value ${each})
            math(EXPR index "${index} + 1")
        endwhile()
    elseif(NOT error)
        string(JSON value GET "${json}" ${ARGN})
    endif()
    set(${variable} "${value}" PARENT_SCOPE)
endfunction()
