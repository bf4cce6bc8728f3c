# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0

# Finds the vendor's libraries in CUBIND_CUDA_LIBRARY_DIR, and those of other releases in the folders beside it, where
# scripts/fetch-headers stores them. Sets CUBIND_TOOLKIT_RELEASES, and CUBIND_TOOLKIT_FOLDER_<release> for each release. The list
# is empty if CUBIND_CUDA_LIBRARY_DIR is not set.

set(CUBIND_TOOLKIT_RELEASES "")
if(CUBIND_CUDA_LIBRARY_DIR)
    file(GLOB candidates ${CUBIND_CUDA_LIBRARY_DIR} ${CUBIND_CUDA_LIBRARY_DIR}/../../[0-9]*/lib)
    foreach(folder IN LISTS candidates)
        get_filename_component(folder ${folder} REALPATH)
        file(GLOB named RELATIVE ${folder} ${folder}/libnvrtc-builtins.so.*)
        # An installed toolkit also has a file with the full version, such as libnvrtc-builtins.so.13.0.88.
        if(named MATCHES "builtins\\.so\\.([0-9]+\\.[0-9]+)")
            list(APPEND CUBIND_TOOLKIT_RELEASES ${CMAKE_MATCH_1})
            set(CUBIND_TOOLKIT_FOLDER_${CMAKE_MATCH_1} ${folder})
        endif()
    endforeach()
    list(REMOVE_DUPLICATES CUBIND_TOOLKIT_RELEASES)
endif()

# Sets a variable to the environment in which programs find NVRTC, nvJitLink, libNVVM and libdevice of one release, and those of no
# other place. scripts/fetch-python fetches tileiras of one release.
#   cubind_toolkit_environment(VARIABLE RELEASE)
function(cubind_toolkit_environment variable release)
    set(folder ${CUBIND_TOOLKIT_FOLDER_${release}})
    string(REGEX MATCH "^[0-9]+" major ${release})
    file(GLOB nvvm ${folder}/libnvvm.so*)
    list(TRANSFORM nvvm PREPEND CUBIND_NVVM_LIBRARY=)
    set(tileiras "")
    file(GLOB package ${CUBIND_CUDA_PYTHON_DIR}/nvidia_cuda_tileiras-${release}.*)
    if(CUBIND_CUDA_PYTHON_DIR AND package)
        set(tileiras CUBIND_TILEIRAS_PROGRAM=${CUBIND_CUDA_PYTHON_DIR}/nvidia/cu13/bin/tileiras)
    endif()
    set(${variable} CUBIND_TEST_RELEASE=${release} CUBIND_NVRTC_LIBRARY=${folder}/libnvrtc.so.${major}
        CUBIND_NVJITLINK_LIBRARY=${folder}/libnvJitLink.so.${major} ${nvvm} ${tileiras} CUBIND_DEVICE_BITCODE_LIBRARY=${folder}/libdevice.10.bc PARENT_SCOPE)
endfunction()

# Runs the cases of a GoogleTest program that match FILTER on the NVRTC and nvJitLink of one release. VARIABLE is an additional
# environment variable with its value, as NAME=VALUE.
#   cubind_add_toolkit_test(NAME PROGRAM RELEASE FILTER VARIABLE...)
function(cubind_add_toolkit_test name program release filter)
    cubind_toolkit_environment(environment ${release})
    add_test(NAME ${name} COMMAND ${program} --gtest_filter=${filter})
    set_tests_properties(${name} PROPERTIES LABELS toolkit SKIP_REGULAR_EXPRESSION "\\[  SKIPPED \\]"
        ENVIRONMENT "${environment};${ARGN}")
endfunction()
