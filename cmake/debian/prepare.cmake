# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0

# Adds what Debian wants in each package to the installed files, before CPack packs them: man pages, changelogs, the copyright, what
# lintian is told, and the names of the shared libraries for other packages. CPack runs it in its own scope, after the installation.

cmake_policy(VERSION 3.22)
find_program(HELP2MAN help2man)
find_program(GZIP gzip)
find_program(SHLIBDEPS dpkg-shlibdeps)
if(NOT HELP2MAN OR NOT GZIP OR NOT SHLIBDEPS)
    message(FATAL_ERROR "cubind: cpack needs help2man, gzip and dpkg-shlibdeps; install help2man, gzip and dpkg-dev")
endif()
set(stage ${CPACK_TEMPORARY_DIRECTORY})
set(here ${CMAKE_CURRENT_LIST_DIR})

# Writes a text, compressed as Debian wants it: at the highest level and without a date.
function(write_compressed file text)
    file(WRITE ${file} "${text}")
    execute_process(COMMAND ${GZIP} -9nf ${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)  # that of SOURCE_DATE_EPOCH, if it is set
set(changelog "cubind (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium

  * Packages of cubind ${CPACK_PACKAGE_VERSION}. What changed is in changelog.gz of libcubind-dev.

 -- ${CPACK_DEBIAN_PACKAGE_MAINTAINER}  ${date}
")
foreach(part LIBRARIES DEV SIMULATION PROGRAMS)
    string(TOLOWER ${part} folder)
    if(NOT IS_DIRECTORY ${stage}/${folder})
        continue()
    endif()
    set(name ${CPACK_DEBIAN_${part}_PACKAGE_NAME})
    set(documents ${stage}/${folder}/usr/share/doc/${name})
    write_compressed(${documents}/changelog.Debian "${changelog}")
    configure_file(${here}/copyright ${documents}/copyright COPYONLY)
    if(EXISTS ${here}/${folder}.lintian-overrides)
        configure_file(${here}/${folder}.lintian-overrides ${stage}/${folder}/usr/share/lintian/overrides/${name} COPYONLY)
    endif()
endforeach()
file(READ ${CPACK_CUBIND_SOURCE_DIR}/CHANGELOG.md changes)
write_compressed(${stage}/dev/usr/share/doc/libcubind-dev/changelog "${changes}")

# ldconfig runs once at the end of an installation, and packages of programs that link the libraries depend on this package.
file(GLOB_RECURSE libraries RELATIVE ${stage}/libraries ${stage}/libraries/*/libcubind_*.so.*)
set(shlibs "")
foreach(library IN LISTS libraries)
    if(library MATCHES "/(libcubind_[a-z]+)\\.so\\.([0-9]+\\.[0-9]+)$")
        string(APPEND shlibs "${CMAKE_MATCH_1} ${CMAKE_MATCH_2} ${CPACK_DEBIAN_LIBRARIES_PACKAGE_NAME} (>= ${CPACK_PACKAGE_VERSION})\n")
        get_filename_component(library_folder ${stage}/libraries/${library} DIRECTORY)
    endif()
endforeach()
set(control ${CPACK_TOPLEVEL_DIRECTORY}/control)
file(WRITE ${control}/shlibs "${shlibs}")
file(WRITE ${control}/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_LIBRARIES_PACKAGE_CONTROL_EXTRA ${control}/shlibs ${control}/triggers)

# Adds the packages of the libraries that the files of each package need. Those of cubind are stated in packages.cmake.
file(WRITE ${control}/debian/control "")  # dpkg-shlibdeps wants one
foreach(part LIBRARIES SIMULATION PROGRAMS)
    string(TOLOWER ${part} folder)
    file(GLOB_RECURSE binaries LIST_DIRECTORIES false ${stage}/${folder}/usr/bin/* ${stage}/${folder}/*.so ${stage}/${folder}/*.so.*)
    list(FILTER binaries EXCLUDE REGEX "\\.so\\.[0-9]+\\.[0-9]+$")  # links
    if(binaries)
        list(GET binaries 0 binary)
        get_filename_component(own_folder ${binary} DIRECTORY)
        execute_process(
            COMMAND ${SHLIBDEPS} -l${library_folder} -l${own_folder} --ignore-missing-info -O ${binaries}
            WORKING_DIRECTORY ${control} OUTPUT_VARIABLE depends ERROR_VARIABLE error RESULT_VARIABLE result OUTPUT_STRIP_TRAILING_WHITESPACE)
        if(NOT result EQUAL 0)
            message(FATAL_ERROR "cubind: dpkg-shlibdeps could not find what ${folder} needs: ${error}")
        endif()
        string(REGEX REPLACE "^shlibs:Depends=" "" depends "${depends}")
        if(CPACK_DEBIAN_${part}_PACKAGE_DEPENDS)
            string(APPEND depends ", ${CPACK_DEBIAN_${part}_PACKAGE_DEPENDS}")
        endif()
        if(depends MATCHES "libclang1-([0-9]+)")  # cubind-gen reads headers of CUDA, which include those of the compiler
            string(APPEND depends ", libclang-common-${CMAKE_MATCH_1}-dev")
        endif()
        set(CPACK_DEBIAN_${part}_PACKAGE_DEPENDS "${depends}")
    endif()
endforeach()

# Man pages say what --help says.
set(purpose_cubind-info "prints which CUDA libraries a machine has, and what is wrong with them")
set(purpose_cubind-compile "compiles CUDA C++ with NVRTC")
set(purpose_cubind-prof "tells where the time of a program that uses CUDA goes")
set(purpose_cubind-sim "runs a program on a simulated CUDA driver")
set(purpose_cubind-gen "turns headers of CUDA into specs, and specs and kernels into C++")
set(help_cubind-gen --help-option=--help-all)
file(GLOB programs ${stage}/programs/usr/bin/*)
foreach(program IN LISTS programs)
    get_filename_component(name ${program} NAME)
    execute_process(
        COMMAND ${CMAKE_COMMAND} -E env LC_ALL=C.UTF-8 LD_LIBRARY_PATH=${library_folder}
            ${HELP2MAN} --no-info --section=1 --no-discard-stderr ${help_${name}} --version-string=${CPACK_PACKAGE_VERSION}
            --source=cubind --name=${purpose_${name}} ${program}
        OUTPUT_VARIABLE page COMMAND_ERROR_IS_FATAL ANY)
    write_compressed(${stage}/programs/usr/share/man/man1/${name}.1 "${page}")
endforeach()
