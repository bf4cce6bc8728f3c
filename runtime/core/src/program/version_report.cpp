// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/device/device.hpp>
#include <cubind/core/device/simulation.hpp>
#include <cubind/core/program/object_code.hpp>
#include <cubind/core/program/program.hpp>
#include <cubind/core/program/version_report.hpp>
#include <cubind/detail/ptx_isa.hpp>
#include <cubind/detail/toolkit_headers.hpp>
#include <cubind/driver/loading.hpp>
#include <cubind/driver/version.hpp>
#include <cubind/failure.hpp>
#include <cubind/nvjitlink/loading.hpp>
#include <cubind/nvrtc/loading.hpp>
#include <cubind/nvrtc/query.hpp>
#include <cubind/nvrtc/status.hpp>
#include <cubind/ptx_version.hpp>

#include <algorithm>
#include <string_view>

#include "calls/driver.hpp"

namespace CUBIND_NAMESPACE {
namespace {

std::string first_line(std::string_view text) {
    return std::string(text.substr(0, text.find('\n')));
}

FoundLibrary find(Library& library) {
    FoundLibrary found;
    found.name = library.name;
    if (!load(library)) {
        found.problem = first_line(last_failure().detail);
        return found;
    }
    found.path = library_path(library);
    found.found_via = library_found_via(library);
    if (!library.has_own_releases) found.release = version(library);
    return found;
}

// A simulated driver in this process has no file.
FoundLibrary find_driver() {
    FoundLibrary found;
    found.name = driver::library().name;
    const auto reported = driver::cuDriverGetVersion();
    if (!reported.ok()) return find(driver::library());
    found.release = reported.value;
    if (is_simulated_driver()) return found;
    if (const char* const path = library_path(driver::library())) found.path = path;
    if (const char* const step = library_found_via(driver::library())) found.found_via = step;
    return found;
}

std::vector<VersionFacts::Device> find_devices(std::vector<VersionProblem>& problems) {
    std::vector<VersionFacts::Device> devices;
    try {
        for (const Device each : Device::all()) {
            const auto [major, minor] = each.compute_capability();
            devices.push_back({each.ordinal(), each.name(), 10 * major + minor});
        }
    } catch (const Error& failure) {
        problems.push_back({"driver_unusable", first_line(failure.what())});
    }
    return devices;
}

// Compiles for the oldest architecture, so that no device limits what NVRTC can do.
void measure_compiler(VersionFacts& facts) {
    try {
        const int count = check(nvrtc::nvrtcGetNumSupportedArchs());
        facts.nvrtc_architectures.resize(static_cast<std::size_t>(count));
        check(nvrtc::nvrtcGetSupportedArchs(facts.nvrtc_architectures.data()));
        const int oldest = *std::min_element(facts.nvrtc_architectures.begin(), facts.nvrtc_architectures.end());
        Program program("extern \"C\" __global__ void empty() {}\n", {.arch = "compute_" + std::to_string(oldest)});
        const ObjectCode code = program.compile(CodeType::ptx);
        if (const auto version = ptx_version(code.text())) facts.emitted_ptx = 1000 * version->major + 10 * version->minor;
    } catch (const Error& failure) {
        facts.nvrtc_failure = first_line(failure.what());
    }
}

void find_headers(VersionFacts& facts) {
    const detail::ToolkitHeaders headers = detail::toolkit_headers(facts.nvrtc_path, facts.nvrtc);
    facts.headers = headers.release;
    if (!headers.folders.empty()) facts.headers_path = headers.folders.front();
    if (!headers.refused.empty()) facts.refused_headers = headers.refused.front();
}

std::string line_of(const FoundLibrary& library) {
    std::string line = library.name + ": ";
    if (!library.problem.empty()) return line.append(library.problem);
    line.append(library.release != 0 ? "CUDA " + detail::release_text(library.release) : "found");
    if (library.path.empty()) return line.append(", simulated");
    return line.append(", ").append(library.path).append(" (").append(library.found_via).append(")");
}

}  // namespace

VersionReport diagnose_versions(std::span<Library* const> others) {
    VersionReport report;
    const FoundLibrary& driver = report.libraries.emplace_back(find_driver());
    report.facts.driver = driver.release;
    if (driver.release == 0) {
        report.problems.push_back({"driver_missing", driver.problem});
    } else {
        report.facts.devices = find_devices(report.problems);
    }
    for (Library* const each : {&nvrtc::library(), &nvjitlink::library()}) report.libraries.push_back(find(*each));
    const FoundLibrary compiler = report.libraries[1];
    report.facts.has_nvrtc = compiler.problem.empty();
    report.facts.nvrtc = compiler.release;
    report.facts.nvrtc_path = compiler.path;
    report.facts.has_nvjitlink = report.libraries[2].problem.empty();
    report.facts.nvjitlink = report.libraries[2].release;
    if (report.facts.has_nvrtc) {
        measure_compiler(report.facts);
        find_headers(report.facts);
    }
    for (Library* const each : others) {
        report.libraries.push_back(find(*each));
        if (report.libraries.back().name == "runtime") report.facts.runtime = report.libraries.back().release;
    }
    for (VersionProblem& each : find_version_problems(report.facts)) report.problems.push_back(std::move(each));
    return report;
}

std::string VersionReport::text() const {
    std::string text;
    for (const FoundLibrary& each : libraries) text.append(line_of(each)).append("\n");
    if (facts.emitted_ptx != 0) text.append("PTX: NVRTC writes ").append(detail::release_text(facts.emitted_ptx)).append("\n");
    for (const VersionFacts::Device& each : facts.devices) {
        text.append(detail::concat("device ", each.ordinal, ": ", each.name, ", sm_", each.architecture, "\n"));
    }
    for (const VersionProblem& each : problems) text.append(each.id).append(": ").append(each.text).append("\n");
    return text;
}

}  // namespace CUBIND_NAMESPACE
