# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0

set(CUBIND_LIBRARY_SOURCES
    src/entry_points.cpp
    src/loading.cpp
    src/reflection.cpp
    src/strings.cpp
    src/functions.cpp
    src/variables.cpp
)
