// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// A program that mpirun starts, to try a real library of MPI.
#include <cubind/bootstrap.hpp>

#include <cstdio>
#include <exception>

#include "../new_id.hpp"

int main(int count, char**) try {
    const auto self = cubind::Bootstrap::from_environment();
    if (count > 1 && self.rank() == 1) return 1;  // before the exchange, for which the other rank waits
    const bool right = self.size() == 2 && self.local_rank() == self.rank() && self.meeting_point() == "mpi" &&
                       self.exchange(cubind::testing::new_id) == cubind::testing::new_id();
    std::printf("rank %d of %d, which is the %d-th of its host, met at \"%s\"\n", self.rank(), self.size(), self.local_rank(),
                self.meeting_point().c_str());
    return right ? 0 : 1;
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
