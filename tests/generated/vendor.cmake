# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0

# Compiles vendor_layout.hpp of every library in every view of the vendor's headers. A view is a set of macros that changes the
# headers. vendor_views.py finds the views.
set(objects "")
foreach(library IN LISTS libraries)
    cubind_read_headers(headers ${library} ${CUBIND_CUDA_INCLUDE_DIR})
    list(TRANSFORM headers PREPEND ${CUBIND_CUDA_INCLUDE_DIR}/)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
        ${headers} ${CMAKE_CURRENT_SOURCE_DIR}/vendor_views.py ${CMAKE_CURRENT_SOURCE_DIR}/vendor_headers.py)
    execute_process(
        COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/vendor_views.py ${CMAKE_CXX_COMPILER}
            ${CUBIND_CUDA_INCLUDE_DIR} ${cubind_SOURCE_DIR} ${library}
        OUTPUT_VARIABLE views OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    string(REPLACE "\n" ";" views "${views}")
    foreach(view IN LISTS views)
        string(REPLACE "," ";" macros ${view})
        list(POP_FRONT macros name)
        set(target generated_vendor_${library}_${name})
        add_library(${target} OBJECT vendor_view.cpp)
        target_compile_definitions(${target} PRIVATE VENDOR_LAYOUT_HPP=<cubind/${library}/vendor_layout.hpp>
            VENDOR_HEADERS="${CMAKE_CURRENT_BINARY_DIR}/${library}_vendor_headers.inc" ${macros})
        cubind_include_all_vendor_headers(${target})
        target_link_libraries(${target} PRIVATE cubind::${library} cubind_warnings)
        # The vendor's headers may use typeid in other views.
        target_compile_options(${target} PRIVATE -Werror -fno-exceptions $<$<STREQUAL:${name},plain>:-fno-rtti>)
        list(APPEND objects $<TARGET_OBJECTS:${target}>)
    endforeach()
endforeach()

cubind_add_test(NAME generated_vendor_tests
    SOURCES vendor_round_trip_tests.cpp ${objects}
    LIBRARIES cubind::driver cubind::runtime cubind::nvrtc cubind::nvjitlink
    LABELS headers)
cubind_include_vendor_headers(generated_vendor_tests ${CUBIND_CUDA_INCLUDE_DIR})
# Precompiled headers were compiled with another search path.
set_target_properties(generated_vendor_tests PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)

# Python tests that require the headers and a compiler.
foreach(name vendor_mutation default_arguments)
    add_test(NAME generated_${name}
        COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/${name}_test.py ${CMAKE_CXX_COMPILER}
            ${CUBIND_CUDA_INCLUDE_DIR} ${cubind_SOURCE_DIR}/runtime/loader/include ${cubind_SOURCE_DIR}/generated)
endforeach()
add_test(NAME generated_coverage
    COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/coverage_test.py ${CMAKE_CXX_COMPILER}
        ${CUBIND_CUDA_INCLUDE_DIR} ${cubind_SOURCE_DIR})
set_tests_properties(generated_vendor_mutation generated_default_arguments generated_coverage PROPERTIES LABELS headers)
