// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Part of libcuda.so.1 only: writes its part of the report of CUBIND_SIM_REPORT when the process ends.
#include "shared/call_report.hpp"

#include <cstddef>
#include <exception>

#include "machine/symbols.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

[[gnu::destructor]] void write_call_report() noexcept {
    try {
        CallReport report("libcuda.so.1");
        std::size_t index = 0;
        for (const Symbol& symbol : all_symbols()) report.add(symbol.name, unsupported_calls(index++));
        report.write();
    } catch (const std::exception&) {  // no memory for the text
    }
}

}  // namespace

}  // namespace CUBIND_NAMESPACE::sim
