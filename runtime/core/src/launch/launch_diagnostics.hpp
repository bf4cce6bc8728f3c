// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/buffer.hpp>
#include <cubind/core/launch_config.hpp>
#include <cubind/core/stream.hpp>
#include <cubind/driver/types.hpp>
#include <cubind/result.hpp>

#include <string>

#include "kernel/kernel_parameters.hpp"

/// All explanations of launches that cubind or the driver refuses.
namespace cubind::detail {

/// Returns what is wrong with arguments of these sizes (sizes_of) for the kernel, with a hint for callers of launch functions;
/// empty if they match what was read of its parameters. Arguments are counted from 1.
std::string argument_mistake(const unsigned int* sizes, const ParameterList& parameters, driver::CUkernel kernel);

/// Throws std::invalid_argument if the signature of a KernelFunction, with parameters of these sizes, is not the kernel's.
void throw_if_signature_differs(const unsigned int* sizes, const ParameterList& parameters, driver::CUkernel kernel);

/// Throws Error: this driver does not report parameters, so that launch_validated() cannot compare them.
[[noreturn]] void throw_parameters_unavailable(driver::CUkernel kernel);

/// Throws std::invalid_argument: the stream's device cannot access the buffer. `position` of the argument counts from 1.
[[noreturn]] void throw_inaccessible(StreamRef stream, unsigned int position, const Buffer& buffer);

/// Throws the error of a launch that the driver refused. If the launch itself is the reason, the message states the value that is
/// wrong, the limit and what to do.
[[noreturn, gnu::cold]] void throw_launch_failure(Result<driver::CUresult> launched, StreamRef stream, const LaunchConfig& config,
                                                  driver::CUkernel kernel);

}  // namespace cubind::detail
