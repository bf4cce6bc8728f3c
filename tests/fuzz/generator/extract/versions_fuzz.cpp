// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include "extract/header_set.hpp"
#include "extract/versions.hpp"

using namespace cubind::gen;

// Each line of the input is used both as the name of a function pointer type and as the name of a function.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const extract::HeaderText names(std::string(reinterpret_cast<const char*>(data), size));
    extract::VersionCollector versions;
    spec::Facts facts;
    for (unsigned line = 1; line <= names.line_count(); ++line) {
        const std::string name(names.line(line));
        versions.collect(name);
        facts.functions.emplace_back().name = name;
    }
    versions.apply(facts);
    return 0;
}
