// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cupti_stand_in.hpp"

namespace cubind::testing::cupti_stand_in {

/// What the functions of CUPTI share. It is never destroyed, because threads may call them until the process ends.
struct State {
    std::mutex mutex;  ///< is not held while functions of the program are called
    Options options;
    std::map<std::string, unsigned> calls;
    unsigned call_count = 0;
    std::set<unsigned> kinds;
    std::set<std::string> texts;

    struct Subscriber {
        cupti::CUpti_CallbackFunc callback = nullptr;
        void* data = nullptr;
        std::set<std::pair<int, std::uint32_t>> callbacks;  ///< of a domain and a number
    };
    Subscriber* subscriber = nullptr;
};
State& state();

/// Counts a call of a function of CUPTI. Returns what it must return at once, or CUPTI_SUCCESS.
cupti::CUptiResult begin_call(const char* function);

/// Nanoseconds since 1970, as CUPTI's records have them, or what the program's clock says.
std::uint64_t timestamp();

/// Returns the number of a function of the driver, or 0.
cupti::CUpti_CallbackId driver_function(const char* name);
/// Whether there is a subscriber to a function.
bool is_subscribed(cupti::CUpti_CallbackDomain domain, cupti::CUpti_CallbackId cbid);
/// Calls the subscriber, if there is one to this function.
void notify(cupti::CUpti_CallbackDomain domain, cupti::CUpti_CallbackId cbid, cupti::CUpti_CallbackData& data);

/// Observes the simulated driver if the process has loaded it as libcuda.so.1.
void observe_loaded_driver();

/// Delivers the buffer, and stops the thread of cuptiActivityFlushPeriod().
void forget_records();

}  // namespace cubind::testing::cupti_stand_in
