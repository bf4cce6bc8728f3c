// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/profile/nvtx_domain.hpp>

#include <cstddef>
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
    std::int32_t message_kind = 0;  ///< NvtxMessage::kind()
    const void* message = nullptr;
};
static_assert(sizeof(NvtxEvent) == 48 && alignof(NvtxEvent) == 8);

/// Functions of the tool; each may be null. The numbers are those of the interface's group of functions for domains.
struct NvtxTool {
    using Domain = NvtxDomainRef::Handle;

    void (*mark)(Domain, const NvtxEvent*) = nullptr;                      // 1
    std::uint64_t (*start_range)(Domain, const NvtxEvent*) = nullptr;      // 2
    void (*end_range)(Domain, std::uint64_t) = nullptr;                    // 3
    int (*push_range)(Domain, const NvtxEvent*) = nullptr;                 // 4
    int (*pop_range)(Domain) = nullptr;                                    // 5
    void (*name_category)(Domain, std::uint32_t, const char*) = nullptr;   // 8
    NvtxString::Handle (*register_string)(Domain, const char*) = nullptr;  // 10
    Domain (*create_domain)(const char*) = nullptr;                        // 12
    void (*destroy_domain)(Domain) = nullptr;                              // 14
    bool is_attached = false;
};

/// Returns the tool. The first call looks for it and loads it; if memory or file descriptors are exhausted, a later call does.
/// Thread-safe.
const NvtxTool& nvtx_tool() noexcept;

/// The properties of a counter. The layout is a part of the interface.
struct NvtxCounterLimits {
    std::uint32_t size = 72;
    std::uint16_t kind = 5;     ///< semantics of counters
    std::uint16_t version = 2;  ///< of these semantics
    const void* next = nullptr;
    std::uint64_t flags = 0;  ///< 4: the minimum is valid, 8: the maximum is
    const char* unit = nullptr;
    std::uint64_t unit_numerator = 1;
    std::uint64_t unit_denominator = 1;
    std::int64_t limit_kind = 0;  ///< 1: signed integers, 3: doubles
    std::uint64_t minimum = 0;
    std::uint64_t maximum = 0;
};
static_assert(sizeof(NvtxCounterLimits) == 72);

/// A counter. The layout is a part of the interface.
struct NvtxCounterAttributes {
    std::size_t size = 56;
    std::uint64_t value_kind = 0;  ///< 17: signed integers of 64 bits, 20: doubles
    const char* name = nullptr;
    const char* description = nullptr;
    std::uint64_t scope = 21;  ///< the calling process
    const NvtxCounterLimits* limits = nullptr;
    std::uint64_t id = 0;  ///< 0: the tool chooses
};
static_assert(sizeof(NvtxCounterAttributes) == 56);

/// Functions of the tool's extension for counters; each may be null. The numbers are those of the extension.
struct NvtxCounterTool {
    using Domain = NvtxDomainRef::Handle;

    std::uint64_t (*create)(Domain, const NvtxCounterAttributes*) = nullptr;  // 0
    void (*sample_integer)(Domain, std::uint64_t, std::int64_t) = nullptr;    // 1
    void (*sample_double)(Domain, std::uint64_t, double) = nullptr;           // 2
    void (*sample_no_value)(Domain, std::uint64_t, std::uint8_t) = nullptr;   // 4
};

/// Returns the tool's extension for counters. The first call looks for the tool, as nvtx_tool() does. Thread-safe.
const NvtxCounterTool& nvtx_counter_tool() noexcept;

/// Returns the event with these properties.
NvtxEvent nvtx_event(NvtxMessage message, const NvtxAttributes& attributes) noexcept;

}  // namespace CUBIND_NAMESPACE::detail
