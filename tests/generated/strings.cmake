# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0

# Tests to_string and describe for every enumerator of one library.
#   cubind_add_strings_test(LIBRARY)
function(cubind_add_strings_test library)
    set(cases ${CMAKE_CURRENT_BINARY_DIR}/${library}_string_cases.cpp)
    file(GLOB facts CONFIGURE_DEPENDS ${cubind_SOURCE_DIR}/api-specs/${library}/*.json)
    set(types ${cubind_SOURCE_DIR}/generated/${library}/include/cubind/${library}/types.hpp)
    add_custom_command(OUTPUT ${cases}
        COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/write_string_cases.py ${cubind_SOURCE_DIR} ${library} ${cases}
        DEPENDS write_string_cases.py bound.py ${facts} ${types}
        VERBATIM)
    cubind_add_test(NAME generated_${library}_strings_tests
        SOURCES strings_tests.cpp ${cases}
        LIBRARIES cubind::${library}
        LABELS unit)
    target_include_directories(generated_${library}_strings_tests PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
endfunction()
