// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/linker_options.hpp>

#include <cubind/driver/types.hpp>

#include "options/architecture.hpp"
#include "options/option_check.hpp"

namespace cubind {
namespace {

using namespace driver;
using detail::OptionCheck;

constexpr const char* only_old_lto_ir = "the driver's linker optimises no LTO-IR but that of toolkits before CUDA 12.0; nvJitLink does.";
constexpr const char* only_nvjitlink = "the driver's linker has no such option; nvJitLink has.";
constexpr const char* only_by_environment = "the driver's linker has no such option; the environment variable CUDA_CACHE_DISABLE=1 turns "
                                            "the driver's cache off, and nvJitLink has the option.";

// What is set of what the driver has no means for, or has only for LTO-IR that no supported toolkit makes.
void refuse_others(const LinkerOptions& options) {
    const struct {
        bool is_set;
        const char* option;
        const char* why;
    } others[] = {
        {options.link_time_optimization, "link_time_optimization", only_old_lto_ir},
        {options.ftz.has_value(), "ftz", only_old_lto_ir},
        {options.prec_div.has_value(), "prec_div", only_old_lto_ir},
        {options.prec_sqrt.has_value(), "prec_sqrt", only_old_lto_ir},
        {options.fma.has_value(), "fma", only_old_lto_ir},
        {!options.kernels_used.empty(), "kernels_used", only_old_lto_ir},
        {!options.variables_used.empty(), "variables_used", only_old_lto_ir},
        {options.optimize_unused_variables, "optimize_unused_variables", only_old_lto_ir},
        {!options.ptxas_options.empty(), "ptxas_options", only_nvjitlink},
        {options.split_compile_extended.has_value(), "split_compile_extended", only_nvjitlink},
        {options.no_cache, "no_cache", only_by_environment},
    };
    for (const auto& other : others) {
        if (other.is_set) OptionCheck("LinkerOptions").refuse(other.option, "set", other.why);
    }
}

// CUjit_target is the number of the architecture, to which a base is added for a and f.
unsigned target(const std::string& arch) {
    const auto architecture = detail::parse_architecture(arch);
    constexpr unsigned accelerated = CU_TARGET_COMPUTE_90A - CU_TARGET_COMPUTE_90;
    constexpr unsigned family = CU_TARGET_COMPUTE_100F - CU_TARGET_COMPUTE_100;
    return architecture->number + (architecture->suffix == 'a' ? accelerated : architecture->suffix == 'f' ? family : 0);
}

}  // namespace

std::vector<std::pair<CUjit_option, unsigned>> LinkerOptions::driver_options(int driver_version) const {
    check();
    refuse_others(*this);
    std::vector<std::pair<CUjit_option, unsigned>> values;
    const auto add = [&values](CUjit_option option, unsigned value) { values.emplace_back(option, value); };
    if (!arch.empty()) add(CU_JIT_TARGET, target(arch));
    if (max_register_count) add(CU_JIT_MAX_REGISTERS, static_cast<unsigned>(*max_register_count));
    if (time) add(CU_JIT_WALL_TIME, 0);
    if (verbose) add(CU_JIT_LOG_VERBOSE, 1);
    if (optimization_level) add(CU_JIT_OPTIMIZATION_LEVEL, static_cast<unsigned>(*optimization_level));
    if (debug) add(CU_JIT_GENERATE_DEBUG_INFO, 1);
    if (lineinfo) add(CU_JIT_GENERATE_LINE_INFO, 1);
    if (split_compile) {
        const std::string what = "CU_JIT_SPLIT_COMPILE=" + std::to_string(*split_compile);
        OptionCheck("LinkerOptions").release("split_compile", what, "a driver", 13000, driver_version);
        add(CU_JIT_SPLIT_COMPILE, static_cast<unsigned>(*split_compile));
    }
    return values;
}

}  // namespace cubind
