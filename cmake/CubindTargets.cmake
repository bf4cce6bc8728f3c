# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0

# Functions that declare the libraries of cubind.

# Warnings for cubind's own code. They are not part of the installed targets.
add_library(cubind_warnings INTERFACE)
target_compile_options(cubind_warnings INTERFACE -Wall -Wextra -Wpedantic -Wconversion)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # g++ 12 wrongly reports overlapping and unbounded copies in `"text" + std::string` (GCC bugs 105651 and 105329), and
    # uninitialized values in an empty std::optional (GCC bug 80635).
    target_compile_options(cubind_warnings INTERFACE
        -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread -Wno-array-bounds -Wno-maybe-uninitialized)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_UNITY_BUILD)
    # In a unity build, g++ takes the sources for headers, and reports classes that derive from one of an unnamed namespace.
    target_compile_options(cubind_warnings INTERFACE -Wno-subobject-linkage)
endif()
if(CUBIND_WARNINGS_AS_ERRORS)
    target_compile_options(cubind_warnings INTERFACE -Werror)
endif()

# Calls target_precompile_headers() if CUBIND_PRECOMPILE_HEADERS is set, with the compiler options that compiler caches require.
function(cubind_precompile_headers target)
    if(NOT CUBIND_PRECOMPILE_HEADERS)
        return()
    endif()
    target_precompile_headers(${target} ${ARGN})
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        # Precompiled headers fill the default heap, so that g++ would collect garbage over and over. This saves an eighth of the time.
        target_compile_options(${target} PRIVATE -fpch-preprocess "SHELL:--param ggc-min-heapsize=524288")
    else()
        target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
    endif()
endfunction()

# Adds a target whose precompiled headers other targets reuse with cubind_precompile_headers(other REUSE_FROM target). All these
# targets must be compiled with the same options.
function(cubind_add_precompiled target)
    file(GENERATE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${target}.cpp CONTENT "// precompiled headers only\n")
    add_library(${target} OBJECT ${CMAKE_CURRENT_BINARY_DIR}/${target}.cpp)
    cubind_precompile_headers(${target} PRIVATE ${ARGN})
endfunction()

# Sources that call an operating system are in folders of its name. Those of other systems are not compiled.
set(CUBIND_SYSTEMS linux)
string(TOLOWER ${CMAKE_SYSTEM_NAME} CUBIND_SYSTEM)
if(NOT CUBIND_SYSTEM IN_LIST CUBIND_SYSTEMS)
    message(FATAL_ERROR "cubind: it does not run on ${CMAKE_SYSTEM_NAME}. It runs on: ${CUBIND_SYSTEMS}.")
endif()
set(CUBIND_OTHER_SYSTEMS ${CUBIND_SYSTEMS})
list(REMOVE_ITEM CUBIND_OTHER_SYSTEMS ${CUBIND_SYSTEM})

