// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/cufile.hpp>

#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace cubind::testing {

/// A transfer that the stand-in for cuFile received.
struct CufileCall {
    std::string function;
    void* handle = nullptr;
    void* base = nullptr;
    std::size_t size = 0;
    long file_offset = 0;
    long memory_offset = 0;
    void* stream = nullptr;
};

/// The state of the stand-in. It transfers through memory of the process, in which the memory of simulated devices is.
struct CufileStandIn {
    std::mutex mutex;
    std::vector<CufileCall> calls;          ///< transfers
    std::vector<std::string> log;           ///< other calls, with their numbers
    cufile::CUfileDrvProps_t properties{};  ///< what the library reports
    std::map<const void*, std::size_t> registered;
    int open = 0;            ///< how often the driver is open
    int handles = 0;         ///< registered files
    int batches = 0;         ///< that are set up
    bool transfers = true;   ///< false: says that all bytes were transferred, and touches no memory
    std::vector<long> next;  ///< what the next transfers return instead; -1 sets errno
    int next_errno = 0;
    std::size_t held = 0;  ///< how many requests of a batch do not end

    int statuses = 0;              ///< how many calls of functions with a status there were
    int failing = 0;               ///< the number of the call that fails, from 1 on
    std::string failing_function;  ///< or the name of the function that fails
    cufile::CUfileOpError failure = cufile::CU_FILE_INTERNAL_ERROR;
    std::string failed;  ///< the function that has failed

    /// Lets the next call of a function fail.
    void fail(const std::string& function, cufile::CUfileOpError status);
    /// Counts a call of a function with a status, and returns whether it fails.
    [[nodiscard]] bool fails(const std::string& function);
    /// Returns how often a function was called.
    [[nodiscard]] long count(const std::string& function);
};

CufileStandIn& cufile_stand_in();

/// Installs the stand-in for its lifetime: GPUDirect Storage for all file systems, batches and streams.
class ScopedCufileStandIn {
public:
    ScopedCufileStandIn();
    ScopedCufileStandIn(const ScopedCufileStandIn&) = delete;
    ScopedCufileStandIn& operator=(const ScopedCufileStandIn&) = delete;
    ~ScopedCufileStandIn();
};

}  // namespace cubind::testing
