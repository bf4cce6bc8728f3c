// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/memory/copy.hpp>
#include <cubind/core/stream/stream.hpp>
#include <cubind/result.hpp>

#include <string>

/// Parts of copy() that copies with options and batches use, too.
namespace CUBIND_NAMESPACE::detail {

/// Returns whether one call can copy between the operands, because the device of the stream's context, which is the current
/// context, can access both. Such calls are cuMemcpyAsync and the functions for copies with attributes.
[[nodiscard]] bool are_within_reach(StreamRef stream, const CopyOperands& operands);

/// Submits a copy that is not empty, without attributes. The stream's context is current.
[[nodiscard]] Result<driver::CUresult> submit_copy(StreamRef stream, const CopyOperands& operands);

/// If a GraphBuilder captures the stream, makes the graph retain the buffers of the operands.
void retain_for_capture(StreamRef stream, const CopyOperands& operands);

/// Throws the Error of a failed copy, with `which` and a description of the operands.
[[noreturn]] void throw_not_copied(Result<driver::CUresult> failure, StreamRef stream, const CopyOperands& operands,
                                   const std::string& which = {});

}  // namespace CUBIND_NAMESPACE::detail
