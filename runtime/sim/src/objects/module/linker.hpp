// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "objects/device/device.hpp"
#include "objects/module/jit_options.hpp"

namespace CUBIND_NAMESPACE::sim {

/// The object behind a CUlinkState. It accepts a single PTX input. The result of the link is that PTX, which only a
/// simulated device can load. Thread-safe.
class Linker {
public:
    /// Creates a linker of a release. The program owns `values`, which must outlive the link.
    Linker(CUlinkState own_handle, int release, unsigned count, const CUjit_option* options, void** values);

    /// Adds an input and writes the logs. Returns the status of the input.
    CUresult add(CUjitInputType type, std::string_view text, const Device& device);
    /// Ends the link and returns its result, which is valid as long as the link exists.
    CUresult complete(void** code, std::size_t& size);

    const CUlinkState handle;

private:
    CUresult add_input(CUjitInputType type, std::string_view text, const Device& device);
    void write_logs();

    const int release_;
    std::mutex mutex_;
    std::vector<CUjit_option> options_;
    void** const values_;
    const std::vector<void*> initial_values_;  ///< restored before each write of the logs, which replaces the log sizes
    std::string problem_;                      ///< log of all inputs so far
    std::string code_;
    bool is_complete_ = false;
};

}  // namespace CUBIND_NAMESPACE::sim
