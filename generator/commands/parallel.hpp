// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <future>
#include <string>
#include <vector>

#include "commands/progress.hpp"

namespace cubind::gen::commands {

/// Calls `work(library)` for each library on a separate thread and returns the results in the same order. Rethrows the first
/// exception, in the order of the libraries, after all threads have ended.
template <class Work>
auto for_each_library(const std::vector<std::string>& libraries, const std::string& verb, Work work) {
    using Result = decltype(work(libraries.front()));
    Progress progress(libraries.size());
    std::vector<std::future<Result>> running;
    for (const auto& library : libraries) {
        running.push_back(std::async(std::launch::async, [&, library] {
            progress.start(verb + " " + library);
            Result result = work(library);
            progress.finish_one();
            return result;
        }));
    }
    for (auto& each : running) each.wait();
    std::vector<Result> results;
    for (auto& each : running) results.push_back(each.get());
    return results;
}

}  // namespace cubind::gen::commands
