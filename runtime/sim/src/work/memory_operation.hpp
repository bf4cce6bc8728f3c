// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "objects/context/context.hpp"
#include "work/operand.hpp"

namespace CUBIND_NAMESPACE::sim {

/// A stream's wait for a value in memory, or its write of a value.
class MemoryOperation {
public:
    /// Creates the operations that the parameters describe. Returns CUDA_ERROR_INVALID_VALUE if they are invalid or the
    /// address is not the driver's.
    static CUresult make(const CUstreamBatchMemOpParams& parameters, const Device& device, const MemoryMap& memory,
                         std::vector<MemoryOperation>& out);

    /// Performs the operation. A wait ends when the value satisfies the comparison, or when the context is destroyed.
    void perform(const Context& context) const;

private:
    enum class Kind { wait, write };

    bool is_satisfied() const noexcept;

    Kind kind_ = Kind::write;
    Operand place_;
    std::size_t bytes_ = 4;
    std::uint64_t value_ = 0;
    unsigned comparison_ = 0;
};

/// Limit of operations in a batch.
inline constexpr unsigned max_memory_operations = 256;

}  // namespace CUBIND_NAMESPACE::sim
