// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core.hpp>
#include <cubind/math/random.hpp>

#include "curand_stand_in.hpp"
#include "end_of_work.hpp"
#include "use.hpp"

namespace cubind::testing {

void use_math_random(const std::string&) {
    const ScopedCurandStandIn stand_in;
    {
        const EndOfWork end;
        const Device device;
        const Stream stream(device), other(device);
        const auto numbers = device.allocate<float>(stream, 7);
        math::Random random(stream, {.generator = math::RandomGenerator::mt19937, .seed = 1});
        random.normal(stream, numbers);
        random.set_seed(2);
        random.uniform(other, numbers);
        other.synchronize();
        stream.synchronize();
    }
    require(curand_stand_in().handles == 0, "all generators are destroyed");
}

}  // namespace cubind::testing
