# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0

# One program for each library. It compares the names in six modes with the vendor's header.
#   cubind_add_coexistence_test(LIBRARY VENDOR_HEADER MINIMUM_NAMES MINIMUM_PER_THREAD)
function(cubind_add_coexistence_test library vendor_header minimum_names minimum_per_thread)
    set(names ${CMAKE_CURRENT_BINARY_DIR}/${library}_names.inc)
    add_custom_command(OUTPUT ${names}
        COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/write_name_list.py
            ${CMAKE_CXX_COMPILER} ${CUBIND_CUDA_INCLUDE_DIR} ${library} ${names}
        DEPENDS write_name_list.py vendor_headers.py ${CUBIND_CUDA_INCLUDE_DIR}/${vendor_header}
        VERBATIM)
    add_custom_target(generated_${library}_names DEPENDS ${names})

    set(objects "")
    foreach(streams legacy per_thread)
        foreach(order vendor none before after)
            set(mode generated_${library}_${order}_${streams})
            if(order STREQUAL "vendor")
                add_library(${mode} OBJECT coexistence_vendor.cpp)
                target_compile_definitions(${mode} PRIVATE VENDOR_FUNCTION=vendor_${streams})
            else()
                string(TOUPPER ${order} place)
                add_library(${mode} OBJECT coexistence_mode.cpp)
                target_compile_definitions(${mode} PRIVATE
                    VENDOR_${place} LIBRARY=${library} CUBIND_HEADER=<cubind/${library}.hpp>
                    NAMES_FUNCTION=names_${order}_${streams} CALLS_FUNCTION=calls_${order}_${streams}
                    CALLS="${CMAKE_CURRENT_SOURCE_DIR}/calls/${library}.inc")
            endif()
            if(streams STREQUAL "per_thread")
                target_compile_definitions(${mode} PRIVATE CUDA_API_PER_THREAD_DEFAULT_STREAM)
            endif()
            target_compile_definitions(${mode} PRIVATE VENDOR_HEADER=<${vendor_header}> NAMES="${names}")
            target_include_directories(${mode} SYSTEM PRIVATE ${CUBIND_CUDA_INCLUDE_DIR})
            target_link_libraries(${mode} PRIVATE cubind::${library} cubind_warnings)
            # This option is always set: if a macro of the vendor causes a warning in cubind's headers, that is a bug.
            target_compile_options(${mode} PRIVATE -Werror)
            add_dependencies(${mode} generated_${library}_names)
            list(APPEND objects $<TARGET_OBJECTS:${mode}>)
        endforeach()
    endforeach()

    cubind_add_test(NAME generated_${library}_coexistence_tests
        SOURCES coexistence_tests.cpp ${objects}
        LIBRARIES cubind::${library}
        LABELS headers)
    string(TOUPPER ${library} library_upper)
    target_compile_definitions(generated_${library}_coexistence_tests PRIVATE
        OVERRIDE_VARIABLE="CUBIND_${library_upper}_LIBRARY"
        MINIMUM_NAMES=${minimum_names} MINIMUM_PER_THREAD=${minimum_per_thread})
endfunction()
