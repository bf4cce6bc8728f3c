// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

/// Compares two ways to look a function up: the lookup that precedes the first call of a function, and dlsym. A function can be
/// looked up only once per process. Each side therefore times every second function, and its figure is the median over these
/// functions. Which side times the first function is random. benchmarks/core_cost runs this program several times.

#include <cubind/entry_point.hpp>

#include <random>

#include "plain.hpp"

namespace {

double nanoseconds_of(const std::function<void()>& look_up) {
    const auto begin = std::chrono::steady_clock::now();
    look_up();
    return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count();
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values.at(values.size() / 2);
}

}  // namespace

int main() {
    bool is_plain = std::random_device()() % 2 != 0;
    if (driver_library() == nullptr) {
        std::fputs("no driver\n", stderr);
        return 77;
    }
    std::vector<double> plain, layer;
    for (cubind::EntryPoint* const entry : cubind::driver::all_entry_points()) {
        is_plain = !is_plain;
        if (is_plain) {
            plain.push_back(nanoseconds_of([&] { use(dlsym(driver_library(), entry->symbol)); }));
        } else {
            layer.push_back(nanoseconds_of([&] { use(cubind::address_of(*entry)); }));
        }
    }
    std::printf("{\"first call of a function/plain\": %.3f, \"first call of a function/lookup\": %.3f}\n", median(plain),
                median(layer));
    return 0;
}
