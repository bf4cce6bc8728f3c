// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Symbols that the runtime library exports and no header declares: internal functions of NVIDIA's tools. Also the mark of the
// simulation, and the report of calls.
#include <cstring>
#include <exception>

#include "shared/call_report.hpp"
#include "support/symbols.hpp"

#define CUBIND_SIM_EXPORT [[gnu::visibility("default")]]

// Each symbol that is not simulated, in the order of the names.
// clang-format off
#define CUBIND_SIM_UNDECLARED(each) \
    each(__cudaGetProcAddress) \
    each(__cudaRegisterHostVar) \
    each(__cudaRegisterUnifiedTable) \
    each(cudaSubgridCreate) \
    each(cudaSubgridWorkerGridCreate) \
    each(cudaSubgridWorksetCreate)
// clang-format on

namespace CUBIND_NAMESPACE::sim::cudart {

namespace {

namespace index_of {
enum : std::size_t {
#define CUBIND_SIM_INDEX(symbol) symbol,
    CUBIND_SIM_UNDECLARED(CUBIND_SIM_INDEX)
#undef CUBIND_SIM_INDEX
};
}  // namespace index_of

std::size_t count_index(std::size_t index) noexcept {
    return static_cast<std::size_t>(all_symbols().end() - all_symbols().begin()) + index;
}

}  // namespace

extern "C" {

// The parameters, which differ from symbol to symbol, are ignored.
#define CUBIND_SIM_DEFINE(symbol)                                  \
    CUBIND_SIM_EXPORT cudaError_t symbol() {                       \
        return refuse<cudaError_t>(count_index(index_of::symbol)); \
    }
CUBIND_SIM_UNDECLARED(CUBIND_SIM_DEFINE)
#undef CUBIND_SIM_DEFINE

// The mark of the simulation: no other runtime library exports it. Returns the number of calls of symbols that are not simulated,
// of one symbol or, if the name is null, of all.
CUBIND_SIM_EXPORT unsigned long cudaCubindSimulation(const char* name) {
    unsigned long calls = 0;
    std::size_t index = 0;
    for (const Symbol& symbol : all_symbols()) {
        const unsigned long count = unsupported_calls(index++);
        if (name == nullptr || std::strcmp(symbol.name, name) == 0) calls += count;
    }
#define CUBIND_SIM_COUNT(symbol) \
    if (name == nullptr || std::strcmp(#symbol, name) == 0) calls += unsupported_calls(count_index(index_of::symbol));
    CUBIND_SIM_UNDECLARED(CUBIND_SIM_COUNT)
#undef CUBIND_SIM_COUNT
    return calls;
}

}  // extern "C"

namespace {

[[gnu::destructor]] void write_call_report() noexcept {
    try {
        CallReport report("libcudart.so.13");
        std::size_t index = 0;
        for (const Symbol& symbol : all_symbols()) report.add(symbol.name, unsupported_calls(index++));
#define CUBIND_SIM_ADD(symbol) report.add(#symbol, unsupported_calls(count_index(index_of::symbol)));
        CUBIND_SIM_UNDECLARED(CUBIND_SIM_ADD)
#undef CUBIND_SIM_ADD
        report.write();
    } catch (const std::exception&) {  // no memory for the text
    }
}

}  // namespace

}  // namespace CUBIND_NAMESPACE::sim::cudart
