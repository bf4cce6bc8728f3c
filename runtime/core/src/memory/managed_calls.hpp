// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/memory/detail/memory_operand.hpp>
#include <cubind/core/stream/stream.hpp>
#include <cubind/driver/types.hpp>
#include <cubind/result.hpp>

#include <string>

/// Results of driver calls for managed memory.
namespace CUBIND_NAMESPACE::detail {

/// Throws the error of a failed call, or std::invalid_argument, whose message begins with `which`, if the memory is not managed.
void check_call(const Result<driver::CUresult>& result, const MemoryView& memory, StreamRef stream = StreamRef::legacy_default(),
                const std::string& which = {});

}  // namespace CUBIND_NAMESPACE::detail
