// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "memory_file.hpp"
#include "spec/library.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const cubind::fuzz::MemoryFile file("library.json");
    cubind::fuzz::allow_only_input_errors(file, data, size,
                                          [](const std::filesystem::path& path) { cubind::gen::spec::read_library(path); });
    return 0;
}
