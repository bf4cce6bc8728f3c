# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0

# Compares every bound symbol with the output of nm for the vendor's libraries. A library that is part of the driver is compared
# with its stub, if a toolkit is installed. RELEASE is that of the shared object, or "stub" if it is unknown.
function(cubind_add_symbols_test library release shared_object)
    add_test(NAME generated_${library}_symbols
        COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/exported_symbols_test.py ${CMAKE_NM}
            ${cubind_SOURCE_DIR} ${release} ${library} ${shared_object})
    set_tests_properties(generated_${library}_symbols PROPERTIES LABELS toolkit)
endfunction()

foreach(library IN LISTS CUBIND_LIBRARY_NAMES)
    cubind_read_library(file_names ${library} loading file_names)
    cubind_read_library(is_part_of_the_driver ${library} loading from_os_loader_only)
    # The libraries have the release of the headers. Without headers, the test derives the release from the newest exported symbol.
    set(release stub)
    if(CUBIND_CUDA_INCLUDE_DIR AND NOT is_part_of_the_driver)
        cubind_read_release(stated ${library} ${CUBIND_CUDA_INCLUDE_DIR})
        if(stated)
            set(release ${stated})
        endif()
    endif()
    if(is_part_of_the_driver)
        list(TRANSFORM file_names REPLACE "\\.so\\..*$" ".so")
    endif()
    set(folders ${CUBIND_CUDA_LIBRARY_DIR} $ENV{CUDA_PATH}/lib64/stubs $ENV{CUDA_HOME}/lib64/stubs /usr/local/cuda/lib64/stubs)
    if(NOT is_part_of_the_driver)
        set(folders ${CUBIND_CUDA_LIBRARY_DIR})
    endif()
    unset(shared_object)
    find_file(shared_object NAMES ${file_names} NO_CACHE NO_DEFAULT_PATH PATHS ${folders} PATH_SUFFIXES stubs)
    if(shared_object)
        cubind_add_symbols_test(${library} ${release} ${shared_object})
    else()
        message(STATUS "The test of the symbols of ${library} is left out: there is no ${file_names}")
    endif()
endforeach()
