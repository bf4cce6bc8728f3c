// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "context/context.hpp"
#include "copy/operand.hpp"

namespace cubind::sim {

/// A stream's own look at a word of memory: it waits for a value, or writes one.
class MemoryOperation {
public:
    /// CUDA_ERROR_INVALID_VALUE where the parameters describe none, or lead to no memory.
    static CUresult make(const CUstreamBatchMemOpParams& parameters, const Device& device, std::vector<MemoryOperation>& out);

    /// Waits as long as it takes, but not longer than the context lives.
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

/// So many operations at once are as many as a batch may have.
inline constexpr unsigned most_memory_operations = 256;

}  // namespace cubind::sim
