// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Traces calls of every function with random arguments. Usage: trace_json_program FORMAT FILE
#include <cstdio>

#include "random_call.hpp"

using namespace cubind::testing;

namespace {

void* find_any(const char*) noexcept {
    static char never_called;
    return &never_called;
}
constexpr cubind::Substitute everything{.path = "stub", .found_via = "a test", .find = find_any};

}  // namespace

int main(int, char** arguments) {
    const bool is_chrome = std::string(arguments[1]) == "chrome";
    std::mt19937 random(7);
    StubLayer stub;
    layers::push(stub);
    layers::trace::start(
        {.format = is_chrome ? layers::trace::Format::chrome : layers::trace::Format::json_lines, .file = arguments[2]});
    for (const auto* const library : all_libraries()) {
        substitute(library->loaded(), library->entry_points(), &everything);
        for (const auto& function : library->functions) {
            for (int times = 0; times < 5; ++times) {
                RandomCall call(*library, function, random, RandomCall::Pointers::mixed);
                stub.answer = [&](const cubind::Call& arrived) { call.answer(arrived); };
                call.make();
            }
            std::printf("%s %s\n", library->name, function.symbol);
        }
    }
    layers::trace::stop();
    layers::remove(stub);
}
