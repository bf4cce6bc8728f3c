# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0

# The vendor's libraries of the release that the tests are given, and of others that lie beside it as scripts/fetch-headers
# leaves them.
add_executable(generated_real_libraries_tests behavior/real_libraries_tests.cpp)
target_link_libraries(generated_real_libraries_tests PRIVATE cubind::runtime cubind::nvrtc cubind::nvjitlink GTest::gtest_main
    cubind_warnings)

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
    if(named MATCHES "builtins\\.so\\.([0-9]+\\.[0-9]+)")
        set(release ${CMAKE_MATCH_1})
        gtest_discover_tests(generated_real_libraries_tests TEST_PREFIX generated_real_libraries_${release}.
            TEST_LIST generated_real_libraries_${release}_tests DISCOVERY_TIMEOUT 60
            PROPERTIES LABELS toolkit ENVIRONMENT CUBIND_TEST_LIBRARIES=${folder})
    endif()
endforeach()
