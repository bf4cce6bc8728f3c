// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "ptx/text/names.hpp"

#include <algorithm>
#include <iterator>

namespace CUBIND_NAMESPACE::sim::ptx {

namespace {

// In ascending order.
constexpr std::string_view instructions[] = {
    "abs",          "activemask",    "add",       "addc",       "alloca",
    "and",          "applypriority", "atom",      "bar",        "barrier",
    "bfe",          "bfi",           "bfind",     "bmsk",       "bra",
    "brev",         "brkpt",         "brx",       "call",       "clusterlaunchcontrol",
    "clz",          "cnot",          "copysign",  "cos",        "cp",
    "createpolicy", "cvt",           "cvta",      "discard",    "div",
    "dp2a",         "dp4a",          "elect",     "ex2",        "exit",
    "fence",        "fma",           "fns",       "getctarank", "griddepcontrol",
    "isspacep",     "istypep",       "ld",        "ldmatrix",   "ldu",
    "lg2",          "lop3",          "mad",       "mad24",      "madc",
    "mapa",         "match",         "max",       "mbarrier",   "membar",
    "min",          "mma",           "mov",       "movmatrix",  "mul",
    "mul24",        "multimem",      "nanosleep", "neg",        "not",
    "or",           "pmevent",       "popc",      "prefetch",   "prefetchu",
    "prmt",         "rcp",           "red",       "redux",      "rem",
    "ret",          "rsqrt",         "sad",       "selp",       "set",
    "setmaxnreg",   "setp",          "shf",       "shfl",       "shl",
    "shr",          "sin",           "slct",      "sqrt",       "st",
    "stackrestore", "stacksave",     "stmatrix",  "sub",        "subc",
    "suld",         "suq",           "sured",     "sust",       "szext",
    "tanh",         "tcgen05",       "tensormap", "testp",      "tex",
    "tld4",         "trap",          "txq",       "vabsdiff",   "vabsdiff2",
    "vabsdiff4",    "vadd",          "vadd2",     "vadd4",      "vavrg2",
    "vavrg4",       "vmad",          "vmax",      "vmax2",      "vmax4",
    "vmin",         "vmin2",         "vmin4",     "vote",       "vset",
    "vset2",        "vset4",         "vshl",      "vshr",       "vsub",
    "vsub2",        "vsub4",         "wgmma",     "wmma",       "xor",
};

// Every name of a special register begins with one of these, and may end with a number or the name of a property.
constexpr std::string_view special_registers[] = {
    "%aggr_smem_size",
    "%clock",
    "%cluster",
    "%ctaid",
    "%current_graph_exec",
    "%dynamic_smem_size",
    "%envreg",
    "%globaltimer",
    "%gridid",
    "%is_explicit_cluster",
    "%laneid",
    "%lanemask_",
    "%nclusterid",
    "%nctaid",
    "%nsmid",
    "%ntid",
    "%nwarpid",
    "%pm",
    "%reserved_smem_",
    "%smid",
    "%tid",
    "%total_smem_size",
    "%warpid",
};

}  // namespace

bool is_instruction(std::string_view name) noexcept {
    static_assert(std::is_sorted(std::begin(instructions), std::end(instructions)));
    const bool is_undocumented = name.starts_with('_');  // ptxas accepts such instructions
    return is_undocumented || std::binary_search(std::begin(instructions), std::end(instructions), name);
}

bool is_special_register(std::string_view name) noexcept {
    return std::any_of(std::begin(special_registers), std::end(special_registers),
                       [&](std::string_view each) { return name.starts_with(each); });
}

}  // namespace CUBIND_NAMESPACE::sim::ptx
