// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <fstream>

#include "memory_file.hpp"
#include "model/build.hpp"

namespace {

// Writes a library.json and an overrides.json that accept any api.json beside them.
void write_library_files(const std::filesystem::path& folder) {
    std::ofstream(folder / "library.json")
        << R"({"library": "toy", "title": "Toy", "headers": ["toy.h"], "release": {"header": "toy.h", "macro": "TOY_VERSION"},)"
        << R"("status": {"type": "toyStatus", "library_missing": "TOY_ABSENT", "symbol_missing": "TOY_ABSENT"},)"
        << R"("loading": {"file_names": ["libtoy.so.1"]}, "documentation": "https://example.com/{group}"})";
    std::ofstream(folder / "overrides.json") << "{}";
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const cubind::fuzz::MemoryFile file("api.json");
    [[maybe_unused]] static const bool is_ready = (write_library_files(file.path().parent_path()), true);
    cubind::fuzz::allow_only_input_errors(file, data, size, [](const std::filesystem::path& path) {
        cubind::gen::model::build(path.parent_path().parent_path(), "toy");
    });
    return 0;
}
