// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/program/linker_options.hpp>

#include "program/link/linker_flags.hpp"
#include "program/options/architecture.hpp"
#include "program/options/flag_list.hpp"

namespace CUBIND_NAMESPACE {
namespace {

using detail::FlagList;
using detail::OptionCheck;

// nvJitLink passes 1 and 0 on to the compiler of LTO-IR, which does not accept true and false.
FlagList flags_of(const LinkerOptions& options) {
    FlagList flags("1", "0");
    flags.add({"arch", "-arch=", options.arch.ends_with('f') ? 12090 : 12000}, options.arch);
    flags.add({"max_register_count", "-maxrregcount="}, options.max_register_count);
    flags.add({"time", "-time"}, options.time);
    flags.add({"verbose", "-verbose"}, options.verbose);
    flags.add({"link_time_optimization", "-lto"}, options.link_time_optimization);
    flags.add({"ptx", "-ptx"}, options.ptx);
    flags.add({"optimization_level", "-O", options.link_time_optimization ? 12030 : 12000}, options.optimization_level);
    flags.add({"debug", "-g"}, options.debug);
    flags.add({"lineinfo", "-lineinfo"}, options.lineinfo);
    flags.add({"ftz", "-ftz="}, options.ftz);
    flags.add({"prec_div", "-prec-div="}, options.prec_div);
    flags.add({"prec_sqrt", "-prec-sqrt="}, options.prec_sqrt);
    flags.add({"fma", "-fma="}, options.fma);
    flags.add({"kernels_used", "-kernels-used="}, options.kernels_used);
    flags.add({"variables_used", "-variables-used="}, options.variables_used);
    flags.add({"optimize_unused_variables", "-optimize-unused-variables"}, options.optimize_unused_variables);
    flags.add({"ptxas_options", "-Xptxas="}, options.ptxas_options);
    flags.add({"split_compile", "-split-compile=", 12030}, options.split_compile);
    flags.add({"split_compile_extended", "-split-compile-extended=", 12030}, options.split_compile_extended);
    flags.add({"no_cache", "-no-cache", 12050}, options.no_cache);
    return flags;
}

}  // namespace

void LinkerOptions::check() const {
    const OptionCheck check("LinkerOptions");
    check.text("name", name);
    check.architecture("arch", arch);
    check.at_least(1, "max_register_count", max_register_count);
    if (optimization_level && (*optimization_level < 0 || *optimization_level > 4)) {
        check.refuse("optimization_level", std::to_string(*optimization_level),
                     "0 and 3 are allowed; the driver's linker allows 0 to 4.");
    }
    check.texts("kernels_used", kernels_used);
    check.texts("variables_used", variables_used);
    check.texts("ptxas_options", ptxas_options);
    check.at_least(0, "split_compile", split_compile);
    check.at_least(0, "split_compile_extended", split_compile_extended);
    if (ptx && !link_time_optimization) {
        check.refuse("ptx", "true",
                     "it is allowed only with link_time_optimization = true, because only LTO-IR can be linked to PTX.");
    }
    const auto architecture = detail::parse_architecture(arch);
    if (architecture && architecture->is_virtual && !ptx) {
        check.refuse("arch", detail::in_quotes(arch),
                     "a cubin needs a real architecture, e.g. sm_90; compute_ is allowed with ptx = true.");
    }
}

std::vector<std::string> detail::nvjitlink_flags(const LinkerOptions& options, int nvjitlink_version) {
    options.check();
    const OptionCheck check("LinkerOptions");
    if (const auto level = options.optimization_level; level && *level != 0 && *level != 3) {
        check.refuse("optimization_level", std::to_string(*level), "nvJitLink allows 0 and 3.");
    }
    return flags_of(options).texts(check, "nvJitLink", nvjitlink_version);
}

std::string to_string(const LinkerOptions& options) {
    return flags_of(options).line();
}

}  // namespace CUBIND_NAMESPACE
