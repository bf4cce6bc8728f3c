// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// usage: sweep_pages_program FOLDER. Writes the pages that sweep_page_test.py looks at.
#include <cubind/sweep/sweep_result.hpp>

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "sweep_results.hpp"

using namespace cubind;

namespace {

profile::SweepResult compared(const std::string& folder) {
    testing::saxpy_result(3, 2).write(folder + "/baseline.csv");
    std::vector<profile::Measurement> all = testing::saxpy_result(3, 2).measurements();
    all[4] = testing::measured(all[4].configuration, all[4].device.median.count() * 1.3, 0.02, {1900.0, 39.5});
    all[5] = testing::failed(all[5].configuration, "cuLaunchKernel failed: CUDA_ERROR_INVALID_VALUE\nThe block is too large.", 2);
    profile::SweepResult result("saxpy", "NVIDIA H200", "13.0", {{"bandwidth", "GB/s"}, {"of computed peak", "%"}},
                                std::move(all));
    return result.compare(folder + "/baseline.csv");
}

// A list without numbers, with names that must be escaped.
profile::SweepResult named() {
    const std::string hostile = "</script><img src=x onerror=\"document.title='attacked'\"> '&\n<!--\xff";
    std::vector<profile::Measurement> all;
    double time = 3e-6;
    for (const std::string& each :
         {std::string("naive"), std::string("tiled, 32 x 32 elements with padding against bank conflicts"), hostile}) {
        all.push_back(testing::measured({{"kernel", each}}, time *= 1.7));
    }
    return {"transposition " + hostile, "NVIDIA H200", "13.0", {}, std::move(all)};
}

}  // namespace

int main(int count, char** arguments) try {
    if (count != 2) return 2;
    const std::string folder = arguments[1];
    testing::saxpy_result(1, 1).write(folder + "/1.html");
    compared(folder).write(folder + "/6.html");
    testing::saxpy_result(20, 10, "saxpy of 200 configurations").write(folder + "/200.html");
    named().write(folder + "/named.html");
    return 0;
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
