// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <string>

/// The report of called functions that a simulated library does not implement. Each simulated library writes its part when the
/// process ends, if the variable CUBIND_SIM_REPORT names a file.
namespace CUBIND_NAMESPACE::sim {

/// Collects the functions of one library and appends them to the file.
class CallReport {
public:
    explicit CallReport(const char* library) noexcept : library_(library) {}

    /// Adds a function if it was called.
    void add(const char* function, unsigned long calls);
    /// Appends a line "PROCESS LIBRARY FUNCTION CALLS" for each added function to the file, see append_report().
    void write() const;

private:
    const char* library_;
    std::string lines_;
};

}  // namespace CUBIND_NAMESPACE::sim
