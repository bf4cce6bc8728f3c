// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core.hpp>
#include <cubind/math/decompositions.hpp>
#include <cubind/math/solve.hpp>

#include "end_of_work.hpp"
#include "solver_stand_in.hpp"
#include "use.hpp"

namespace cubind::testing {

void use_math_solver(const std::string&) {
    const ScopedSolverStandIn stand_in;
    {
        const EndOfWork end;
        const Device device;
        const Stream stream(device), other(device);
        const StridedView a(device.allocate<double>(stream, 16), {4, 4}), x(device.allocate<double>(stream, 4), {4});
        math::Lu factors(stream, a);
        factors.solve(stream, x);
        factors.solve(other, x);
        factors.check(other);
        math::eigh(stream, a, x).check(stream);
        other.synchronize();
        stream.synchronize();
    }
}

}  // namespace cubind::testing
