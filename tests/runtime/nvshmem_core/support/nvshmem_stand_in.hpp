// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver.hpp>
#include <cubind/nvshmem.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace cubind::testing {

/// A call that the stand-in for NVSHMEM received.
struct NvshmemCall {
    std::string function;
    const void* destination = nullptr;
    const void* source = nullptr;
    std::size_t count = 0;
    int pe = -1;    ///< peer, root, or team of a collective
    int team = -1;  ///< of a collective
    const void* stream = nullptr;
    std::uint64_t value = 0;
    int operation = -1;  ///< of a signal, or comparison
    std::ptrdiff_t destination_stride = 0;
    std::ptrdiff_t source_stride = 0;
};

/// The state of the stand-in. It transfers nothing. Its heap, and those of the other PEs, are memory of the current device.
struct NvshmemStandIn {
    static constexpr std::size_t heap_size = 16 << 20;

    std::vector<NvshmemCall> calls;                               ///< of operations on streams
    std::vector<std::string> log;                                 ///< the other calls
    nvshmem::nvshmemx_status status = nvshmem::NVSHMEMX_SUCCESS;  ///< what collectives return
    int version[3] = {3, 8, 0};
    int init_status = 0;
    unsigned int flags = 0;
    nvshmem::nvshmemx_init_attr_t attributes;  ///< of the latest beginning
    nvshmem::nvshmemx_uniqueid_t id;           ///< of the latest beginning
    bool refuses_registrations = false;
    std::size_t reach =
        heap_size;            ///< addresses that count as the heap; those beyond its memory are for calls that are recorded only
    int unreachable_pe = -1;  ///< whose memory the device cannot access
    std::set<std::string> missing;

    int pe = 0;
    int size = 0;                    ///< 0 before the beginning and after the end
    driver::CUdeviceptr memory = 0;  ///< of the heaps of all PEs
    std::size_t used = 0;
    int allocated = 0;
    int registered = 0;
    int codes = 0;
    std::map<int, std::vector<int>> teams;  ///< the PEs of each team

    [[nodiscard]] driver::CUdeviceptr heap_of(int of_pe) const { return memory + static_cast<std::size_t>(of_pe) * heap_size; }
    /// Returns how often a function was called.
    [[nodiscard]] long count(const std::string& function) const;
};

NvshmemStandIn& nvshmem_stand_in();

/// Installs the stand-in with a new state for its lifetime.
class ScopedNvshmemStandIn {
public:
    ScopedNvshmemStandIn();
    ScopedNvshmemStandIn(const ScopedNvshmemStandIn&) = delete;
    ScopedNvshmemStandIn& operator=(const ScopedNvshmemStandIn&) = delete;
    ~ScopedNvshmemStandIn();
};

}  // namespace cubind::testing
