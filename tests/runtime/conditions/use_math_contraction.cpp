// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core.hpp>
#include <cubind/math/contraction.hpp>

#include "cutensor_stand_in.hpp"
#include "end_of_work.hpp"
#include "use.hpp"

namespace cubind::testing {

void use_math_contraction(const std::string&) {
    const ScopedCutensorStandIn stand_in;
    {
        const EndOfWork end;
        const Device device;
        const Stream stream(device), other(device);
        const StridedView a(device.allocate<float>(stream, 64), {8, 8}), b(device.allocate<float>(stream, 64), {8, 8});
        const StridedView d(device.allocate<float>(stream, 64), {8, 8});
        math::Contraction product(stream, "ij,jk->ik", a, b, d);
        product.autotune(stream, a, b, d, {.candidates = 2, .rounds = 1, .calls = 1});
        product(stream, a, b, d);
        product(other, a, b, d);
        other.synchronize();
        stream.synchronize();
    }
    require(cutensor_stand_in().objects == 0, "all descriptors and plans are destroyed");
}

}  // namespace cubind::testing
