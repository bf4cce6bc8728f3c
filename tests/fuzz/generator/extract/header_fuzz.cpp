// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include "extract/extractor.hpp"
#include "memory_file.hpp"
#include "spec/facts_file.hpp"
#include "token_mutator.hpp"

using namespace cubind::gen;

namespace {

spec::LibraryConfig toy_config() {
    spec::LibraryConfig config;
    config.library = "toy";
    config.headers = {"toy.h"};
    config.views = {{"per_thread", {"TOY_PER_THREAD"}}};
    return config;
}

}  // namespace

// Checks that the facts of every header that clang can parse can be written and read.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const cubind::fuzz::MemoryFile header("toy.h");
    cubind::fuzz::allow_only_input_errors(header, data, size, [](const std::filesystem::path& path) {
        extract::Comments comments;
        const std::string text = spec::facts_text(extract::extract(toy_config(), {path.parent_path(), BASE}, "13.4", &comments));
        static const cubind::fuzz::MemoryFile facts("api.json");
        facts.write(text.data(), text.size());
        spec::read_facts(facts.path());
    });
    return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed) {
    const std::string text = cubind::fuzz::mutate_tokens(std::string(reinterpret_cast<const char*>(data), size), seed);
    const std::size_t copied_size = std::min(text.size(), max_size);
    std::memcpy(data, text.data(), copied_size);
    return copied_size;
}
