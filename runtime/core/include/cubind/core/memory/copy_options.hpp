// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/memory/memory_location.hpp>

#include <optional>

namespace CUBIND_NAMESPACE {

/// When a copy reads its source.
enum class SourceAccessOrder {
    /// In stream order: after the work that was submitted before the copy.
    stream = driver::CU_MEMCPY_SRC_ACCESS_ORDER_STREAM,
    /// During the call. The caller may change or destroy the source as soon as the call returns.
    during_api_call = driver::CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL,
    /// At any time from the call to the completion of the copy, even before earlier work of the stream.
    any = driver::CU_MEMCPY_SRC_ACCESS_ORDER_ANY
};

/// How a copy is performed. The options change neither what is copied nor where to.
///
///     copy(stream, buffer, local, {.source_access_order = SourceAccessOrder::during_api_call});
struct CopyOptions {
    /// When the source is read. With `during_api_call` and `any`, earlier work of the stream must not write the source.
    SourceAccessOrder source_access_order = SourceAccessOrder::stream;
    /// The expected location of a source of managed or pageable memory. Drivers ignore it for other memory.
    std::optional<MemoryLocation> source_location_hint = std::nullopt;
    /// The expected location of a destination of managed or pageable memory. Drivers ignore it for other memory.
    std::optional<MemoryLocation> destination_location_hint = std::nullopt;
    /// Whether the driver should copy in a way that leaves the multiprocessors to kernels.
    bool prefer_overlap_with_compute = false;

    /// Returns whether both are equal.
    [[nodiscard]] friend bool operator==(const CopyOptions&, const CopyOptions&) noexcept = default;
};

}  // namespace CUBIND_NAMESPACE
