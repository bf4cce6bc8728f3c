# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0

# Tests every accessor of a device attribute.
set(attribute_cases ${CMAKE_CURRENT_BINARY_DIR}/attribute_cases.cpp)
add_custom_command(OUTPUT ${attribute_cases}
    COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/write_attribute_cases.py ${cubind_SOURCE_DIR} ${attribute_cases}
    DEPENDS write_attribute_cases.py bound.py ${cubind_SOURCE_DIR}/api-specs/driver/api.json
    VERBATIM)
cubind_add_test(NAME generated_driver_attributes_tests
    SOURCES attributes_tests.cpp ${attribute_cases}
    LIBRARIES cubind::driver
    LABELS unit)
target_include_directories(generated_driver_attributes_tests PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
