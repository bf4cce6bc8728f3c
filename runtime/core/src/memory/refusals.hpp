// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/copy.hpp>
#include <cubind/core/device.hpp>
#include <cubind/core/stream.hpp>
#include <cubind/driver/types.hpp>
#include <cubind/result.hpp>

#include <cstddef>
#include <optional>
#include <string>

/// What is asked only after the driver has refused something, to say why.
namespace cubind::detail {

/// Throws why there are no `size` bytes; OutOfMemory also where there are more than the device could ever have. `room` says what there
/// is.
[[noreturn]] void throw_not_allocated(Result<driver::CUresult, driver::CUdeviceptr> failure, std::size_t size, StreamRef stream,
                                      std::optional<Device> device, const std::string& room = {});

/// What the driver knows about memory: "the source, 64 bytes at 0x7f00, lies in device memory of device 0: 32 bytes at 0x7f00", and
/// what to do where the device of a stream cannot reach it.
std::string describe(const std::string& role, const MemoryView& memory, std::optional<StreamRef> stream = {});

}  // namespace cubind::detail
