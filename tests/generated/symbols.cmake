# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0

# Compares every bound symbol with the output of nm for the vendor's libraries, and for the driver's stub if a toolkit is
# installed.
function(cubind_add_symbols_test library release shared_object)
    add_test(NAME generated_${library}_symbols
        COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/exported_symbols_test.py ${CMAKE_NM}
            ${cubind_SOURCE_DIR} ${release} ${library} ${shared_object})
    set_tests_properties(generated_${library}_symbols PROPERTIES LABELS toolkit)
endfunction()

# The libraries have the release of the headers. Without headers, the test derives the release from the newest exported symbol.
set(release stub)
if(CUBIND_CUDA_INCLUDE_DIR)
    file(STRINGS ${CUBIND_CUDA_INCLUDE_DIR}/cuda.h version REGEX "^#define CUDA_VERSION [0-9]+$")
    string(REGEX REPLACE "^.* ([0-9]+)0([0-9])0$" "\\1.\\2" release "${version}")
endif()

foreach(each runtime:libcudart nvrtc:libnvrtc nvjitlink:libnvJitLink)
    string(REPLACE ":" ";" each ${each})
    list(GET each 0 library)
    list(GET each 1 name)
    cubind_add_symbols_test(${library} ${release} ${CUBIND_CUDA_LIBRARY_DIR}/${name}.so.13)
endforeach()

find_library(CUBIND_DRIVER_STUB cuda NO_DEFAULT_PATH
    PATHS ${CUBIND_CUDA_LIBRARY_DIR} $ENV{CUDA_PATH}/lib64 $ENV{CUDA_HOME}/lib64 /usr/local/cuda/lib64
    PATH_SUFFIXES stubs
    DOC "The toolkit's stub of libcuda for the test of the driver's symbols")
if(CUBIND_DRIVER_STUB)
    cubind_add_symbols_test(driver stub ${CUBIND_DRIVER_STUB})
endif()
