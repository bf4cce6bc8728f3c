// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "module/jit_options.hpp"

namespace cubind::sim {

/// A link under way: what a CUlinkState stands for. It takes one PTX, and what comes out is that PTX, which only a simulated
/// device can load. Thread-safe.
class Linker {
public:
    /// `values` are the program's as long as the link lives.
    Linker(CUlinkState own_handle, unsigned count, const CUjit_option* options, void** values);

    CUresult add(CUjitInputType type, std::string_view text, const Device& device);
    /// Gives what came out, which stays where it is as long as the link lives.
    CUresult complete(void** code, std::size_t& size);

    const CUlinkState handle;

private:
    CUresult take(CUjitInputType type, std::string_view text, const Device& device);
    void answer();

    std::mutex mutex_;
    std::vector<CUjit_option> options_;
    void** const values_;
    const std::vector<void*> given_values_;  ///< answers take the place of some
    std::string problem_;                    ///< of all inputs so far
    std::string code_;
    bool is_complete_ = false;
};

}  // namespace cubind::sim
