// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "find_simulation.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "platform/path_trust.hpp"
#include "platform/process.hpp"

namespace {

namespace fs = std::filesystem;

// The dynamic linker may load any file of the folder, so all of them count.
std::string find_trust_problem(const fs::path& folder) {
    std::string problem = cubind::detail::trust_problem(folder.string());
    std::error_code error;
    for (fs::directory_iterator entry(folder, error); problem.empty() && !error && entry != fs::directory_iterator();
         entry.increment(error)) {
        problem = cubind::detail::trust_problem(entry->path().string());
    }
    if (problem.empty() && error) return "cannot read " + folder.string() + ": " + error.message();
    return problem;
}

}  // namespace

FoundSimulation find_simulation() {
    std::string self;
    // Without its own folder, the search would find libraries in the working directory.
    if (const int error = cubind::detail::find_program_file(self)) {
        return {{}, "cannot find its own folder: " + std::generic_category().message(error)};
    }
    std::error_code error;
    const fs::path place = (fs::path(self).parent_path() / CUBIND_SIM_FOLDER).lexically_normal();
    if (!fs::exists(place / "libcuda.so.1", error)) {
        return {{}, "found no simulated libcuda.so.1 beside " + self + ": not in " + place.string()};
    }
    // Of the place first, because a link can lead anywhere.
    if (std::string problem = cubind::detail::trust_problem(place.string()); !problem.empty()) return {{}, std::move(problem)};
    const fs::path folder = fs::canonical(place, error);
    if (error) return {{}, "cannot use " + place.string() + ": " + error.message()};
    if (std::string problem = find_trust_problem(folder); !problem.empty()) return {{}, std::move(problem)};
    if (folder.string().find_first_of(":;$") == std::string::npos) return {folder.string(), {}};
    return {{}, "cannot use " + folder.string() + ": LD_LIBRARY_PATH cannot have a folder with ':', ';' or '$' in its name"};
}
