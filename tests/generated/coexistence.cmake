# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0

# One program for each library. It compares the names in three modes, or in six if the library has per-thread default streams,
# with the vendor's headers.
#   cubind_add_coexistence_test(LIBRARY)
function(cubind_add_coexistence_test library)
    cubind_read_headers(headers ${library} ${CUBIND_CUDA_INCLUDE_DIR})
    cubind_read_library(per_thread_macro ${library} per_thread_macro)
    set(names ${CMAKE_CURRENT_BINARY_DIR}/${library}_names.inc)
    set(spec ${CMAKE_CURRENT_BINARY_DIR}/${library}_spec.inc)
    set(vendor_headers ${CMAKE_CURRENT_BINARY_DIR}/${library}_vendor_headers.inc)
    list(TRANSFORM headers PREPEND ${CUBIND_CUDA_INCLUDE_DIR}/)
    file(GLOB facts CONFIGURE_DEPENDS ${cubind_SOURCE_DIR}/api-specs/${library}/*.json)
    add_custom_command(OUTPUT ${names} ${spec}
        COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/write_name_list.py
            ${CMAKE_CXX_COMPILER} ${CUBIND_CUDA_INCLUDE_DIR} ${cubind_SOURCE_DIR} ${library} ${names} ${spec}
        DEPENDS write_name_list.py vendor_headers.py bound.py ${headers} ${facts}
        VERBATIM)
    add_custom_target(generated_${library}_names DEPENDS ${names} ${spec})

    set(modes legacy)
    if(per_thread_macro)
        list(APPEND modes per_thread)
    endif()
    set(objects "")
    foreach(streams IN LISTS modes)
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
                    NAMES_FUNCTION=names_${order}_${streams} CALLS_FUNCTION=calls_${order}_${streams})
            endif()
            if(streams STREQUAL "per_thread")
                target_compile_definitions(${mode} PRIVATE ${per_thread_macro})
            endif()
            target_compile_definitions(${mode} PRIVATE VENDOR_HEADERS="${vendor_headers}" NAMES="${names}")
            cubind_include_all_vendor_headers(${mode})
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
        OVERRIDE_VARIABLE="CUBIND_${library_upper}_LIBRARY" SPEC="${spec}" $<$<BOOL:${per_thread_macro}>:HAS_PER_THREAD>)
    add_dependencies(generated_${library}_coexistence_tests generated_${library}_names)
endfunction()
