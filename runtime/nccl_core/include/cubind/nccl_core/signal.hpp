// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

namespace CUBIND_NAMESPACE::nccl {

/// Which of the counters of a rank a signal increments. CommunicatorConfig::num_rma_sig and num_rma_ctx say how many there are.
struct Signal {
    int index = 0;    ///< number of the counter
    int context = 0;  ///< number of the context, whose operations are ordered
};

/// The signals of a rank for which Communicator::wait_signal() waits.
struct SignalWait {
    int peer;            ///< the rank that sends them
    int count = 1;       ///< how many
    Signal signal = {};  ///< the counter
};

}  // namespace CUBIND_NAMESPACE::nccl
