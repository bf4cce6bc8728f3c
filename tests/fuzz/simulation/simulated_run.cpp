// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "simulated_run.hpp"

#include <chrono>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "machine/machine.hpp"
#include "machine/symbols.hpp"

namespace cubind::fuzz {

namespace {

// Finds the symbol even if the simulated release does not export it.
const sim::Symbol& symbol_of(const Function& function) {
    for (const sim::Symbol& symbol : sim::all_symbols()) {
        if (std::string_view(symbol.name) == function.name) return symbol;
    }
    std::abort();
}

const Function& function_named(std::string_view name) {
    for (const Function& function : functions()) {
        if (function.name == name) return function;
    }
    std::abort();
}

// The time that a call may wait before its context is destroyed. Most calls that wait for running work return sooner.
constexpr auto max_wait = std::chrono::milliseconds(20);

template <class Signature>
Signature* driver_function(std::string_view name) {
    return reinterpret_cast<Signature*>(address_of(function_named(name)));
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
    wait_ender_ = std::thread([this] { end_waits(); });
    if (choices.one_in(16)) return;
    static auto* const initialize = driver_function<driver::CUresult(unsigned)>("cuInit");
    initialize(0);
    // Most later calls need a context.
    static const Function& create = function_named("cuCtxCreate_v2");
    Caller caller(choices, pools);
    for (int attempt = 0; attempt < 4; ++attempt) caller.call(create, address_of(create));
}

SimulatedRun::~SimulatedRun() {
    {
        const std::lock_guard lock(mutex_);
        is_over_ = true;
        changed_.notify_all();
    }
    wait_ender_.join();
    sim::replace_machine(nullptr);
}

void SimulatedRun::end_waits() {
    static auto* const destroy = driver_function<driver::CUresult(driver::CUcontext)>("cuCtxDestroy_v2");
    static auto* const reset = driver_function<driver::CUresult(driver::CUdevice)>("cuDevicePrimaryCtxReset_v2");
    std::unique_lock lock(mutex_);
    for (std::uint64_t seen = Caller::finished(); !changed_.wait_for(lock, max_wait, [this] { return is_over_; });
         seen = Caller::finished()) {
        if (seen != Caller::finished()) continue;
        // Deactivates all contexts first, because work of one context may wait for work of another.
        for (const auto& context : sim::machine().contexts.all()) context->deactivate(std::chrono::seconds(0));
        for (const auto& context : sim::machine().contexts.all()) destroy(context->handle);
        for (const auto& device : sim::machine().devices) reset(device->ordinal);
    }
}

void* address_of(const Function& function) {
    return symbol_of(function).address;
}

bool is_simulated(const Function& function) {
    return symbol_of(function).is_simulated;
}

}  // namespace cubind::fuzz
