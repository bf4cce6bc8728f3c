// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "extract/header_release.hpp"
#include "memory_file.hpp"
#include "spec/release.hpp"

using namespace cubind::gen;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const cubind::fuzz::MemoryFile file("toy.h");
    cubind::fuzz::allow_only_input_errors(file, data, size, [](const std::filesystem::path& path) {
        if (spec::release_number(extract::release_of(path, "TOY_VERSION")) == 0) std::abort();
    });
    return 0;
}
