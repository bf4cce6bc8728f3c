// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core.hpp>
#include <cubind/math/matmul.hpp>

#include "cublaslt_stand_in.hpp"
#include "end_of_work.hpp"
#include "use.hpp"

namespace cubind::testing {

void use_math_blas(const std::string&) {
    const ScopedCublasLtStandIn stand_in;
    {
        const EndOfWork end;
        const Device device;
        const Stream stream(device), other(device);
        const StridedView a(device.allocate<float>(stream, 64), {8, 8}), b(device.allocate<float>(stream, 64), {8, 8});
        const StridedView d(device.allocate<float>(stream, 64), {8, 8});
        math::Matmul product(stream, a, b, d);
        (void)product.autotune(stream, a, b, d, {}, {.candidates = 2, .rounds = 1, .calls = 1});
        product(stream, a, b, d);
        product(other, a, b, d, {.beta = 1});
        other.synchronize();
        stream.synchronize();
    }
    require(cublaslt_stand_in().objects == 0, "all descriptions are destroyed");
}

}  // namespace cubind::testing
