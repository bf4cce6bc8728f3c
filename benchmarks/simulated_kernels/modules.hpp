// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// A kernel of a module, and arguments with which it runs for a short time only.
struct SmallLaunch {
    std::string kernel;
    std::vector<std::uint64_t> arguments;
};

/// PTX and the kernels in it.
struct LargeModule {
    std::string ptx;
    std::vector<SmallLaunch> launches;
    std::size_t instructions = 0;
};

/// Copies kernels of a module, under other names, until the result has at least this many instructions. `launches` names the
/// kernels to copy, whose names must not be parts of one another.
LargeModule multiply_module(std::string_view ptx, const std::vector<SmallLaunch>& launches, std::size_t instructions);

/// Loads a module, launches each of its kernels with one thread, and unloads it. The simulation decodes a kernel when it is
/// launched. Ends the program after a failure.
void load_and_launch(const LargeModule& module);
