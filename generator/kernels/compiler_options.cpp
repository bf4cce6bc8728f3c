// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/compiler_options.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include "error.hpp"

namespace cubind::gen::kernels {
namespace {

/// Options whose values name files. The code is compiled on the machine that runs the program.
constexpr std::string_view file_options[] = {"-include",
                                             "--pre-include",
                                             "--use-pch",
                                             "-use-pch",
                                             "--create-pch",
                                             "-create-pch",
                                             "--pch-dir",
                                             "-pch-dir",
                                             "--pch",
                                             "-pch",
                                             "--time",
                                             "-time",
                                             "--fdevice-time-trace",
                                             "-fdevice-time-trace",
                                             "--use-bundled-headers",
                                             "-use-bundled-headers"};
/// Options that depend on the device that runs the code.
constexpr std::string_view target_options[] = {"--gpu-architecture", "-arch", "-dlto", "--dlto", "-ltoir", "--ptx", "--cubin"};

/// Returns the value of `option` if it is one of these, written as "NAMEvalue" for short names and as "NAME=value" for long ones.
std::optional<std::string> value_of(const std::string& option, std::string_view short_name, std::string_view long_name) {
    for (const std::string& name : {std::string(long_name) + "=", std::string(short_name) + "=", std::string(short_name)}) {
        const bool is_whole_name = name == "-std" || name.starts_with("--");
        if (option.starts_with(name) && !(is_whole_name && !name.ends_with('='))) return option.substr(name.size());
    }
    return std::nullopt;
}

bool is_one_of(const std::string& option, const auto& names) {
    const std::string name = option.substr(0, option.find('='));
    return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

[[noreturn]] void refuse(const std::string& option, const std::string& reason) {
    throw InputError("the option \"" + option + "\" " + reason);
}

std::string required(const std::string& option, const std::string& value) {
    if (value.empty()) refuse(option, "has no value; write both as one option, such as -DWIDTH=4 or -Iinclude");
    return value;
}

}  // namespace

CompilerOptions sort_compiler_options(const std::vector<std::string>& options) {
    CompilerOptions sorted;
    for (const std::string& option : options) {
        if (option.empty() || option.front() != '-') refuse(option, "is no option of NVRTC: those begin with -");
        if (option.find_first_of(std::string_view("\0\n\r", 3)) != std::string::npos)
            refuse(option, "contains a control character");
        if (is_one_of(option, file_options))
            refuse(option, "names a file of this machine, but the kernels are compiled where the program runs; remove it");
        if (is_one_of(option, target_options))
            refuse(option,
                   "selects a target, but the kernels are compiled for the device that runs them; remove it, or embed "
                   "compiled code");
        if (const auto folder = value_of(option, "-I", "--include-path")) {
            sorted.includes.emplace_back(required(option, *folder));
            continue;
        }
        if (const auto define = value_of(option, "-D", "--define-macro")) sorted.defines.push_back(required(option, *define));
        if (const auto standard = value_of(option, "-std", "--std")) sorted.standard = required(option, *standard);
        sorted.enable_tile = sorted.enable_tile || option == "--enable-tile" || option == "-enable-tile";
        sorted.kept.push_back(option);
    }
    return sorted;
}

}  // namespace cubind::gen::kernels
