# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0

# find_package(cubind) for the Python package: adds the sources as a part of the project, with cubind's options and targets. Only
# what the project links is built.

if(NOT TARGET cubind::loader)
    add_subdirectory(${CMAKE_CURRENT_LIST_DIR}/../../../source ${CMAKE_BINARY_DIR}/cubind EXCLUDE_FROM_ALL)
endif()

foreach(component IN LISTS cubind_FIND_COMPONENTS)
    if(TARGET cubind::${component})
        set(cubind_${component}_FOUND TRUE)
    elseif(cubind_FIND_REQUIRED_${component})
        set(cubind_FOUND FALSE)
        string(APPEND cubind_NOT_FOUND_MESSAGE "The sources of cubind define no target cubind::${component} with these options. "
            "cubind::core needs libsodium (Debian's package libsodium-dev), cubind::sim the option CUBIND_BUILD_SIM=ON, and a library "
            "of CUDA its name in CUBIND_LIBRARIES. ")
    endif()
endforeach()