# Sets a variable to the sources below a folder of the current one, which is the default. A new file needs no entry in a list.
function(cubind_sources variable)
    set(base ${CMAKE_CURRENT_SOURCE_DIR})
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS RELATIVE ${base} ${base}/${ARGV1}/*.cpp)
    foreach(system IN LISTS CUBIND_OTHER_SYSTEMS)
        list(FILTER sources EXCLUDE REGEX "(^|/)${system}/")
    endforeach()
    list(SORT sources)
    set(${variable} "${sources}" PARENT_SCOPE)
endfunction()

# In a unity build, compiles the sources of each folder of the target as one file, except those of the folders whose path matches
# SEPARATE. The sources of all folders whose path matches an expression of TOGETHER are one file, which takes about half the time
# where the folders are small. Without fixed groups, a new file would be combined with other files than before, which may use the
# same internal names.
function(cubind_unite_folders target)
    cmake_parse_arguments(arg "" "SEPARATE" "TOGETHER" ${ARGN})
    get_target_property(sources ${target} SOURCES)
    get_target_property(target_folder ${target} SOURCE_DIR)
    foreach(source IN LISTS sources)
        get_filename_component(folder ${source} DIRECTORY)
        get_filename_component(source ${source} ABSOLUTE BASE_DIR ${target_folder})
        if(arg_SEPARATE AND folder MATCHES "${arg_SEPARATE}")
            set_source_files_properties(${source} TARGET_DIRECTORY ${target} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
        else()
            foreach(expression IN LISTS arg_TOGETHER)
                if(folder MATCHES "${expression}")
                    set(folder "${expression}")
                    break()
                endif()
            endforeach()
            string(MAKE_C_IDENTIFIER "${folder}" group)
            set_source_files_properties(${source} TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP "${group}")
        endif()
    endforeach()
    set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
endfunction()

set(CUBIND_INSTALLED_TARGETS "" CACHE INTERNAL "installed targets")

function(cubind_register target)
    set(CUBIND_INSTALLED_TARGETS ${CUBIND_INSTALLED_TARGETS} ${target} CACHE INTERNAL "installed targets")
    set_target_properties(${target} PROPERTIES
        VERSION ${PROJECT_VERSION}
        SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
        POSITION_INDEPENDENT_CODE ON
        DEFINE_SYMBOL ""
        INSTALL_RPATH "$ORIGIN")
    if(BUILD_SHARED_LIBS)
        # Symbols are hidden by default. CUBIND_EXPORT of <cubind/detail/abi.hpp> exports the declarations of public headers.
        set_target_properties(${target} PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
        target_compile_definitions(${target} PUBLIC CUBIND_SHARED_LIBRARIES)
    endif()
    # Used in the build tree only, because the exported target must not have these options.
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:cubind_warnings>)
endfunction()

# Registers the hand-written layer in runtime/<name>, whose CMakeLists.txt defines the target cubind_<name>. Other arguments are those
# of cubind_unite_folders.
function(cubind_add_layer name)
    if(NOT TARGET cubind::${name})
        add_library(cubind::${name} ALIAS cubind_${name})
    endif()
    cubind_unite_folders(cubind_${name} ${ARGN})
    # Templates and inline functions of the standard library have static variables. g++ makes their symbols unique in the process, and
    # the OS loader never unloads a plugin that exports a unique symbol.
    target_compile_options(cubind_${name} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique>)
    cubind_register(cubind_${name})
endfunction()

# Registers a layer that is the sum of others and has only headers of its own.
function(cubind_add_interface_layer name)
    add_library(cubind::${name} ALIAS cubind_${name})
    set(CUBIND_INSTALLED_TARGETS ${CUBIND_INSTALLED_TARGETS} cubind_${name} CACHE INTERNAL "installed targets")
endfunction()

# Adds to the names in a variable the libraries whose types they use, according to their sources.cmake.
function(cubind_add_used_libraries variable)
    set(names ${${variable}})
    set(index 0)
    list(LENGTH names count)
    while(index LESS count)
        list(GET names ${index} name)
        set(file ${PROJECT_SOURCE_DIR}/generated/${name}/sources.cmake)
        if(NOT EXISTS ${file})
            message(FATAL_ERROR "cubind: a library uses the types of ${name}, but ${file} does not exist. Run cubind-gen emit.")
        endif()
        set(CUBIND_LIBRARY_USES "")
        include(${file})
        list(APPEND names ${CUBIND_LIBRARY_USES})
        list(REMOVE_DUPLICATES names)
        list(LENGTH names count)
        math(EXPR index "${index} + 1")
    endwhile()
    set(${variable} "${names}" PARENT_SCOPE)
endfunction()

# The parts of mathematics, and the libraries that each needs. The name math selects these libraries.
set(CUBIND_MATH_PARTS blas:cublas,cublaslt contraction:cutensor fft:cufft random:curand solver:cusolver,cublas sparse:cusparse,cudss)

# Sets a variable to the names of the libraries that CUBIND_LIBRARIES selects, and of those that they use. Every folder of
# generated/ that has a sources.cmake is a library.
function(cubind_select_libraries variable)
    file(GLOB lists CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/generated/*/sources.cmake)
    set(all "")
    set(default "")
    foreach(list IN LISTS lists)
        get_filename_component(folder ${list} DIRECTORY)
        get_filename_component(name ${folder} NAME)
        list(APPEND all ${name})
        set(CUBIND_LIBRARY_IS_DEFAULT OFF)
        include(${list})
        if(CUBIND_LIBRARY_IS_DEFAULT)
            list(APPEND default ${name})
        endif()
    endforeach()
    list(SORT all)
    set(selected "")
    list(TRANSFORM CUBIND_MATH_PARTS REPLACE "^[a-z]+:" "" OUTPUT_VARIABLE math)
    string(REPLACE "," ";" math "${math}")
    foreach(name IN LISTS CUBIND_LIBRARIES)
        if(name MATCHES "^(all|default|math)$")
            list(APPEND selected ${${name}})
        elseif(name IN_LIST all)
            list(APPEND selected ${name})
        else()
            list(JOIN all ", " all)
            message(FATAL_ERROR "cubind: CUBIND_LIBRARIES names ${name}, which is no library. The libraries are: ${all}.")
        endif()
    endforeach()
    if(NOT selected)
        message(FATAL_ERROR "cubind: CUBIND_LIBRARIES is empty. Name libraries such as driver;nvrtc, default, or all.")
    endif()
    list(REMOVE_DUPLICATES selected)
    cubind_add_used_libraries(selected)
    list(SORT selected)
    set(${variable} "${selected}" PARENT_SCOPE)
