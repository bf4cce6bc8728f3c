// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "linker_option_cases.hpp"

namespace cubind::testing {

std::vector<OptionCase> option_cases() {
    return {
        {"arch", {.arch = "sm_90"}, {"-arch=sm_90"}},
        {"arch", {.arch = "sm_90a"}, {"-arch=sm_90a"}},
        {"arch", {.arch = "sm_100f"}, {"-arch=sm_100f"}, 12090},
        {"arch", {.arch = "compute_90", .link_time_optimization = true, .ptx = true}, {"-arch=compute_90", "-lto", "-ptx"}},
        {"max_register_count", {.max_register_count = 32}, {"-maxrregcount=32"}},
        {"time", {.time = true}, {"-time"}},
        {"verbose", {.verbose = true}, {"-verbose"}},
        {"link_time_optimization", {.link_time_optimization = true}, {"-lto"}},
        {"ptx", {.link_time_optimization = true, .ptx = true}, {"-lto", "-ptx"}},
        {"optimization_level", {.optimization_level = 0}, {"-O0"}},
        {"optimization_level", {.optimization_level = 3}, {"-O3"}},
        {"optimization_level", {.link_time_optimization = true, .optimization_level = 3}, {"-lto", "-O3"}, 12030},
        {"debug", {.debug = true}, {"-g"}},
        {"lineinfo", {.lineinfo = true}, {"-lineinfo"}},
        {"ftz", {.ftz = true}, {"-ftz=1"}},
        {"ftz", {.ftz = false}, {"-ftz=0"}},
        {"prec_div", {.prec_div = true}, {"-prec-div=1"}},
        {"prec_div", {.prec_div = false}, {"-prec-div=0"}},
        {"prec_sqrt", {.prec_sqrt = true}, {"-prec-sqrt=1"}},
        {"prec_sqrt", {.prec_sqrt = false}, {"-prec-sqrt=0"}},
        {"fma", {.fma = true}, {"-fma=1"}},
        {"fma", {.fma = false}, {"-fma=0"}},
        {"kernels_used", {.kernels_used = {"used", "other"}}, {"-kernels-used=used", "-kernels-used=other"}},
        {"variables_used", {.variables_used = {"one", "two"}}, {"-variables-used=one", "-variables-used=two"}},
        {"optimize_unused_variables", {.optimize_unused_variables = true}, {"-optimize-unused-variables"}},
        {"ptxas_options", {.ptxas_options = {"-O1", "-v"}}, {"-Xptxas=-O1", "-Xptxas=-v"}},
        {"split_compile", {.split_compile = 0}, {"-split-compile=0"}, 12030},
        {"split_compile", {.split_compile = 2}, {"-split-compile=2"}, 12030},
        {"split_compile_extended", {.split_compile_extended = 2}, {"-split-compile-extended=2"}, 12030},
        {"no_cache", {.no_cache = true}, {"-no-cache"}, 12050},
    };
}

}  // namespace cubind::testing
