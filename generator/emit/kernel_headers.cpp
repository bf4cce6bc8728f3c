// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "emit/kernel_headers.hpp"

#include <algorithm>
#include <cctype>

#include "emit/digest.hpp"
#include "emit/wrap.hpp"

namespace cubind::gen::emit {
namespace {

/// Returns a text that differs for different inputs: each part is preceded by its length.
std::string all_inputs(const kernels::KernelFile& file, const KernelHeaderOptions& options) {
    std::string text;
    const auto add = [&](const std::string& part) { text += std::to_string(part.size()) + ":" + part; };
    add(file.source);
    for (const kernels::Header& header : file.headers) {
        add(header.name);
        add(header.text);
    }
    for (const kernels::Kernel& kernel : file.kernels) add(kernel.symbol + kernel.name_expression);
    for (const std::string& option : options.compiler_options) add(option);
    add(options.compiled.bytes);
    return text;
}

std::string version_of(const kernels::KernelFile& file, const KernelHeaderOptions& options) {
    std::string name = file.name;
    for (char& each : name) {
        if (std::isalnum(static_cast<unsigned char>(each)) == 0) each = '_';
    }
    return "of_" + name + "_" + digest_of(all_inputs(file, options));
}

}  // namespace

Outputs render_kernel_headers(const kernels::KernelFile& file, const KernelHeaderOptions& options, const Templates& templates) {
    const Data data = to_data(kernel_file_json(file, options, version_of(file, options)));
    return {{file.name + ".hpp", wrap_lines(templates.render("kernels.hpp", {&data}))},
            {file.name + ".code.hpp", templates.render("kernels_code.hpp", {&data})}};
}

}  // namespace cubind::gen::emit
