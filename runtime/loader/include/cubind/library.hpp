// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

namespace CUBIND_NAMESPACE {

namespace detail {

struct SearchOutcome;

}  // namespace detail

/// Signature of Library::version_function. The functions of all forms but `returned` return 0 on success.
enum class VersionForm {
    one_number,     ///< `int f(int* version)`
    two_numbers,    ///< `int f(int* major, int* minor)`
    three_numbers,  ///< `int f(int* major, int* minor, int* patch)`
    properties,     ///< `int f(int property, int* part)`, called once for each part
    returned,       ///< `std::size_t f()`, which returns the version
};

/// The version of a library in one release of CUDA.
struct LibraryVersion {
    int release = 0;  ///< 1000 * major + 10 * minor; 0 at the end of a list
    int version = 0;  ///< 1000000 * major + 1000 * minor + patch
};

/// State of the loader for one library. Each member is set once and not changed afterwards, except by substitute().
struct LibraryState {
    const detail::SearchOutcome* outcome = nullptr;  ///< result of the search; null until the first search has ended; atomic
    int version = -1;                                ///< result of version(); -1 before its first call; atomic
};

/// One row of the library table: the names of a vendor library and the places to search. Generated code defines one
/// `constinit` object per library. Lists end with a null pointer; a list that is itself null is empty.
struct Library {
    /// Name in messages, for example "nvrtc".
    const char* name = "";
    /// Environment variable with the absolute path of the file to load instead of a search; may be null.
    const char* environment_variable = nullptr;
    /// Sonames in order of preference, without a slash.
    const char* const* file_names = nullptr;
    /// Sonames of other majors. They are never opened; the message about a missing library lists where they were found.
    const char* const* refused_file_names = nullptr;
    /// Folders below a site-packages folder in which wheels install the library, for example "nvidia/cu13/lib".
    const char* const* wheel_directories = nullptr;
    /// True for the libraries that belong to the driver: a copy from any other place would not match the driver's kernel
    /// module.
    bool from_os_loader_only = false;
    /// Exported function that writes or returns the library's version; null if there is none.
    const char* version_function = nullptr;
    /// Signature of version_function.
    VersionForm version_form = VersionForm::one_number;
    /// Weights of major, minor and patch in a version that is one number, for example {1000, 100, 1} if 12514 is 12.5.14; a
    /// weight of 0 means that the number does not hold the part.
    int version_weights[3] = {1000, 10, 0};
    /// Values of the `property` argument of VersionForm::properties that select major, minor and patch.
    int version_properties[3] = {};
    /// Number of valid elements of version_properties.
    int version_property_count = 0;
    /// Name that precedes a release in messages, as in "CUDA 12.4".
    const char* product = "CUDA";
    /// True if EntryPoint::since and version() are versions of the library; false if they are releases of CUDA.
    bool has_own_releases = false;
    /// The library's version in each release of CUDA, oldest first, up to an empty entry. version() derives the release from it.
    /// Null if version_function reports the release of CUDA, or if the library has releases of its own.
    const LibraryVersion* versions = nullptr;
    /// Major that version() must have. A library of another major is not used. 0 accepts every major.
    int major = 0;
    /// Oldest version() that is used. An older library is refused, because callers of its functions must allocate larger records.
    /// 0 accepts every version.
    int oldest = 0;
    /// First later version() that is not used, because its functions or types have changed. 0 accepts every version.
    int refused_from = 0;
    /// Pattern of the name that is looked up if the library does not export a symbol under its own name, for example
    /// "__{symbol}_12_0"; {symbol} is replaced by the symbol. May be null.
    const char* fallback_symbol = nullptr;
    /// Status that calls return if the library is missing.
    int library_missing_status = 0;
    /// Status that calls return if the library does not export the function.
    int symbol_missing_status = 0;

    /// State of the loader.
    LibraryState state = {};
};

/// Searches for the library and opens it on the first call (dlopen). Returns false and sets last_failure() if it is missing. A
/// library is opened once and never closed, and a failed search is not repeated unless it failed because memory or file
/// descriptors were exhausted. Any thread may call it.
CUBIND_EXPORT bool load(Library& library) noexcept;

/// Returns the absolute path of the loaded file; null if the library is missing. Loads the library if needed. Does not change
/// last_failure().
CUBIND_EXPORT const char* library_path(Library& library) noexcept;

/// Returns the step of the search that found the library: "environment variable", "already loaded", "Python wheel", "conda",
/// a variable of the product such as "CUDNN_PATH", "OS loader", "CUDA_PATH", "CUDA_HOME", "toolkit of libcudart", "default
/// prefix" or "versioned prefix"; null if the library is missing. Loads the library if needed. Does not change last_failure().
CUBIND_EXPORT const char* library_found_via(Library& library) noexcept;

/// Returns one line for each file that the search passed over before it found the library, with the reason, and for each setting
/// that may not have the expected effect; "" if there are none, null if the library is missing (the lines are then part of
/// last_failure()). Loads the library if needed. Does not change last_failure().
CUBIND_EXPORT const char* library_search_notes(Library& library) noexcept;

/// Returns the release of CUDA that the loaded file belongs to, 1000 * major + 10 * minor; for a library with releases of its own
/// its version, 1000000 * major + 1000 * minor + patch. 0 if the library is missing or does not report a version. Loads the
/// library if needed and calls its version_function once. Does not change last_failure().
CUBIND_EXPORT int version(Library& library) noexcept;

}  // namespace CUBIND_NAMESPACE
