// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core.hpp>
#include <cubind/math_sparse.hpp>

#include "end_of_work.hpp"
#include "sparse_record.hpp"
#include "use.hpp"

namespace cubind::testing {

void use_math_sparse(const std::string&) {
    const ScopedSparseStandIns stand_in;
    {
        const EndOfWork end;
        const Device device;
        const Stream stream(device), other(device);
        const auto offsets = device.allocate<int>(stream, 5), columns = device.allocate<int>(stream, 4);
        const auto values = device.allocate<float>(stream, 4), x = device.allocate<float>(stream, 4),
                   y = device.allocate<float>(stream, 4);
        const auto a = math::SparseMatrix::csr({4, 4}, offsets, columns, values);
        math::SparseProduct product(stream, a, x, y);
        product(other, x, y);
        math::SparseSolver solver(stream, a, y, x);
        solver.analyze(stream);
        solver.factorize(stream);
        solver.solve(other, y, x);
        other.synchronize();
        stream.synchronize();
    }
}

}  // namespace cubind::testing
