# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0

# cubind_add_kernels(TARGET FILE.cu...
#                    [INSTANTIATE INSTANCE...] [OPTIONS OPTION...] [NAMESPACE NAME]
#                    [EMBED source|ptx|cubin|lto] [ARCHITECTURE sm_NN] [NVRTC FILE] [TOOLKIT FOLDER...])
#
# Makes a header FILE.cu.hpp from each file, which declares the kernels and variables of the file as typed functions, and lets TARGET
# include it. A header is written again when the file, a header that the file includes, or an option of this command changes.
#
# INSTANTIATE   instances of kernel templates, such as "scale<float, 4>"
# OPTIONS       options of NVRTC, such as -DWIDTH=4, --std=c++20 or --use_fast_math
# NAMESPACE     the namespace of the functions; kernels by default
# EMBED         what the header contains: the source, which is compiled where the program runs (default), or PTX, a cubin or LTO-IR,
#               which NVRTC compiles at build time
# ARCHITECTURE  the architecture of compiled code, such as sm_90; required unless the source is embedded
# NVRTC         the library libnvrtc.so that compiles at build time; by default, it is found as programs find it
# TOOLKIT       folders of CUDA's headers that the files include, or nvrtc for those that NVRTC contains since CUDA 13.3. By default,
#               those of a toolkit that CUDA_HOME or CUDA_PATH names, or /usr/local/cuda, or those of NVRTC. Files that include no
#               headers of CUDA need none.
#
# The files can include headers from their own folders, which become include folders of TARGET, and from those of TARGET.
function(cubind_add_kernels target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "EMBED;NAMESPACE;ARCHITECTURE;NVRTC" "INSTANTIATE;OPTIONS;TOOLKIT")
    if(NOT TARGET ${target})
        message(FATAL_ERROR "cubind_add_kernels: there is no target \"${target}\"; create it before the call")
    endif()
    if(NOT arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "cubind_add_kernels(${target}): name at least one .cu file")
    endif()
    if(arg_KEYWORDS_MISSING_VALUES)
        message(FATAL_ERROR "cubind_add_kernels(${target}): ${arg_KEYWORDS_MISSING_VALUES} has no value")
    endif()
    if(NOT TARGET cubind::gen)
        message(FATAL_ERROR "cubind_add_kernels(${target}): this cubind has no cubind-gen; install the package cubind-tools, build it "
            "with -DCUBIND_BUILD_GENERATOR=ON, or commit the headers that another machine has made")
    endif()
    set(kinds_source "")
    set(kinds_ptx ptx)
    set(kinds_cubin cubin)
    set(kinds_lto lto_ir)
    if(NOT arg_EMBED)
        set(arg_EMBED source)
    elseif(NOT DEFINED kinds_${arg_EMBED})
        message(FATAL_ERROR "cubind_add_kernels(${target}): EMBED ${arg_EMBED} is unknown; it is source, ptx, cubin or lto")
    endif()
    set(kind "${kinds_${arg_EMBED}}")
    if(kind AND NOT arg_ARCHITECTURE)
        message(FATAL_ERROR "cubind_add_kernels(${target}): EMBED ${arg_EMBED} requires ARCHITECTURE, such as sm_90")
    elseif(kind AND NOT TARGET cubind::compile)
        message(FATAL_ERROR "cubind_add_kernels(${target}): this cubind has no cubind-compile, which EMBED ${arg_EMBED} runs; "
            "build it with -DCUBIND_BUILD_TOOLS=ON, or use EMBED source")
    endif()
    if(NOT arg_TOOLKIT)
        find_path(CUBIND_TOOLKIT_INCLUDE_DIR cuda_fp16.h
            PATHS ENV CUDA_HOME ENV CUDA_PATH /usr/local/cuda PATH_SUFFIXES include NO_DEFAULT_PATH
            DOC "Folder of CUDA's headers, which .cu files can include")
        if(CUBIND_TOOLKIT_INCLUDE_DIR)
            set(arg_TOOLKIT ${CUBIND_TOOLKIT_INCLUDE_DIR} ${CUBIND_TOOLKIT_INCLUDE_DIR}/cccl)
        elseif(TARGET cubind::compile)
            set(arg_TOOLKIT nvrtc)
        endif()
    endif()

    set(folder ${CMAKE_CURRENT_BINARY_DIR}/cubind_kernels/${target})
    file(MAKE_DIRECTORY ${folder})
    set(environment "")
    if(arg_NVRTC)
        set(environment CUBIND_NVRTC_LIBRARY=${arg_NVRTC})
    endif()
    set(headers "")
    if("${arg_TOOLKIT}" STREQUAL "nvrtc")
        # One folder for all targets of the build that use this NVRTC, because the headers have 26 MB.
        string(MD5 id "${arg_NVRTC}")
        set(name cubind_nvrtc_headers_${id})
        set(toolkit ${CMAKE_BINARY_DIR}/${name})
        set(arg_TOOLKIT ${toolkit} ${toolkit}/cccl)
        set(headers ${name} ${toolkit}.stamp)
        if(NOT TARGET ${name})
            add_custom_command(
                OUTPUT ${toolkit}.stamp
                # The folders exist even if this NVRTC contains no headers. Kernels that include none are read without them.
                COMMAND ${CMAKE_COMMAND} -E make_directory ${toolkit}/cccl
                COMMAND ${CMAKE_COMMAND} -E env ${environment} $<TARGET_FILE:cubind::compile> --install-headers ${toolkit}
                COMMAND ${CMAKE_COMMAND} -E touch ${toolkit}.stamp
                DEPENDS cubind::compile ${arg_NVRTC}
                COMMENT "Writing the headers of CUDA that NVRTC contains" VERBATIM)
            add_custom_target(${name} DEPENDS ${toolkit}.stamp)
        endif()
    endif()
    # Without the folders of the system, whose headers NVRTC does not accept. With $<SEMICOLON>, because a list stores this.
    set(includes "$<FILTER:$<REMOVE_DUPLICATES:$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>>,EXCLUDE,^/usr(/local)?/include$>")
    set(options "$<$<BOOL:${includes}>:--include=$<JOIN:${includes},$<SEMICOLON>--include=>>")
    foreach(instance IN LISTS arg_INSTANTIATE)
        list(APPEND options --instantiate "${instance}")
    endforeach()
    foreach(option IN LISTS arg_OPTIONS)
        list(APPEND options "--option=${option}")
    endforeach()
    set(own_options "")
    foreach(toolkit IN LISTS arg_TOOLKIT)
        list(APPEND own_options --toolkit ${toolkit})
    endforeach()
    if(arg_NAMESPACE)
        list(APPEND own_options --namespace ${arg_NAMESPACE})
    endif()

    foreach(file IN LISTS arg_UNPARSED_ARGUMENTS)
        get_filename_component(file ${file} ABSOLUTE)
        get_filename_component(name ${file} NAME)
        get_target_property(names ${target} CUBIND_KERNEL_FILES)
        if(name IN_LIST names)
            message(FATAL_ERROR "cubind_add_kernels(${target}): two files are called ${name}, so that both would become ${name}.hpp; "
                "rename one of them")
        endif()
        set_property(TARGET ${target} APPEND PROPERTY CUBIND_KERNEL_FILES ${name})
        set(outputs ${folder}/${name}.hpp ${folder}/${name}.code.hpp)
        set(code "")
        set(compile "")
        set(compiler "")
        if(kind)
            set(compiler cubind::compile)
            set(code --code ${kind}:${folder}/${name}.${kind})
            set(compile COMMAND ${CMAKE_COMMAND} -E env ${environment} $<TARGET_FILE:cubind::compile> ${file} --kind ${kind} --arch ${arg_ARCHITECTURE}
                --output ${folder}/${name}.${kind} ${options})
        endif()
        add_custom_command(
            OUTPUT ${outputs}
            ${compile}
            COMMAND cubind::gen kernels ${file} --output ${folder}
                --depfile ${folder}/${name}.d ${own_options} ${code} ${options}
            DEPENDS ${file} cubind::gen ${compiler} ${headers}
            DEPFILE ${folder}/${name}.d
            COMMENT "Reading the kernels of ${name}"
            COMMAND_EXPAND_LISTS VERBATIM)
        target_sources(${target} PRIVATE ${outputs})
        # The header includes those headers of the file that declare types of its kernels.
        get_filename_component(folder_of_file ${file} DIRECTORY)
        target_include_directories(${target} PRIVATE ${folder_of_file})
    endforeach()
    target_include_directories(${target} PRIVATE ${folder})
    target_link_libraries(${target} PRIVATE cubind::kernels)
endfunction()
