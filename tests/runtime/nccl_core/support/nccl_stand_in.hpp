// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/nccl.hpp>

#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace cubind::testing {

/// A call that the stand-in for NCCL received.
struct NcclCall {
    std::string function;
    const void* source = nullptr;
    void* destination = nullptr;
    std::size_t count = 0;
    nccl::ncclDataType_t type = nccl::ncclNumTypes;
    int operation = -1;  ///< reduction
    int peer = -1;       ///< root or peer
    nccl::ncclComm_t communicator = nullptr;
    void* stream = nullptr;
    nccl::ncclWindow_t window = nullptr;
    std::size_t offset = 0;
    std::vector<nccl::ncclWaitSignalDesc_t> signals = {};  ///< that are sent, or for which a stream waits
};

/// The state of the stand-in. It transfers nothing.
struct NcclStandIn {
    std::vector<NcclCall> calls;                          ///< of operations on streams
    std::vector<std::string> log;                         ///< names of the other calls
    nccl::ncclResult_t asynchronous = nccl::ncclSuccess;  ///< what ncclCommGetAsyncError reports
    nccl::ncclResult_t status = nccl::ncclSuccess;        ///< what operations return
    nccl::ncclConfig_t config;                            ///< of the latest creation
    nccl::ncclCollConfig_t collective;                    ///< of the latest collective with settings
    std::set<std::string, std::less<>> missing = {};      ///< functions that the library does not have
    int living = 0;                                       ///< communicators
    int registered = 0;                                   ///< registrations and windows
    int operators = 0;                                    ///< reductions
    int allocated = 0;                                    ///< allocations
    int depth = 0;                                        ///< of groups
    bool has_failed_call = false;                         ///< in a group
    float scale = 0;                                      ///< of the latest premultiplied sum on the host

    /// Returns how often a function was called.
    [[nodiscard]] long count(const std::string& function) const;
};

NcclStandIn& nccl_stand_in();

/// Installs the stand-in with a new state for its lifetime.
class ScopedNcclStandIn {
public:
    ScopedNcclStandIn();
    ScopedNcclStandIn(const ScopedNcclStandIn&) = delete;
    ScopedNcclStandIn& operator=(const ScopedNcclStandIn&) = delete;
    ~ScopedNcclStandIn();
};

}  // namespace cubind::testing
