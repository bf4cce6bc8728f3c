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

// A machine, and as many calls as the bytes choose.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr int most_calls = 1000;
    static Pools pools(pool_count());
    Choices choices(data, size);
    const SimulatedRun run(choices, pools);
    Caller caller(choices, pools);
    for (int calls = 0; calls < most_calls && !choices.is_spent(); ++calls) {
        const Callable& next = callables()[choices.below(callables().size())];
        caller.call(next.function, next.address);
    }
    return 0;
}
