// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <string>

namespace cubind::testing {

using Functions = std::map<std::string, void*, std::less<>>;

/// State of the stand-in for NVML.
struct StandInState {
    int initializations = 0;
    int living_sets = 0;
    unsigned int waits = 0;
};
inline StandInState stand_in;

/// Adds functions of a topic to the stand-in.
void add_host_functions(Functions& functions);
void add_device_functions(Functions& functions);
void add_part_functions(Functions& functions);
void add_event_functions(Functions& functions);

/// Adds a function; the lambda has the signature of NVML's function.
template <class Function>
void add(Functions& functions, const char* symbol, Function function) {
    functions[symbol] = reinterpret_cast<void*>(+function);
}

}  // namespace cubind::testing
