// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "memory_file.hpp"
#include "spec/facts_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const cubind::fuzz::MemoryFile file("api.json");
    cubind::fuzz::allow_only_input_errors(file, data, size, [](const std::filesystem::path& path) {
        // Facts that can be read must survive writing and reading unchanged.
        const std::string text = cubind::gen::spec::facts_text(cubind::gen::spec::read_facts(path));
        static const cubind::fuzz::MemoryFile copy("api.json");
        copy.write(text.data(), text.size());
        if (cubind::gen::spec::facts_text(cubind::gen::spec::read_facts(copy.path())) != text) std::abort();
    });
    return 0;
}
