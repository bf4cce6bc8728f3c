// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "simulated_run.hpp"

using namespace cubind::fuzz;

namespace {

struct Callable {
    const Function& function;
    void* address;
};

const std::vector<Callable>& callables() {
    static const std::vector<Callable> all = [] {
        std::vector<Callable> found;
        for (const Function& function : functions()) found.push_back({function, address_of(function)});
        return found;
    }();
    return all;
}

}  // namespace

// Runs one simulated machine and makes calls until the input is exhausted.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr int max_calls = 1000;
    static Pools pools(pool_count());
    Choices choices(data, size);
    const SimulatedRun run(choices, pools);
    Caller caller(choices, pools);
    for (int calls = 0; calls < max_calls && !choices.is_exhausted(); ++calls) {
        const Callable& next = callables()[choices.below(callables().size())];
        caller.call(next.function, next.address);
    }
    return 0;
}