endfunction()

# Switches off the option of a part of cubind if CUBIND_LIBRARIES leaves out one of the libraries that the part needs. WHAT names
# the part in the message. If WHAT is FATAL, the user must switch off the option.
#   cubind_require_libraries(OPTION WHAT library...)
function(cubind_require_libraries option what)
    set(missing "")
    foreach(name IN LISTS ARGN)
        if(NOT name IN_LIST CUBIND_LIBRARY_NAMES)
            list(APPEND missing ${name})
        endif()
    endforeach()
    if(NOT ${option} OR NOT missing)
        return()
    endif()
    list(JOIN missing ", " missing)
    if(what STREQUAL "FATAL")
        message(FATAL_ERROR "cubind: ${option} is ON and needs libraries that CUBIND_LIBRARIES leaves out: ${missing}. "
            "Add them to CUBIND_LIBRARIES, or set ${option}=OFF.")
    endif()
    message(NOTICE "cubind: ${what} is not built, because it needs libraries that CUBIND_LIBRARIES leaves out: ${missing}.")
    set(${option} OFF PARENT_SCOPE)
endfunction()

# Adds the library in generated/<name>. `list` is its sources.cmake.
function(cubind_add_generated_library list)
    get_filename_component(folder ${list} DIRECTORY)
    get_filename_component(name ${folder} NAME)
    set(CUBIND_LIBRARY_USES "")
    include(${list})
    list(TRANSFORM CUBIND_LIBRARY_SOURCES PREPEND ${folder}/)
    add_library(cubind_${name} ${CUBIND_LIBRARY_SOURCES})
    add_library(cubind::${name} ALIAS cubind_${name})
    set_target_properties(cubind_${name} PROPERTIES EXPORT_NAME ${name})
    target_compile_features(cubind_${name} PUBLIC cxx_std_20)
    # A wrapper makes one call. At higher levels, g++ takes up to twice the time, and calls take as many instructions.
    target_compile_options(cubind_${name} PRIVATE -fno-exceptions -fno-rtti
        $<$<CONFIG:Release,RelWithDebInfo>:-O1> $<$<CONFIG:Release,RelWithDebInfo>:-foptimize-sibling-calls>)
    target_include_directories(cubind_${name} PUBLIC
        $<BUILD_INTERFACE:${folder}/include>
        $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    # The headers of the library include those of the libraries whose types it uses.
    list(TRANSFORM CUBIND_LIBRARY_USES PREPEND cubind_)
    target_link_libraries(cubind_${name} PUBLIC cubind_loader ${CUBIND_LIBRARY_USES})
    cubind_register(cubind_${name})
endfunction()
