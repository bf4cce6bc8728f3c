// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/device.hpp>
#include <cubind/library.hpp>
#include <cubind/nccl/loading.hpp>
#include <cubind/nccl_core/communicator.hpp>

#include <vector>

#include "example.hpp"

namespace example {

/// Returns the ranks of this process: its rank, if mpirun, torchrun or srun has started several processes, or else one of each
/// GPU.
inline std::vector<cubind::nccl::Communicator> ranks_of_process() {
    const auto bootstrap = cubind::Bootstrap::from_environment();
    if (bootstrap.size() == 1) return cubind::nccl::Communicator::init_all(cubind::Device::all());
    std::vector<cubind::nccl::Communicator> own;
    own.push_back(cubind::nccl::Communicator::init(bootstrap));
    return own;
}

/// Runs an example of NCCL like run(). Without NCCL, it is skipped.
template <class Body>
int run_with_nccl(Body body) {
    if (cubind::library_path(cubind::nccl::library()) == nullptr)
        return skip("NCCL was not found. It is in the Python package nvidia-nccl-cu13.");
    return run(body);
}

}  // namespace example
