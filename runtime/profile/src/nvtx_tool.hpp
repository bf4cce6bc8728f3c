// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/profile/nvtx_domain.hpp>

#include <cstdint>

/// The binary interface of NVTX, version 3, as far as cubind uses it.
namespace CUBIND_NAMESPACE::detail {

/// A range or a mark. The layout is a part of the interface.
struct NvtxEvent {
    std::uint16_t version = 3;
    std::uint16_t size = 48;
    std::uint32_t category = 0;
    std::int32_t color_kind = 0;  ///< 1: the color is valid
    std::uint32_t color = 0;
    std::int32_t payload_kind = 0;  ///< 0: there is no payload
    std::int32_t reserved = 0;
    std::uint64_t payload = 0;
    std::int32_t message_kind = 0;  ///< 1: the message is a string of bytes
    const char* message = nullptr;
};
static_assert(sizeof(NvtxEvent) == 48 && alignof(NvtxEvent) == 8);

/// Functions of the tool; each may be null. The numbers are those of the interface's group of functions for domains.
struct NvtxTool {
    using Domain = NvtxDomainRef::Handle;

    void (*mark)(Domain, const NvtxEvent*) = nullptr;                     // 1
    std::uint64_t (*start_range)(Domain, const NvtxEvent*) = nullptr;     // 2
    void (*end_range)(Domain, std::uint64_t) = nullptr;                   // 3
    int (*push_range)(Domain, const NvtxEvent*) = nullptr;                // 4
    int (*pop_range)(Domain) = nullptr;                                   // 5
    void (*name_category)(Domain, std::uint32_t, const char*) = nullptr;  // 8
    Domain (*create_domain)(const char*) = nullptr;                       // 12
    void (*destroy_domain)(Domain) = nullptr;                             // 14
    bool is_attached = false;
};

/// Returns the tool. The first call looks for it and loads it; if memory or file descriptors are exhausted, a later call does.
/// Thread-safe.
const NvtxTool& nvtx_tool() noexcept;

/// Returns the event with these properties.
NvtxEvent nvtx_event(const char* message, const NvtxAttributes& attributes) noexcept;

}  // namespace CUBIND_NAMESPACE::detail
