// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <cstddef>
#include <cstdint>

/// The binary interface of NVTX, version 3, as far as cubind uses it: between a program and a tool, such as a profiler, that the
/// environment names or that was loaded before.
namespace CUBIND_NAMESPACE::detail {

/// A range or a mark. The layout is a part of the interface.
struct NvtxEvent {
    std::uint16_t version = 3;
    std::uint16_t size = 48;
    std::uint32_t category = 0;
    std::int32_t color_kind = 0;  ///< 1: the color is valid
    std::uint32_t color = 0;
    std::int32_t payload_kind = 0;   ///< 0: there is no payload
    std::int32_t payload_count = 0;  ///< number of records; 0 for a number
    std::uint64_t payload = 0;
    std::int32_t message_kind = 0;  ///< 0: none, 1: a string, 3: a registered string
    const void* message = nullptr;
};
static_assert(sizeof(NvtxEvent) == 48 && alignof(NvtxEvent) == 8);

/// Functions of the tool; each may be null. The numbers are those of the interface's group of functions for domains. A null
/// domain is the common one.
struct NvtxTool {
    using Domain = void*;

    void (*mark)(Domain, const NvtxEvent*) = nullptr;                     // 1
    std::uint64_t (*start_range)(Domain, const NvtxEvent*) = nullptr;     // 2
    void (*end_range)(Domain, std::uint64_t) = nullptr;                   // 3
    int (*push_range)(Domain, const NvtxEvent*) = nullptr;                // 4
    int (*pop_range)(Domain) = nullptr;                                   // 5
    void (*name_category)(Domain, std::uint32_t, const char*) = nullptr;  // 8
    const void* (*register_string)(Domain, const char*) = nullptr;        // 10
    Domain (*create_domain)(const char*) = nullptr;                       // 12
    void (*destroy_domain)(Domain) = nullptr;                             // 14
    bool is_attached = false;
};

/// Returns the tool. The first call looks for it and loads it; if memory or file descriptors are exhausted, a later call does.
/// Thread-safe.
[[nodiscard]] CUBIND_EXPORT const NvtxTool& nvtx_tool() noexcept;

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

/// A member of the records of a schema. The layout is a part of the interface.
struct NvtxPayloadEntry {
    std::uint64_t flags = 0;  ///< 16: an array
    std::uint64_t type = 0;
    const char* name = nullptr;
    const char* description = nullptr;
    std::uint64_t array_size = 0;
    std::uint64_t offset = 0;
    const void* semantics = nullptr;
    const void* reserved = nullptr;
};
static_assert(sizeof(NvtxPayloadEntry) == 64);

/// A schema of records. The layout is a part of the interface.
struct NvtxSchemaAttributes {
    std::uint64_t fields = 0x7e;  ///< those that are set: from the name to the size
    const char* name = nullptr;
    std::uint64_t type = 1;  ///< records of one size
    std::uint64_t flags = 0;
    const NvtxPayloadEntry* entries = nullptr;
    std::size_t entry_count = 0;
    std::size_t record_size = 0;
    std::size_t alignment = 0;
    std::uint64_t id = 0;
    void* extension = nullptr;
};
static_assert(sizeof(NvtxSchemaAttributes) == 80);

/// Functions of the tool's extension for payloads; each may be null. The numbers are those of the extension.
struct NvtxPayloadTool {
    std::uint64_t (*register_schema)(void* domain, const NvtxSchemaAttributes*) = nullptr;  // 0
};

/// Returns the tool's extension for payloads, as nvtx_counter_tool() does.
[[nodiscard]] CUBIND_EXPORT const NvtxPayloadTool& nvtx_payload_tool() noexcept;

/// Functions of the tool's extension for counters; each may be null. The numbers are those of the extension.
struct NvtxCounterTool {
    using Domain = void*;

    std::uint64_t (*create)(Domain, const NvtxCounterAttributes*) = nullptr;  // 0
    void (*sample_integer)(Domain, std::uint64_t, std::int64_t) = nullptr;    // 1
    void (*sample_double)(Domain, std::uint64_t, double) = nullptr;           // 2
    void (*sample_no_value)(Domain, std::uint64_t, std::uint8_t) = nullptr;   // 4
};

/// Returns the tool's extension for counters. The first call looks for the tool, as nvtx_tool() does. Thread-safe.
[[nodiscard]] CUBIND_EXPORT const NvtxCounterTool& nvtx_counter_tool() noexcept;

}  // namespace CUBIND_NAMESPACE::detail
