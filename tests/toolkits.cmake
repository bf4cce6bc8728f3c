# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0

# The vendor's libraries of the release that the tests are given, and of others that lie beside it as scripts/fetch-headers
# leaves them: CUBIND_TOOLKIT_RELEASES, and CUBIND_TOOLKIT_FOLDER_<release> for each. Empty without CUBIND_CUDA_LIBRARY_DIR.

set(CUBIND_TOOLKIT_RELEASES "")
if(CUBIND_CUDA_LIBRARY_DIR)
    file(GLOB candidates ${CUBIND_CUDA_LIBRARY_DIR} ${CUBIND_CUDA_LIBRARY_DIR}/../../[0-9]*/lib)
    foreach(folder IN LISTS candidates)
        get_filename_component(folder ${folder} REALPATH)
        file(GLOB named RELATIVE ${folder} ${folder}/libnvrtc-builtins.so.*)
        # An installed toolkit has its full version there too: libnvrtc-builtins.so.13.0.88.
        if(named MATCHES "builtins\\.so\\.([0-9]+\\.[0-9]+)")
            list(APPEND CUBIND_TOOLKIT_RELEASES ${CMAKE_MATCH_1})
            set(CUBIND_TOOLKIT_FOLDER_${CMAKE_MATCH_1} ${folder})
        endif()
    endforeach()
    list(REMOVE_DUPLICATES CUBIND_TOOLKIT_RELEASES)
endif()

# Runs the cases of a GoogleTest program on the NVRTC and nvJitLink of one release, which VARIABLE=value... may add to.
#   cubind_add_toolkit_test(NAME PROGRAM RELEASE FILTER VARIABLE...)
function(cubind_add_toolkit_test name program release filter)
    set(folder ${CUBIND_TOOLKIT_FOLDER_${release}})
    string(REGEX MATCH "^[0-9]+" major ${release})
    add_test(NAME ${name} COMMAND ${program} --gtest_filter=${filter})
    set_tests_properties(${name} PROPERTIES LABELS toolkit SKIP_REGULAR_EXPRESSION "\\[  SKIPPED \\]"
        ENVIRONMENT "CUBIND_TEST_RELEASE=${release};CUBIND_NVRTC_LIBRARY=${folder}/libnvrtc.so.${major};\
CUBIND_NVJITLINK_LIBRARY=${folder}/libnvJitLink.so.${major};${ARGN}")
endfunction()
