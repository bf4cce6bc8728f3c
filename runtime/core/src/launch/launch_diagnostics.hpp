// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/launch/launch_config.hpp>
#include <cubind/core/memory/buffer.hpp>
#include <cubind/core/stream/stream.hpp>
#include <cubind/driver/types.hpp>
#include <cubind/result.hpp>

#include <string>

#include "launch/kernel_state.hpp"

/// Messages for launches that cubind or the driver refuses.
namespace CUBIND_NAMESPACE::detail {

/// Returns the first mismatch between arguments of these types (types_of) and the kernel's parameters, with advice for callers of
/// launch functions; empty if there is none. Arguments are counted from 1.
std::string argument_mistake(const unsigned int* types, const ParameterList& parameters, const KernelState& kernel);

/// Throws std::invalid_argument if the signature of a KernelFunction, with parameters of these types, does not match the
/// kernel.
void throw_if_signature_differs(const unsigned int* types, const ParameterList& parameters, const KernelState& kernel);

/// Throws Error because this driver does not report the parameters that launch_validated() compares.
[[noreturn]] void throw_parameters_unavailable(driver::CUkernel kernel);

/// Throws std::invalid_argument because the stream's device cannot access the buffer. `position` counts the arguments from 1.
[[noreturn]] void throw_inaccessible(StreamRef stream, unsigned int position, const Buffer& buffer);

/// Throws the error of a launch that the driver refused. If the launch itself is the reason, the message states the wrong value,
/// the limit and what to do.
[[noreturn, gnu::cold]] void throw_launch_failure(Result<driver::CUresult> launched, StreamRef stream, const LaunchConfig& config,
                                                  const KernelState& kernel);

/// Throws the error of a kernel node that the driver refused, with the same explanations. `if_unknown` is a sentence for the case
/// that no explanation is found.
[[noreturn, gnu::cold]] void throw_kernel_node_failure(Result<driver::CUresult> failed, ContextRef context,
                                                       const LaunchConfig& config, const KernelState& kernel,
                                                       const std::string& if_unknown);

}  // namespace CUBIND_NAMESPACE::detail
