// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <cstddef>

namespace CUBIND_NAMESPACE::detail {

/// Blocks signals while it exists, so that threads that are created in the meantime never receive them: a signal that a program
/// blocks in its own threads, to wait for it with sigwait(), must not end the process. Signals that the thread itself causes, and
/// signals of profilers, are not blocked.
class CUBIND_EXPORT ThreadSignalBlock {
public:
    ThreadSignalBlock() noexcept;
    ~ThreadSignalBlock();
    ThreadSignalBlock(const ThreadSignalBlock&) = delete;
    ThreadSignalBlock& operator=(const ThreadSignalBlock&) = delete;

private:
    alignas(std::max_align_t) std::byte previous_[128];  ///< what the thread had blocked before
};

}  // namespace CUBIND_NAMESPACE::detail
