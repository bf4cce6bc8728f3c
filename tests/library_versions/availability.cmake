# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0

# Tests of <cubind/LIBRARY/availability.hpp> of every library.
set(objects "")
set(targets "")
foreach(library IN LISTS CUBIND_LIBRARY_NAMES)
    set(list ${CMAKE_CURRENT_BINARY_DIR}/${library}_availability.inc)
    cubind_write_version_list(write_names.py ${library} ${library} ${list})
    add_library(library_versions_${library}_availability OBJECT library_availability.cpp ${list})
    target_compile_definitions(library_versions_${library}_availability PRIVATE
        LIBRARY=${library} HEADER=<cubind/${library}/availability.hpp> NAMES="${list}")
    target_link_libraries(library_versions_${library}_availability PRIVATE cubind::${library} cubind_warnings)
    list(APPEND objects $<TARGET_OBJECTS:library_versions_${library}_availability>)
    list(APPEND targets cubind::${library})
endforeach()
cubind_add_test(NAME library_versions_availability_tests
    SOURCES availability_tests.cpp ${objects}
    LIBRARIES ${targets}
    LABELS unit)
