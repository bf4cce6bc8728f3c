// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "search/site_packages.hpp"

namespace fs = std::filesystem;

// The input is a list of folder names separated by slashes. The search must find the valid folder beside them.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const fs::path root = [] {
        std::string folder = fs::temp_directory_path() / "cubind_fuzz_XXXXXX";
        if (mkdtemp(folder.data()) == nullptr) std::abort();
        return fs::path(folder);
    }();
    const fs::path lib = root / "lib";
    fs::create_directories(lib / "python3.12/site-packages");
    std::string name;
    std::error_code error;
    for (std::size_t at = 0; at <= size; ++at) {
        if (at < size && data[at] != '/' && data[at] != '\0') {
            name += static_cast<char>(data[at]);
            continue;
        }
        if (name != "." && name != ".." && !name.empty())
            fs::create_directories(lib / ("python3." + name) / "dist-packages", error);
        name.clear();
    }
    if (cubind::detail::site_packages_below(root).empty()) std::abort();
    fs::remove_all(root);
    return 0;
}
