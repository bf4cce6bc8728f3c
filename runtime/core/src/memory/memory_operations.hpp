// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/memory/memory_operation.hpp>
#include <cubind/result.hpp>

#include <array>
#include <optional>
#include <span>
#include <string>

/// Parts of memory operations that streams and nodes of graphs use.
namespace CUBIND_NAMESPACE::detail {

struct MemoryOperationAccess {
    /// Returns the element of a write or a wait, which has 0 bytes for other operations.
    static MemoryView memory(const MemoryOperation& operation) noexcept;
};

/// The parameters of a batch in the driver's form, without an allocation.
class OperationArray {
public:
    /// Throws std::invalid_argument for too many operations.
    explicit OperationArray(std::span<const MemoryOperation> operations);

    driver::CUstreamBatchMemOpParams* data() noexcept { return parameters_.data(); }
    unsigned int size() const noexcept { return size_; }

private:
    std::array<driver::CUstreamBatchMemOpParams, max_memory_operations> parameters_;  // only `size_` of them are set
    unsigned int size_;
};

/// Throws the error of a call that failed. The message names the operation whose attribute the device lacks, or whose memory
/// explains the failure, and ends with `advice`.
[[noreturn]] void throw_rejected(Result<driver::CUresult> failed, std::span<const MemoryOperation> operations,
                                 std::optional<Device> device, const std::string& advice = {});

}  // namespace CUBIND_NAMESPACE::detail
