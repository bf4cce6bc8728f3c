// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/program/linker_options.hpp>
#include <cubind/core/program/program_options.hpp>

#include "program/options/architecture.hpp"
#include "program/options/flag_list.hpp"
#include "program/program_flags.hpp"

namespace CUBIND_NAMESPACE {
namespace {

using detail::FlagList;

const char* text_of(OfastCompile speed) {
    switch (speed) {
        case OfastCompile::off:
            break;
        case OfastCompile::min:
            return "min";
        case OfastCompile::mid:
            return "mid";
        case OfastCompile::max:
            return "max";
    }
    return "";
}

void add_code(FlagList& flags, const ProgramOptions& options) {
    flags.add({"arch", "--gpu-architecture=", options.arch.ends_with('f') ? 12090 : 12000}, options.arch);
    flags.add({"std", "--std=", options.std == "c++23" ? 13030 : 12000}, options.std);
    flags.add({"enable_tile", "--std=c++20"}, options.enable_tile && options.std.empty());
    flags.add({"relocatable_device_code", "--relocatable-device-code="}, options.relocatable_device_code);
    flags.add({"extensible_whole_program", "--extensible-whole-program"}, options.extensible_whole_program);
    flags.add({"link_time_optimization", "--dlink-time-opt"}, options.link_time_optimization);
    flags.add({"gen_opt_lto", "--gen-opt-lto"}, options.gen_opt_lto);
    flags.add({"enable_tile", "--enable-tile", 13030}, options.enable_tile);
    flags.add({"debug", "--device-debug"}, options.debug);
    flags.add({"lineinfo", "--generate-line-info"}, options.lineinfo);
    flags.add({"device_code_optimize", "--dopt=on"}, options.device_code_optimize);
    flags.add({"numba_debug", "--numba-debug", 13020}, options.numba_debug);
}

void add_optimization(FlagList& flags, const ProgramOptions& options) {
    flags.add({"ptxas_options", "--ptxas-options="}, options.ptxas_options);
    flags.add({"max_register_count", "--maxrregcount="}, options.max_register_count);
    flags.add({"ftz", "--ftz="}, options.ftz);
    flags.add({"prec_sqrt", "--prec-sqrt="}, options.prec_sqrt);
    flags.add({"prec_div", "--prec-div="}, options.prec_div);
    flags.add({"fma", "--fmad="}, options.fma);
    flags.add({"use_fast_math", "--use_fast_math"}, options.use_fast_math);
    flags.add({"extra_device_vectorization", "--extra-device-vectorization"}, options.extra_device_vectorization);
    flags.add({"restrict", "--restrict"}, options.restrict);
    flags.add({"optimization_info", "--optimization-info=inline"}, options.optimization_info == OptimizationInfo::inlining);
    const bool is_between = options.ofast_compile == OfastCompile::min || options.ofast_compile == OfastCompile::mid;
    flags.add({"ofast_compile", "--Ofast-compile=", is_between ? 12090 : 12050}, std::string(text_of(options.ofast_compile)));
    flags.add({"split_compile", "--split-compile="}, options.split_compile);
    flags.add({"frandom_seed", "--frandom-seed=", 12090}, options.frandom_seed);
}

void add_language(FlagList& flags, const ProgramOptions& options) {
    for (const Macro& macro : options.define_macro) {
        flags.add({"define_macro", "--define-macro="}, macro.name + "=" + macro.value);
    }
    flags.add({"undefine_macro", "--undefine-macro="}, options.undefine_macro);
    flags.add({"include_path", "--include-path="}, options.include_path);
    flags.add({"pre_include", "--pre-include="}, options.pre_include);
    flags.add({"no_source_include", "--no-source-include"}, options.no_source_include);
    flags.add({"builtin_move_forward", "--builtin-move-forward="}, options.builtin_move_forward);
    flags.add({"builtin_initializer_list", "--builtin-initializer-list="}, options.builtin_initializer_list);
    flags.add({"device_as_default_execution_space", "--device-as-default-execution-space"},
              options.device_as_default_execution_space);
    flags.add({"device_int128", "--device-int128"}, options.device_int128);
    flags.add({"device_float128", "--device-float128", 12080}, options.device_float128);
    flags.add({"fdevice_syntax_only", "--fdevice-syntax-only", 12040}, options.fdevice_syntax_only);
    flags.add({"minimal", "--minimal", 12040}, options.minimal);
    flags.add({"use_bundled_headers", "--use-bundled-headers=", 13030}, options.use_bundled_headers);
}

void add_messages(FlagList& flags, const ProgramOptions& options) {
    flags.add({"disable_warnings", "--disable-warnings"}, options.disable_warnings);
    flags.add({"no_display_error_number", "--no-display-error-number"}, options.no_display_error_number);
    flags.add({"diag_error", "--diag-error="}, options.diag_error);
    flags.add({"diag_suppress", "--diag-suppress="}, options.diag_suppress);
    flags.add({"diag_warn", "--diag-warn="}, options.diag_warn);
    flags.add({"brief_diagnostics", "--brief-diagnostics=", 12010}, options.brief_diagnostics);
    flags.add({"time", "--time=", 12010}, options.time);
    flags.add({"fdevice_time_trace", "--fdevice-time-trace=", 12080}, options.fdevice_time_trace);
}

void add_cached_files(FlagList& flags, const ProgramOptions& options) {
    flags.add({"no_cache", "--no-cache", 12090}, options.no_cache);
    flags.add({"pch", "--pch", 12080}, options.pch);
    flags.add({"create_pch", "--create-pch=", 12080}, options.create_pch);
    flags.add({"use_pch", "--use-pch=", 12080}, options.use_pch);
    flags.add({"pch_dir", "--pch-dir=", 12080}, options.pch_dir);
    flags.add({"pch_verbose", "--pch-verbose=", 12080}, options.pch_verbose);
    flags.add({"pch_messages", "--pch-messages=", 12080}, options.pch_messages);
    flags.add({"instantiate_templates_in_pch", "--instantiate-templates-in-pch=", 12080}, options.instantiate_templates_in_pch);
}

FlagList flags_of(const ProgramOptions& options) {
    FlagList flags("true", "false");
    add_code(flags, options);
    add_optimization(flags, options);
    add_language(flags, options);
    add_messages(flags, options);
    add_cached_files(flags, options);
    flags.add({"extra_options", ""}, options.extra_options);
    return flags;
}

}  // namespace

std::vector<std::string> detail::nvrtc_flags(const ProgramOptions& options, int nvrtc_version) {
    options.check();
    return flags_of(options).texts(OptionCheck("ProgramOptions"), "NVRTC", nvrtc_version);
}

std::vector<std::string> detail::nvvm_flags(const ProgramOptions& options) {
    options.check();
    ProgramOptions others = options;
    others.arch.clear();
    others.debug = others.lineinfo = others.device_code_optimize = others.numba_debug = others.link_time_optimization = false;
    others.ftz.reset();
    others.prec_sqrt.reset();
    others.prec_div.reset();
    others.fma.reset();
    others.extra_options.clear();
    if (const auto [option, flag] = flags_of(others).first(); option != nullptr) {
        OptionCheck("ProgramOptions")
            .refuse(option, flag,
                    "for NVVM IR, name, arch, debug, lineinfo, device_code_optimize, numba_debug, ftz, prec_sqrt, prec_div, fma, "
                    "extra_options, extra_sources and use_libdevice are allowed; other options act on C++ or PTX only.");
    }
    FlagList flags("1", "0");
    if (const auto architecture = parse_architecture(options.arch)) {
        std::string name = "compute_" + std::to_string(architecture->number);
        if (architecture->suffix != '\0') name += architecture->suffix;
        flags.add({"arch", "-arch="}, name);
    }
    flags.add({"link_time_optimization", "-gen-lto"}, options.link_time_optimization);
    flags.add({"debug", "-g"}, options.debug);
    flags.add({"lineinfo", "-generate-line-info"}, options.lineinfo);
    // libNVVM does not optimize code with debug information, and refuses to do so.
    flags.add({"debug", "-opt=0"}, options.debug && !options.device_code_optimize);
    flags.add({"device_code_optimize", "-opt=3"}, options.device_code_optimize);
    flags.add({"numba_debug", "-numba-debug"}, options.numba_debug);
    flags.add({"ftz", "-ftz="}, options.ftz);
    flags.add({"prec_sqrt", "-prec-sqrt="}, options.prec_sqrt);
    flags.add({"prec_div", "-prec-div="}, options.prec_div);
    flags.add({"fma", "-fma="}, options.fma);
    flags.add({"extra_options", ""}, options.extra_options);
    return flags.texts(OptionCheck("ProgramOptions"), "libNVVM", 0);
}

std::vector<std::string> detail::tile_flags(const ProgramOptions& options) {
    options.check();
    ProgramOptions others = options;
    others.arch.clear();
    others.debug = others.lineinfo = false;
    others.extra_options.clear();
    if (const auto [option, flag] = flags_of(others).first(); option != nullptr) {
        OptionCheck("ProgramOptions")
            .refuse(option, flag,
                    "for Tile IR, name, arch, debug, lineinfo and extra_options are allowed; other options act on C++, PTX "
                    "or NVVM IR only.");
    }
    FlagList flags("1", "0");
    // The compiler itself chooses the instructions that an architecture has alone, which the suffixes a and f allow.
    if (const auto architecture = parse_architecture(options.arch))
        flags.add({"arch", "--gpu-name=sm_"}, std::to_string(architecture->number));
    flags.add({"debug", "--device-debug"}, options.debug);
    flags.add({"lineinfo", "--lineinfo"}, options.lineinfo);
    flags.add({"extra_options", ""}, options.extra_options);
    return flags.texts(OptionCheck("ProgramOptions"), "tileiras", 0);
}

LinkerOptions ProgramOptions::linker_options() const {
    check();
    ProgramOptions others = *this;
    others.arch.clear();
    others.debug = others.lineinfo = others.no_cache = false;
    others.ptxas_options.clear();
    others.max_register_count.reset();
    others.split_compile.reset();
    if (time == "-") others.time.clear();
    if (const auto [option, flag] = flags_of(others).first(); option != nullptr) {
        detail::OptionCheck("ProgramOptions")
            .refuse(option, flag,
                    "for PTX, name, arch, debug, lineinfo, ptxas_options, "
                    "max_register_count, split_compile, no_cache, and time = \"-\" are allowed; other options act on C++ or NVVM "
                    "IR only.");
    }
    return {.name = name,
            .arch = arch,
            .max_register_count = max_register_count,
            .time = time == "-",
            .debug = debug,
            .lineinfo = lineinfo,
            .ptxas_options = ptxas_options,
            .split_compile = split_compile,
            .no_cache = no_cache};
}

std::string detail::option_that_names_a_file(const ProgramOptions& options) {
    for (const std::string& option : options.ptxas_options) {
        // These options name a file with further options: "--options-file=FILE" and "-optf FILE". They may follow other options
        // and a comma in the same text.
        if (option.find("options-file") != std::string::npos || option.find("optf") != std::string::npos) return "ptxas_options";
    }
    if (!options.use_pch.empty()) return "use_pch";
    return options.extra_options.empty() ? "" : "extra_options";
}

bool detail::writes_files(const ProgramOptions& options) noexcept {
    const bool has_report = (!options.time.empty() && options.time != "-") || !options.fdevice_time_trace.empty();
    return has_report || !options.use_bundled_headers.empty() || options.pch || !options.create_pch.empty();
}

std::string to_string(const ProgramOptions& options) {
    return flags_of(options).line();
}

}  // namespace CUBIND_NAMESPACE
