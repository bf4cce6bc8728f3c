# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0

# Tests of the behavior of NVRTC, nvJitLink and cudart on the vendor's libraries of the releases that tests/toolkits.cmake finds.

cubind_add_test_program(library_versions_real_libraries_tests
    SOURCES real_libraries_tests.cpp compiling.cpp wrapper_list.cpp
    LIBRARIES cubind::nvrtc cubind::nvjitlink)

cubind_add_test_program(library_versions_runtime_major_tests
    SOURCES runtime_major_tests.cpp wrapper_list.cpp LIBRARIES cubind::runtime)

foreach(release IN LISTS CUBIND_TOOLKIT_RELEASES)
    set(folder ${CUBIND_TOOLKIT_FOLDER_${release}})
    string(REGEX MATCH "^[0-9]+" major ${release})
    cubind_add_toolkit_test(library_versions_real_libraries_${release} library_versions_real_libraries_tests ${release} *)
    cubind_add_toolkit_test(
        library_versions_runtime_${release}_of_the_override library_versions_runtime_major_tests ${release} *Override
        CUBIND_RUNTIME_LIBRARY=${folder}/libcudart.so.${major})
    cubind_add_toolkit_test(
        library_versions_runtime_${release}_of_the_os_loader library_versions_runtime_major_tests ${release} *OsLoader)
    set_tests_properties(library_versions_runtime_${release}_of_the_os_loader PROPERTIES
        ENVIRONMENT_MODIFICATION LD_LIBRARY_PATH=path_list_prepend:${folder})
endforeach()
