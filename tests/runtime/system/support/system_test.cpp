// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "system_test.hpp"

#include <cubind/substitute.hpp>

#include "stand_in.hpp"

namespace cubind::testing {
namespace {

Functions functions;

void* find(const char* symbol) noexcept {
    const auto found = functions.find(symbol);
    return found == functions.end() ? nullptr : found->second;
}

constexpr Substitute nvml_stand_in{.path = "a stand-in", .found_via = "a test", .find = find};

void install() {
    substitute(nvml::library(), nvml::all_entry_points(), &nvml_stand_in);
}

}  // namespace

SystemTest::SystemTest() {
    stand_in = {};
    functions.clear();
    add_host_functions(functions);
    add_device_functions(functions);
    add_part_functions(functions);
    add_event_functions(functions);
    install();
}

SystemTest::~SystemTest() {
    substitute(nvml::library(), nvml::all_entry_points(), nullptr);
}

void SystemTest::replace(const char* symbol, void* function) {
    if (function == nullptr) {
        functions.erase(symbol);
    } else {
        functions[symbol] = function;
    }
    install();
}

int SystemTest::initializations() {
    return stand_in.initializations;
}

int SystemTest::living_sets() {
    return stand_in.living_sets;
}

}  // namespace cubind::testing
