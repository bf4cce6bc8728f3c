// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The namespace and the visibility of everything that cubind links into a program.

#include <cubind/version.hpp>

#define CUBIND_DETAIL_VERSIONED_NAMESPACE(major, minor) cubind::inline v##major##_##minor
#define CUBIND_DETAIL_EXPAND_NAMESPACE(major, minor) CUBIND_DETAIL_VERSIONED_NAMESPACE(major, minor)

/// Opens namespace cubind: `namespace CUBIND_NAMESPACE::driver {`. Programs write `cubind::driver`. The version is part of each
/// symbol's name (`cubind::v0_1::driver`), so that libraries that contain different versions of cubind share no symbol when one
/// process loads them. Versions with the same major and minor number are compatible.
#define CUBIND_NAMESPACE CUBIND_DETAIL_EXPAND_NAMESPACE(CUBIND_VERSION_MAJOR, CUBIND_VERSION_MINOR)

/// Marks a declaration of a public header as exported. Shared libraries of cubind are compiled with hidden visibility, so that
/// they export these declarations alone; CMake targets and pkg-config files of shared libraries define CUBIND_SHARED_LIBRARIES.
/// Static libraries follow the visibility of the program or library that contains them.
#if defined(CUBIND_SHARED_LIBRARIES)
#define CUBIND_EXPORT [[gnu::visibility("default")]]
#else
#define CUBIND_EXPORT
#endif

/// Marks each variable that a public header defines: inline variables, variable templates, and static variables of classes and
/// functions. g++ makes the symbol of such a variable unique in the process, and the OS loader never unloads a plugin that
/// exports a unique symbol. -fvisibility=hidden does not apply to variable templates, nor to static members of exported classes.
#define CUBIND_HIDDEN [[gnu::visibility("hidden")]]
