# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0

# Includes the vendor's headers. The search path is stated, so that no header of another release is found; see
# generated/search_path.py.

find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(CUBIND_SEARCH_PATH_SCRIPT ${CMAKE_CURRENT_LIST_DIR}/generated/search_path.py)

# Lets a target include the vendor's headers in a folder.
#   cubind_include_vendor_headers(TARGET FOLDER)
function(cubind_include_vendor_headers target folder)
    get_property(options GLOBAL PROPERTY CUBIND_SEARCH_PATH)
    if(NOT options)
        execute_process(COMMAND ${Python3_EXECUTABLE} -B ${CUBIND_SEARCH_PATH_SCRIPT} ${CMAKE_CXX_COMPILER}
            OUTPUT_VARIABLE options OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
        string(REPLACE "\n" " " options "${options}")
        set_property(GLOBAL PROPERTY CUBIND_SEARCH_PATH "${options}")
    endif()
    # CMake places the folders of a target before its options.
    target_include_directories(${target} SYSTEM PRIVATE ${folder})
    target_compile_options(${target} PRIVATE "SHELL:${options}")
endfunction()
