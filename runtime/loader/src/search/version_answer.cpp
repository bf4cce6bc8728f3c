// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "search/version_answer.hpp"

#include <cstddef>
#include <limits>

#include "platform/dynamic_library.hpp"
#include "platform/loader_error.hpp"

namespace CUBIND_NAMESPACE::detail {

namespace {

struct Parts {
    int numbers[3] = {};  // major, minor and patch
};

// Splits a number into parts by the library's weights.
Parts split(const Library& library, std::size_t number) {
    Parts parts;
    std::size_t rest = number;
    for (int index = 0; index < 3; ++index) {
        const auto weight = static_cast<std::size_t>(library.version_weights[index]);
        if (weight == 0) break;
        parts.numbers[index] = static_cast<int>(rest / weight);
        rest %= weight;
    }
    return parts;
}

// Calls the version function. Returns its status.
int call(const Library& library, void* function, Parts& parts) {
    int* const numbers = parts.numbers;
    int status = 0;
    switch (library.version_form) {
        case VersionForm::one_number: {
            int number = 0;
            status = reinterpret_cast<int (*)(int*)>(function)(&number);
            parts = split(library, static_cast<std::size_t>(number > 0 ? number : 0));
            return status;
        }
        case VersionForm::two_numbers:
            return reinterpret_cast<int (*)(int*, int*)>(function)(&numbers[0], &numbers[1]);
        case VersionForm::three_numbers:
            return reinterpret_cast<int (*)(int*, int*, int*)>(function)(&numbers[0], &numbers[1], &numbers[2]);
        case VersionForm::properties:
            for (int index = 0; index < library.version_property_count && status == 0; ++index) {
                status = reinterpret_cast<int (*)(int, int*)>(function)(library.version_properties[index], &numbers[index]);
            }
            return status;
        case VersionForm::returned:
            parts = split(library, reinterpret_cast<std::size_t (*)()>(function)());
            return 0;
    }
    return status;
}

// Returns the release of CUDA that has a version of the library. A version between two entries of the list belongs to the
// earlier release, unless only the later entry has the same major and minor, because patches also appear between releases.
// Returns the first release for a version older than all entries.
int release_of(const LibraryVersion* versions, int version) {
    const LibraryVersion* found = versions;
    for (const LibraryVersion* each = versions; each->release != 0; ++each) {
        const bool is_patched = found->version / 1000 != version / 1000 && each->version / 1000 == version / 1000;
        if (each->version <= version || is_patched) found = each;
    }
    return found->release;
}

}  // namespace

VersionAnswer ask_version(const Library& library, const SearchOutcome& found) {
    const char* const name = library.version_function;
    void* const function = found.find != nullptr ? found.find(name) : find_symbol(found.handle, name);
    if (function == nullptr) {
        if (found.find == nullptr) take_loader_error();
        return {.problem = std::string("does not export ") + library.version_function};
    }
    Parts parts;
    const int status = call(library, function, parts);
    if (status != 0) {
        return {.problem = std::string(library.version_function) + " failed with status " + std::to_string(status)};
    }
    const auto& [major, minor, patch] = parts.numbers;
    const long long number = 1000000LL * major + 1000LL * minor + patch;
    if (number < 0 || number > std::numeric_limits<int>::max()) {
        return {.problem = std::string(library.version_function) + " states the version " + std::to_string(major) + "." +
                           std::to_string(minor) + "." + std::to_string(patch) + ", which no release has"};
    }
    const int version = static_cast<int>(number);
    if (library.has_own_releases) return {.version = version, .problem = {}};
    if (library.versions != nullptr) return {.version = release_of(library.versions, version), .problem = {}};
    return {.version = 1000 * major + 10 * minor, .problem = {}};
}

int version_major(const Library& library, int version) {
    return version / (library.has_own_releases ? 1000000 : 1000);
}

std::string version_name(const Library& library, int version) {
    std::string text = std::string(library.product) + " " + std::to_string(version_major(library, version)) + ".";
    if (!library.has_own_releases) return text + std::to_string(version % 1000 / 10);
    return text + std::to_string(version / 1000 % 1000) + "." + std::to_string(version % 1000);
}

}  // namespace CUBIND_NAMESPACE::detail
