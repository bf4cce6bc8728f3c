// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/device.hpp>
#include <cubind/nccl_core/communicator.hpp>

#include <vector>

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

}  // namespace example
