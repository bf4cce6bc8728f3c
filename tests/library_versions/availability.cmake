# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0

# Tests of <cubind/LIBRARY/availability.hpp> of every library.
set(lists "")
foreach(library driver runtime nvrtc nvjitlink)
    set(list ${CMAKE_CURRENT_BINARY_DIR}/${library}_availability.inc)
    cubind_write_version_list(write_names.py ${library} ${library} ${list})
    list(APPEND lists ${list})
endforeach()
cubind_add_test(NAME library_versions_availability_tests
    SOURCES availability_tests.cpp ${lists}
    LIBRARIES cubind::driver cubind::runtime cubind::nvrtc cubind::nvjitlink
    LABELS unit)
target_include_directories(library_versions_availability_tests PRIVATE ${CMAKE_CURRENT_BINARY_DIR})
