# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0

# Compiles vendor_layout.hpp of every library in every view of the vendor's header.
set(views_driver plain per_thread internal internal_odr)
set(views_runtime plain per_thread internal)
set(views_nvrtc plain)
set(views_nvjitlink plain no_inline)
set(defines_plain "")
set(defines_per_thread CUDA_API_PER_THREAD_DEFAULT_STREAM)
set(defines_internal __CUDA_API_VERSION_INTERNAL)
set(defines_internal_odr __CUDA_API_VERSION_INTERNAL __CUDA_API_VERSION_INTERNAL_ODR)
set(defines_no_inline NVJITLINK_NO_INLINE)

set(objects "")
foreach(library driver runtime nvrtc nvjitlink)
    foreach(view IN LISTS views_${library})
        set(target generated_vendor_${library}_${view})
        add_library(${target} OBJECT vendor_view.cpp)
        target_compile_definitions(${target} PRIVATE VENDOR_LAYOUT_HPP=<cubind/${library}/vendor_layout.hpp> ${defines_${view}})
        target_include_directories(${target} SYSTEM PRIVATE ${CUBIND_CUDA_INCLUDE_DIR})
        target_link_libraries(${target} PRIVATE cubind::${library} cubind_warnings)
        target_compile_options(${target} PRIVATE -Werror -fno-exceptions -fno-rtti)
        list(APPEND objects $<TARGET_OBJECTS:${target}>)
    endforeach()
endforeach()

cubind_add_test(NAME generated_vendor_tests
    SOURCES vendor_round_trip_tests.cpp ${objects}
    LIBRARIES cubind::driver cubind::runtime cubind::nvrtc cubind::nvjitlink
    LABELS headers)
target_include_directories(generated_vendor_tests SYSTEM PRIVATE ${CUBIND_CUDA_INCLUDE_DIR})

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
