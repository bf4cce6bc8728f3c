// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

/// @file
/// Search for the files of CUDA: shared, static and bitcode libraries, headers, and programs. docs/finding-libraries.md describes
/// the places, their order, and the files that are refused.
///
///     const Location nvrtc = locate(ArtifactKind::library, "nvrtc");
///     if (nvrtc.ok()) std::printf("%s, found via %s\n", nvrtc.path.c_str(), nvrtc.found_via.c_str());
///     else            std::fputs(nvrtc.message.c_str(), stderr);
///
/// No result is cached, so that each call reads the environment and the file system again. The functions throw std::bad_alloc if
/// memory or file descriptors are exhausted, and nothing else. Any thread may call them.
namespace CUBIND_NAMESPACE {

/// The kinds of files and folders that can be located.
enum class ArtifactKind : unsigned char {
    library,          ///< a shared library
    headers,          ///< a folder for the compiler's include path
    static_library,   ///< a static library
    bitcode_library,  ///< a library of LLVM bitcode for GPUs
    program,          ///< an executable program
};

/// Result of a search.
enum class FindStatus : unsigned char {
    found,           ///< the artifact was found
    unknown_name,    ///< the catalogue has no artifact of this kind with this name
    wrong_platform,  ///< NVIDIA does not publish the artifact for this operating system and processor
    not_found,       ///< the artifact exists for this platform, and no place has a usable one
};

/// Where an artifact is, or why it was not found.
struct Location {
    FindStatus status = FindStatus::not_found;  ///< result of the search
    std::string path = {};                      ///< absolute path of the file, or of the folder of headers; empty if not found
    /// The step that found it: "environment variable", "already loaded", "Python wheel", "conda", a variable of the product such
    /// as "CUDNN_PATH", "OS loader", "CUDA_PATH", "CUDA_HOME", "toolkit of libcudart", "default prefix", "versioned prefix" or
    /// "system folder"; empty if not found.
    std::string found_via = {};
    /// Version in the name of the file without symbolic links, for example "13.0.88" or "13", or otherwise of its toolkit's
    /// folder, such as "13.0" of cuda-13.0; empty if neither has one.
    std::string version = {};
    /// One sentence for each file that was passed over, with the reason, and for each setting that may not have the expected
    /// effect, such as a variable that names no folder. Empty if the search is unambiguous.
    std::vector<std::string> notes = {};
    /// Why the artifact was not found: a first line with the remedy, then one line for each place. Empty if found.
    std::string message = {};

    /// Returns whether the artifact was found.
    bool ok() const noexcept { return status == FindStatus::found; }
};

/// Searches for an artifact. Checks libraries by their ELF headers and opens none. The name is one of known_names().
CUBIND_EXPORT Location locate(ArtifactKind kind, std::string_view name);

/// Searches for libraries that are used together. The locations have the order of the names. If the usual order of places finds
/// libraries of the toolkit in several toolkits, takes them all from the first of these toolkits that has them all. If none has,
/// adds a note that toolkits are mixed.
CUBIND_EXPORT std::vector<Location> locate_together(std::span<const std::string_view> libraries);

/// A library that load_library() has loaded.
struct LoadedLibrary {
    Location location = {};   ///< where it is, or why it was not loaded
    void* handle = nullptr;   ///< handle for dlsym(), which stays open as long as the process; null if it was not loaded
    bool was_loaded = false;  ///< whether the process had loaded the library before the call
};

/// Searches for a library and loads it (dlopen, RTLD_NOW and RTLD_LOCAL). First loads the libraries on which it depends,
/// preferably from the same toolkit. If the process has loaded the library before, returns the loaded copy.
CUBIND_EXPORT LoadedLibrary load_library(std::string_view name);

/// Returns the names of a kind that the catalogue has for this platform, in the order of the catalogue.
CUBIND_EXPORT std::vector<std::string_view> known_names(ArtifactKind kind);

/// Returns a text about every artifact with this name: where it is, its notes, and all places that were searched before it, one
/// line each, with the reason why they were passed over. Opens no library.
CUBIND_EXPORT std::string diagnose(std::string_view name);

}  // namespace CUBIND_NAMESPACE
