# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0

# Stand-ins for vendor libraries, which the tests select with the CUBIND_<LIBRARY>_LIBRARY variables.
function(cubind_add_stand_in name library source)
    add_library(${name} SHARED ${source})
    # Uses the types but does not link the wrappers.
    target_include_directories(${name} PRIVATE $<TARGET_PROPERTY:cubind::${library},INTERFACE_INCLUDE_DIRECTORIES>)
    target_link_libraries(${name} PRIVATE cubind_warnings)
    set_target_properties(${name} PROPERTIES CXX_VISIBILITY_PRESET default
        LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/stand_ins)
endfunction()

cubind_add_stand_in(cubind_test_stand_in_driver driver behavior/stand_in_driver.cpp)
foreach(major 12 13)
    cubind_add_stand_in(cubind_test_stand_in_runtime_${major} runtime behavior/stand_in_runtime.cpp)
    target_compile_definitions(cubind_test_stand_in_runtime_${major} PRIVATE STAND_IN_MAJOR=${major})
endforeach()

cubind_add_test(NAME generated_driver_calls_tests
    SOURCES behavior/driver_calls_tests.cpp behavior/per_thread.cpp
    LIBRARIES cubind::driver
    LABELS unit)
# This file defines a macro of the vendor, which must not change the other file.
set_source_files_properties(behavior/per_thread.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
target_compile_definitions(generated_driver_calls_tests PRIVATE
    STAND_IN_DRIVER="$<TARGET_FILE:cubind_test_stand_in_driver>")
add_dependencies(generated_driver_calls_tests cubind_test_stand_in_driver)

cubind_add_test(NAME generated_missing_library_tests
    SOURCES behavior/missing_library_tests.cpp
    LIBRARIES cubind::driver cubind::runtime cubind::nvrtc
    LABELS unit)
target_compile_definitions(generated_missing_library_tests PRIVATE
    STAND_IN_RUNTIME_12="$<TARGET_FILE:cubind_test_stand_in_runtime_12>"
    STAND_IN_RUNTIME_13="$<TARGET_FILE:cubind_test_stand_in_runtime_13>")
add_dependencies(generated_missing_library_tests cubind_test_stand_in_runtime_12 cubind_test_stand_in_runtime_13)
