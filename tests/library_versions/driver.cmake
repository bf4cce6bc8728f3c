# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0

# Stand-in drivers of every release of api.json and of a future release, each a libcuda.so.1 in its own folder. One program runs
# with each of them, without a driver, and with a broken driver.

set(facts ${cubind_SOURCE_DIR}/api-specs/driver/api.json)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${facts})
file(READ ${facts} json)
string(JSON count LENGTH "${json}" releases)
set(releases "")
math(EXPR last "${count} - 1")
foreach(index RANGE ${last})
    string(JSON release GET "${json}" releases ${index})
    list(APPEND releases ${release})
endforeach()
string(REGEX REPLACE "\\..*" ".9" future ${release})  # the same as in spec.py
list(APPEND releases ${future})
set(drivers ${CMAKE_CURRENT_BINARY_DIR}/drivers)

cubind_add_test_program(library_versions_driver_tests
    SOURCES driver_tests.cpp wrapper_list.cpp $<TARGET_OBJECTS:library_versions_driver_wrappers> LIBRARIES cubind::driver)

# Runs the tests that match FILTER on the driver in the folder RELEASE.
#   cubind_add_driver_version_test(RELEASE FILTER)
function(cubind_add_driver_version_test release filter)
    add_test(NAME library_versions_driver_${release} COMMAND library_versions_driver_tests --gtest_filter=${filter})
    set_tests_properties(library_versions_driver_${release} PROPERTIES LABELS unit
        SKIP_REGULAR_EXPRESSION "\\[  SKIPPED \\]"
        ENVIRONMENT CUBIND_TEST_RELEASE=${release}
        ENVIRONMENT_MODIFICATION LD_LIBRARY_PATH=path_list_prepend:${drivers}/${release})
endfunction()

foreach(release IN LISTS releases)
    set(symbols ${drivers}/${release}.inc)
    cubind_write_version_list(write_symbols.py ${release} driver ${symbols})
    string(REGEX REPLACE "^([0-9]+)\\.([0-9])$" "\\10\\20" version ${release})
    add_library(library_versions_driver_${release} MODULE stand_in_driver.cpp ${symbols})
    target_compile_definitions(library_versions_driver_${release} PRIVATE SYMBOLS="${symbols}" STAND_IN_VERSION=${version})
    target_link_libraries(library_versions_driver_${release} PRIVATE cubind_warnings)
    set_target_properties(library_versions_driver_${release} PROPERTIES
        OUTPUT_NAME cuda SUFFIX .so.1 LIBRARY_OUTPUT_DIRECTORY ${drivers}/${release})
    add_dependencies(library_versions_driver_tests library_versions_driver_${release})
    cubind_add_driver_version_test(${release} DriverTest.*:AnyDriverTest.*)
endforeach()

file(WRITE ${drivers}/broken/libcuda.so.1 "not a library")
cubind_add_driver_version_test(broken NoDriverTest.*:AnyDriverTest.*)
file(MAKE_DIRECTORY ${drivers}/none)
cubind_add_driver_version_test(none NoDriverTest.*:AnyDriverTest.*)
