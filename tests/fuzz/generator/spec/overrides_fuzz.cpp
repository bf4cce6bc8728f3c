// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include "memory_file.hpp"
#include "spec/overrides.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const cubind::fuzz::MemoryFile file("overrides.json");
    cubind::fuzz::allow_only_input_errors(file, data, size,
                                          [](const std::filesystem::path& path) { cubind::gen::spec::read_overrides(path); });
    return 0;
}
