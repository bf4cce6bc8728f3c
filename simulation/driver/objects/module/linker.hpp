// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "objects/device/device.hpp"
#include "objects/module/code.hpp"
#include "objects/module/jit_options.hpp"
#include "ptx/link/link.hpp"

namespace CUBIND_NAMESPACE::sim {

/// The object behind a CUlinkState. It links PTX and fat binaries that have PTX. If libcudadevrt.a is among the inputs, the
/// simulation provides the functions of the device runtime. The result of the link is PTX, which only a simulated device can
/// load. Thread-safe.
class Linker {
public:
    /// Creates a linker of code for devices. The program owns `values`, which must outlive the link.
    Linker(driver::CUlinkState own_handle, const CodeTarget& target, unsigned count, const driver::CUjit_option* options,
           void** values);

    /// Adds an input and writes the logs. Returns the status of the input.
    driver::CUresult add(driver::CUjitInputType type, std::string_view bytes, const char* name, const Device& device);
    /// Ends the link and returns its result, which is valid as long as the link exists.
    driver::CUresult complete(void** code, std::size_t& size);

    const driver::CUlinkState handle;

private:
    driver::CUresult add_input(driver::CUjitInputType type, std::string_view bytes, const char* name, const Device& device);
    driver::CUresult refuse(driver::CUresult status, std::string_view problem);
    void write_logs();

    const CodeTarget target_;
    std::mutex mutex_;
    std::vector<driver::CUjit_option> options_;
    void** const values_;
    const std::vector<void*> initial_values_;  ///< restored before each write of the logs, which replaces the log sizes
    std::string problem_;                      ///< log of all inputs so far
    std::vector<ptx::LinkInput> inputs_;
    bool has_device_runtime_ = false;                        ///< whether libcudadevrt.a is among the inputs
    ptx::Externals externals_ = ptx::Externals::must_exist;  ///< of the result
    std::string code_;
    bool is_complete_ = false;
};

}  // namespace CUBIND_NAMESPACE::sim
