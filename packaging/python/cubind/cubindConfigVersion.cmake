# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0

# Versions with the same major and minor number are compatible if they are not older than the requested one.

set(PACKAGE_VERSION @CUBIND_VERSION@)
set(PACKAGE_VERSION_EXACT FALSE)
set(PACKAGE_VERSION_COMPATIBLE FALSE)
string(REGEX MATCH "^[0-9]+\\.[0-9]+" minor "${PACKAGE_VERSION}")
string(REGEX MATCH "^[0-9]+\\.[0-9]+" requested "${PACKAGE_FIND_VERSION}.0")
if(PACKAGE_FIND_VERSION VERSION_EQUAL PACKAGE_VERSION)
    set(PACKAGE_VERSION_EXACT TRUE)
endif()
if(minor VERSION_EQUAL requested AND PACKAGE_FIND_VERSION VERSION_LESS_EQUAL PACKAGE_VERSION)
    set(PACKAGE_VERSION_COMPATIBLE TRUE)
endif()
