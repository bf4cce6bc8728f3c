// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/ptx.hpp"

#include <regex>

namespace cubind::testing {
namespace {

/// Returns the size of a declaration such as ".align 4 .b8 table[16]".
std::int64_t size_of(const std::string& type_bits, const std::string& extent) {
    const std::int64_t size = std::stoi(type_bits) / 8;
    return extent.empty() ? size : size * std::stoll(extent);
}

}  // namespace

std::map<std::string, PtxKernel> kernels_in_ptx(const std::string& ptx) {
    static const std::regex entry(R"(\.entry ([A-Za-z0-9_$]+)\(([^)]*)\)([^{]*)\{)");
    static const std::regex parameter(R"(\.param (?:\.align [0-9]+ )?\.[a-z]([0-9]+) [A-Za-z0-9_$]+(?:\[([0-9]+)\])?)");
    static const std::regex threads(R"(\.maxntid ([0-9]+))");
    std::map<std::string, PtxKernel> found;
    for (std::sregex_iterator each(ptx.begin(), ptx.end(), entry), end; each != end; ++each) {
        PtxKernel kernel;
        const std::string parameters = (*each)[2], directives = (*each)[3];
        for (std::sregex_iterator one(parameters.begin(), parameters.end(), parameter); one != end; ++one) {
            kernel.parameter_sizes.push_back(size_of((*one)[1], (*one)[2]));
        }
        std::smatch match;
        if (std::regex_search(directives, match, threads)) kernel.max_threads = std::stoi(match[1]);
        found[(*each)[1]] = kernel;
    }
    return found;
}

std::map<std::string, std::int64_t> variables_in_ptx(const std::string& ptx) {
    static const std::regex variable(
        R"((?:^|\n)(?:\.[a-z]+ )?\.(?:global|const)(?: \.attribute\(\.managed\))? \.align [0-9]+ \.[a-z]([0-9]+) ([A-Za-z0-9_$]+)(?:\[([0-9]+)\])?)");
    std::map<std::string, std::int64_t> found;
    for (std::sregex_iterator each(ptx.begin(), ptx.end(), variable), end; each != end; ++each) {
        found[(*each)[2]] = size_of((*each)[1], (*each)[3]);
    }
    return found;
}

}  // namespace cubind::testing
