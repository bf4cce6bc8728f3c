# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0

# The vendor's libraries of the release that the tests are given, and of others that lie beside it as scripts/fetch-headers
# leaves them.

cubind_add_wrapper_list(nvrtc)
cubind_add_wrapper_list(nvjitlink)
add_executable(skew_real_libraries_tests real_libraries_tests.cpp compiling.cpp wrapper_list.cpp
    $<TARGET_OBJECTS:skew_nvrtc_wrappers> $<TARGET_OBJECTS:skew_nvjitlink_wrappers>)
target_link_libraries(skew_real_libraries_tests PRIVATE
    cubind::nvrtc cubind::nvjitlink GTest::gtest_main GTest::gmock cubind_warnings)

add_executable(skew_runtime_major_tests runtime_major_tests.cpp wrapper_list.cpp)
target_link_libraries(skew_runtime_major_tests PRIVATE cubind::runtime GTest::gtest_main GTest::gmock cubind_warnings)

# cubind_add_real_libraries_test(NAME PROGRAM RELEASE FILTER VARIABLE...)
function(cubind_add_real_libraries_test name program release filter)
    add_test(NAME ${name} COMMAND ${program} --gtest_filter=${filter})
    set_tests_properties(${name} PROPERTIES LABELS toolkit SKIP_REGULAR_EXPRESSION "\\[  SKIPPED \\]"
        ENVIRONMENT "CUBIND_TEST_RELEASE=${release};${ARGN}")
endfunction()

file(GLOB candidates ${CUBIND_CUDA_LIBRARY_DIR} ${CUBIND_CUDA_LIBRARY_DIR}/../../[0-9]*/lib)
set(folders "")
foreach(folder IN LISTS candidates)
    get_filename_component(folder ${folder} REALPATH)
    list(APPEND folders ${folder})
endforeach()
list(REMOVE_DUPLICATES folders)
foreach(folder IN LISTS folders)
    file(GLOB named RELATIVE ${folder} ${folder}/libnvrtc-builtins.so.*)
    # An installed toolkit has its full version there too: libnvrtc-builtins.so.13.0.88.
    if(named MATCHES "builtins\\.so\\.(([0-9]+)\\.[0-9]+)")
        set(release ${CMAKE_MATCH_1})
        set(major ${CMAKE_MATCH_2})
        cubind_add_real_libraries_test(skew_real_libraries_${release} skew_real_libraries_tests ${release} *
            CUBIND_NVRTC_LIBRARY=${folder}/libnvrtc.so.${major}
            CUBIND_NVJITLINK_LIBRARY=${folder}/libnvJitLink.so.${major})
        cubind_add_real_libraries_test(skew_runtime_${release}_of_the_override skew_runtime_major_tests ${release} *Override
            CUBIND_RUNTIME_LIBRARY=${folder}/libcudart.so.${major})
        cubind_add_real_libraries_test(skew_runtime_${release}_of_the_os_loader skew_runtime_major_tests ${release} *OsLoader)
        set_tests_properties(skew_runtime_${release}_of_the_os_loader PROPERTIES
            ENVIRONMENT_MODIFICATION LD_LIBRARY_PATH=path_list_prepend:${folder})
    endif()
endforeach()
