// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "simulated_run.hpp"

#include <cstdlib>
#include <memory>
#include <string_view>

#include "entry/symbols.hpp"
#include "machine/machine.hpp"

namespace cubind::fuzz {

namespace {

// A release may lack the symbol, but its function is there.
const sim::Symbol& symbol_of(const Function& function) {
    for (const sim::Symbol& symbol : sim::all_symbols()) {
        if (std::string_view(symbol.name) == function.name) return symbol;
    }
    std::abort();
}

const Function& function_called(std::string_view name) {
    for (const Function& function : functions()) {
        if (function.name == name) return function;
    }
    std::abort();
}

}  // namespace

SimulatedRun::SimulatedRun(Choices& choices, Pools& pools) {
    pools.clear();
    constexpr std::size_t sizes[] = {std::size_t{16} << 20, std::size_t{64} << 20, 0, 4096};
    sim::Options options;
    options.devices = static_cast<int>(choices.below(3) + 1);
    options.memory = sizes[choices.one_in(8) ? choices.below(4) : 0];
    if (choices.one_in(16)) options.release = "12.4";
    sim::replace_machine(std::make_unique<sim::Machine>(options));
    if (choices.one_in(16)) return;
    static auto* const initialize = reinterpret_cast<driver::CUresult (*)(unsigned)>(address_of(function_called("cuInit")));
    initialize(0);
    // With a context to begin with, most calls find one.
    static const Function& create = function_called("cuCtxCreate_v2");
    Caller caller(choices, pools);
    for (int attempt = 0; attempt < 4; ++attempt) caller.call(create, address_of(create));
}

SimulatedRun::~SimulatedRun() {
    sim::replace_machine(nullptr);
}

void* address_of(const Function& function) {
    return symbol_of(function).address;
}

bool has_behaviour(const Function& function) {
    return symbol_of(function).has_behaviour;
}

}  // namespace cubind::fuzz
