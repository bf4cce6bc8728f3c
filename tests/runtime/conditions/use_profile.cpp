// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core.hpp>
#include <cubind/profile.hpp>

#include <cstdlib>

#include "use.hpp"

namespace cubind::testing {

void use_profile(const std::string& folder) {
    ::setenv("CUBIND_CUPTI_LIBRARY", CUPTI_STAND_IN, 1);
    const Device device;
    const Stream stream(device);
    auto buffer = device.allocate<int>(stream, 256);
    int calls = 0;
    profile::Callbacks callbacks([&](const profile::CallbackEvent&) { ++calls; });
    callbacks.enable(profile::CallbackDomain::driver, "cuMemAlloc");
    profile::Recorder recorder({.memory_operations = true, .buffer_size = 4096, .max_buffers = 2});
    for (int i = 0; i < 20; ++i) fill(stream, buffer, i);
    stream.synchronize();
    profile::Recording all(recorder.take());
    all.merge(recorder.stop());
    callbacks.close();
    write_csv(all, folder + "/fills.csv", profile::Subject::fills);
    write_json(all, folder + "/all.json");
    write_chrome_trace(all, folder + "/trace.json");
    require(table(all, profile::Subject::fills).size() > 10 && all.kernels_by_range().empty(), "there is a table");
}

}  // namespace cubind::testing
