# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0

# One program that tests the wrappers of all libraries. It runs without the libraries, and on the vendor's libraries of the releases
# that tests/toolkits.cmake finds.
set(objects "")
set(targets "")
foreach(library IN LISTS CUBIND_LIBRARY_NAMES)
    cubind_add_wrapper_list(${library})
    list(APPEND objects $<TARGET_OBJECTS:library_versions_${library}_wrappers>)
    list(APPEND targets cubind::${library})
endforeach()
cubind_add_test_program(library_versions_all_libraries_tests
    SOURCES all_libraries_tests.cpp wrapper_list.cpp ${objects} LIBRARIES ${targets})
gtest_discover_tests(library_versions_all_libraries_tests TEST_PREFIX library_versions_all_libraries_tests.
    TEST_FILTER -*RealLibraryTest* PROPERTIES LABELS unit DISCOVERY_TIMEOUT 60)

foreach(release IN LISTS CUBIND_TOOLKIT_RELEASES)
    foreach(library IN LISTS CUBIND_LIBRARY_NAMES)
        cubind_read_library(file_names ${library} loading file_names)
        cubind_read_library(is_part_of_the_driver ${library} loading from_os_loader_only)
        # The folder of a release has no library that the release lacks, and only a refused one of an unsupported major.
        foreach(name IN LISTS file_names)
            if(EXISTS ${CUBIND_TOOLKIT_FOLDER_${release}}/${name} AND NOT is_part_of_the_driver)
                string(TOUPPER CUBIND_${library}_LIBRARY variable)
                set(test library_versions_${library}_${release})
                set(tested_release ${release})
                cubind_read_library(macro ${library} release macro)
                if(NOT macro)
                    # The library's own versions number its spec. Its headers, which state the version, are beside the library.
                    cubind_read_release(tested_release ${library} ${CUBIND_TOOLKIT_FOLDER_${release}}/../include)
                endif()
                add_test(NAME ${test}
                    COMMAND library_versions_all_libraries_tests --gtest_filter=*RealLibraryTest*/${library})
                set_tests_properties(${test} PROPERTIES LABELS toolkit SKIP_REGULAR_EXPRESSION "\\[  SKIPPED \\]"
                    FAIL_REGULAR_EXPRESSION "Running 0 tests"
                    ENVIRONMENT "CUBIND_TEST_RELEASE=${tested_release};${variable}=${CUBIND_TOOLKIT_FOLDER_${release}}/${name}")
                break()
            endif()
        endforeach()
    endforeach()
endforeach()
