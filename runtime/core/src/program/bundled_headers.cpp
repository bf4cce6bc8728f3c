// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "program/bundled_headers.hpp"

#include <cubind/nvrtc/bundled_headers.hpp>
#include <cubind/nvrtc/strings.hpp>

#include <chrono>
#include <filesystem>
#include <system_error>

#include "errors/misuse.hpp"
#include "platform/process.hpp"
#include "program/cache/cache_folder.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

namespace fs = std::filesystem;

constexpr int first_release = 13030;

/// A folder of all installed headers, and the name of the folder in it for this NVRTC.
struct Place {
    std::string parent;
    std::string name;
};

/// Returns an empty place if NVRTC contains no headers.
Place place_of(int version) {
    if (version < first_release) return {};
    const auto info = nvrtc::nvrtcGetBundledHeadersInfo();
    if (!info.ok() || info.value1.available == 0) return {};
    const auto& facts = info.value1;
    // Builds of one release differ in their numbers of files or bytes.
    return {default_cache_folder("headers"),
            concat("", facts.cudaVersionMajor, ".", facts.cudaVersionMinor, "-", facts.numFiles, "-", facts.uncompressedSize)};
}

/// Removes what processes that were killed have left.
void remove_old_folders(const fs::path& parent) {
    constexpr auto age = std::chrono::hours(1);
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(parent, ignored)) {
        const bool is_temporary = entry.path().filename().string().starts_with('.');
        if (is_temporary && fs::file_time_type::clock::now() - entry.last_write_time(ignored) > age)
            fs::remove_all(entry.path(), ignored);
    }
}

/// Removes a folder with its content when it is destroyed. A folder that was renamed is not there any more.
class TemporaryFolder {
public:
    explicit TemporaryFolder(fs::path path) : path_(std::move(path)) {}
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    const fs::path& path() const noexcept { return path_; }

private:
    fs::path path_;
};

BundledHeaders installed_at(const Place& place) {
    if (place.name.empty() || place.parent.empty()) return {};
    const std::string folder = (fs::path(place.parent) / place.name).string();
    OpenedFolder opened = open_cache_folder(folder, false);
    if (!opened.problem.empty()) return {.problem = std::move(opened.problem)};
    return opened.descriptor ? BundledHeaders{.folder = folder} : BundledHeaders{};
}

}  // namespace

BundledHeaders installed_bundled_headers(int version) {
    return installed_at(place_of(version));
}

BundledHeaders install_bundled_headers(int version) {
    const Place place = place_of(version);
    if (BundledHeaders found = installed_at(place); !found.folder.empty() || !found.problem.empty()) return found;
    if (place.name.empty()) return {};
    if (OpenedFolder parent = open_cache_folder(place.parent, true); !parent.problem.empty())
        return {.problem = std::move(parent.problem)};
    remove_old_folders(place.parent);
    const TemporaryFolder temporary(fs::path(place.parent) / concat(".", place.name, ".", process_id()));
    const auto installed = nvrtc::nvrtcInstallBundledHeaders(temporary.path().c_str(), 0);
    if (!installed.ok()) {
        const char* const log = installed.value != nullptr ? installed.value : "";
        return {.problem = concat("NVRTC did not install its headers in ", place.parent, ": ", nvrtc::to_string(installed.status),
                                  " ", log)};
    }
    std::error_code error;
    fs::rename(temporary.path(), fs::path(place.parent) / place.name, error);
    // Another process may have been faster. Its folder has the same content.
    BundledHeaders found = installed_at(place);
    if (found.folder.empty() && found.problem.empty())
        found.problem = concat("the folder ", place.parent, "/", place.name, ": ", error.message());
    return found;
}

}  // namespace CUBIND_NAMESPACE::detail
