// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// The mark of the simulation, which nvml.h does not declare, and the report of calls.
#include <cstring>
#include <exception>

#include "shared/call_report.hpp"
#include "support/symbols.hpp"

namespace CUBIND_NAMESPACE::sim::management {

namespace {

[[gnu::destructor]] void write_call_report() noexcept {
    try {
        CallReport report("libnvidia-ml.so.1");
        std::size_t index = 0;
        for (const Symbol& symbol : all_symbols()) report.add(symbol.name, unsupported_calls(index++));
        report.write();
    } catch (const std::exception&) {  // no memory for the text
    }
}

}  // namespace

extern "C" {

// No other management library exports it. Returns the number of calls of symbols that are not simulated, of one symbol or, if the
// name is null, of all.
[[gnu::visibility("default")]] unsigned long nvmlCubindSimulation(const char* name) {
    unsigned long calls = 0;
    std::size_t index = 0;
    for (const Symbol& symbol : all_symbols()) {
        const unsigned long count = unsupported_calls(index++);
        if (name == nullptr || std::strcmp(symbol.name, name) == 0) calls += count;
    }
    return calls;
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim::management
