// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <sstream>

#include "lines.hpp"
#include "mismatches.hpp"

namespace cubind::info {
namespace {

// Returns the first line of the loader's message that contains `part`: a place of the search and the reason why it failed there.
std::string search_line(const LibraryFacts& library, const std::string& part) {
    std::istringstream lines(library.why_missing);
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with("  ") || line.find(part) == std::string::npos) continue;
        return line.substr(line.find(": ") + 2);  // without the name of the step
    }
    return "";
}

std::string first_line(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

bool is_unusable_override(const LibraryFacts& library) {
    return !library.found && !library.override_value.empty();
}

void find_unusable_override(const LibraryFacts& library, std::vector<Mismatch>& found) {
    if (!is_unusable_override(library)) return;
    found.push_back(
        {"override_unusable", library.override_variable + " does not name a usable library (" +
                                  search_line(library, "environment variable: ") +
                                  "): set it to the absolute path of a library, or unset it to search for the library."});
}

// The OS loader's places precede the variables of the toolkit, so its libraries can be of another toolkit.
void find_unused_toolkit(const Facts& facts, const ToolkitVariable& toolkit, std::vector<Mismatch>& found) {
    if (toolkit.value.empty() || !toolkit.problem.empty()) return;
    std::string others;
    for (const auto& library : facts.libraries) {
        const bool is_in_toolkit = library.real_path.starts_with(toolkit.real_path + "/");
        const auto& names = toolkit.libraries;
        const bool has_copy = std::find(names.begin(), names.end(), library.name) != names.end();
        if (library.found_via != "OS loader" || is_in_toolkit || !has_copy) continue;
        others += (others.empty() ? "" : ", ") + library.name + " (" + library.real_path + ")";
    }
    if (others.empty()) return;
    found.push_back({"other_toolkit_used", toolkit.name + " is " + toolkit.value +
                                               ", but the OS loader, which precedes the variable, finds libraries outside of "
                                               "that toolkit: " +
                                               others +
                                               "; put the toolkit's folder of libraries first in LD_LIBRARY_PATH, or unset " +
                                               toolkit.name + "."});
}

void find_refused_major(const LibraryFacts& library, std::vector<Mismatch>& found) {
    if (library.found || library.needed_major == 0 || is_unusable_override(library)) return;
    std::string refused = search_line(library, ": is of another major");
    if (refused.empty()) refused = search_line(library, ": is major ");
    if (refused.empty()) return;
    const std::string major = std::to_string(library.needed_major);
    found.push_back({"major_refused", "The " + library.name +
                                          " library was found only in a major version that cubind cannot use (" + refused +
                                          "): install the library of CUDA " + major + ", or set " + library.override_variable +
                                          " to its absolute path."});
}

constexpr int stub_status = 34;  // CUDA_ERROR_STUB_LIBRARY

void find_missing_driver(const Facts& facts, std::vector<Mismatch>& found) {
    const LibraryFacts& driver = facts.library("driver");
    const std::string stub_remedy =
        "install the NVIDIA driver, and let no variable, run path or link lead to the stub, which the toolkit contains for "
        "linking only.";
    if (!driver.found) {
        if (is_unusable_override(driver)) return;
        const std::string stub = search_line(driver, " is a stub: ");
        if (stub.empty()) {
            found.push_back({"driver_missing", first_line(driver.why_missing)});
        } else {
            found.push_back({"driver_is_stub", "Only a stub of the driver was found (" + stub + "): " + stub_remedy});
        }
    } else if (!facts.driver.usable && facts.driver.status == stub_status) {
        found.push_back(
            {"driver_is_stub", driver.path + " is a stub of the driver (" + facts.driver.status_name + "): " + stub_remedy});
    } else if (!facts.driver.usable) {
        found.push_back(
            {"driver_unusable", driver.path + " was loaded but reports no devices: " + facts.driver.status_name + " (" +
                                    std::to_string(facts.driver.status) +
                                    "); check that this machine has a GPU, that the kernel "
                                    "module is loaded and has the same version, and that this user may open /dev/nvidia*." +
                                    (driver.search_notes.empty() ? "" : " Note: " + join_strings(driver.search_notes) + ".")});
    } else if (facts.driver.devices.empty()) {
        found.push_back(
            {"no_device", "The driver works but reports no device: check whether CUDA_VISIBLE_DEVICES hides the devices."});
    }
}

}  // namespace

void find_search_mismatches(const Facts& facts, std::vector<Mismatch>& found) {
    for (const auto& library : facts.libraries) find_unusable_override(library, found);
    for (const auto& toolkit : facts.toolkits) {
        if (toolkit.problem.empty()) continue;
        found.push_back({"toolkit_folder_without_libraries", toolkit.name + " is " + toolkit.value + ", which " +
                                                                 toolkit.problem +
                                                                 ": set it to the folder of a CUDA toolkit, or unset it."});
    }
    for (const auto& toolkit : facts.toolkits) find_unused_toolkit(facts, toolkit, found);
    for (const auto& library : facts.libraries) find_refused_major(library, found);
    find_missing_driver(facts, found);
}

}  // namespace cubind::info
