// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace cubind {

namespace detail {

struct SearchOutcome;

}  // namespace detail

/// What the loader remembers about a library. Each part is set once and never changed afterwards.
struct LibraryState {
    const detail::SearchOutcome* outcome = nullptr;  ///< null until the first search ends; atomic
    int version = -1;                                ///< -1 until version() has asked for it; atomic
};

/// One row of the library table: how a vendor library is called and where it may be. Generated code defines
/// one `constinit` object per library. Lists end with a null pointer; a list that is itself null is empty.
struct Library {
    /// What messages call it, for example "nvrtc".
    const char* name = "";
    /// Variable that holds the absolute path of the file to load instead of searching; may be null.
    const char* environment_variable = nullptr;
    /// Sonames, preferred first. Never with a slash.
    const char* const* file_names = nullptr;
    /// Sonames of other majors, never opened: a missing library's message says where they are.
    const char* const* refused_file_names = nullptr;
    /// Folders below a site-packages folder, for example "nvidia/cu13/lib".
    const char* const* wheel_directories = nullptr;
    /// True for the libraries that belong to the driver: a copy from anywhere else would not fit the kernel
    /// module.
    bool from_os_loader_only = false;
    /// Exported function that tells the library's version and returns 0; null: there is none.
    const char* version_function = nullptr;
    /// True for `int f(int* major, int* minor)`, false for `int f(int* version)` with 1000 * major + 10 * minor.
    bool version_in_two_numbers = false;
    /// The major that version_function has to report: a library of another major is not used. 0: any will do.
    int major = 0;
    /// What a symbol is looked up as where the library does not export it under its own name; {symbol} stands for that
    /// name, for example "__{symbol}_12_0". May be null.
    const char* fallback_symbol = nullptr;
    /// What calls return when the library, or their symbol in it, is missing.
    int library_missing_status = 0;
    int symbol_missing_status = 0;

    LibraryState state = {};
};

/// Searches and opens the library unless that has been done; false, with last_failure() set, when it is
/// missing. A library is opened once and never closed, and a search that found nothing is not repeated.
bool load(Library& library) noexcept;

/// Absolute path of the loaded file (loads it if needed), null when it is missing. Leaves last_failure()
/// alone.
const char* library_path(Library& library) noexcept;

/// The step of the search that found the library (loads it if needed): "environment variable", "already
/// loaded", "Python wheel", "conda", "OS loader", "CUDA_PATH", "CUDA_HOME" or "default prefix"; null when it
/// is missing. Leaves last_failure() alone.
const char* library_found_via(Library& library) noexcept;

/// Version of the loaded file, 1000 * major + 10 * minor (loads it if needed); 0 when it is missing or cannot tell. The file
/// is asked once. Leaves last_failure() alone.
int version(Library& library) noexcept;

}  // namespace cubind
