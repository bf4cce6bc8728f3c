// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "cufft_stand_in.hpp"

#include <cubind/cufft/loading.hpp>
#include <cubind/cufft/types.hpp>
#include <cubind/substitute.hpp>

#include <map>
#include <sstream>
#include <string_view>
#include <utility>

#include "unlimited_memory.hpp"

namespace cubind::testing {

using namespace cufft;

namespace {

CufftStandIn& state() {
    static CufftStandIn only;
    return only;
}

constexpr cufftHandle first_plan = 7;

/// Records a call with its values, and returns its status.
template <class... Values>
cufftResult recorded(const char* function, const Values&... values) {
    std::ostringstream text;
    text << function;
    ((text << ' ' << values), ...);
    state().calls.push_back(text.str());
    return state().failing == function ? static_cast<cufftResult>(std::exchange(state().next_status, 0)) : CUFFT_SUCCESS;
}

std::string list(int count, const long long* values) {
    std::string text = "(";
    for (int i = 0; i < count; ++i) text += (i == 0 ? "" : ", ") + std::to_string(values[i]);
    return text + ")";
}

cufftResult create(cufftHandle* plan) {
    const cufftResult status = recorded("cufftCreate");
    if (status == CUFFT_SUCCESS) *plan = first_plan + state().handles++;
    return status;
}

cufftResult destroy(cufftHandle plan) {
    --state().handles;
    return recorded("cufftDestroy", plan);
}

cufftResult make(cufftHandle, int rank, long long* n, long long* inembed, long long istride, long long idist, cudaDataType input,
                 long long* onembed, long long ostride, long long odist, cudaDataType output, long long batch, std::size_t* size,
                 cudaDataType execution) {
    *size = state().workspace_size;
    return recorded("cufftXtMakePlanMany", list(rank, n), "batch", batch, "in", list(rank, inembed), istride, idist, "out",
                    list(rank, onembed), ostride, odist, "types", input, output, execution);
}

cufftResult set_callback(cufftHandle, const char* symbol, const void* code, std::size_t size, cufftXtCallbackType type,
                         void** data) {
    state().callbacks.push_back({symbol, std::string(static_cast<const char*>(code), size), type, *data});
    return recorded("cufftXtSetJITCallback", symbol, type);
}

cufftResult set_auto_allocation(cufftHandle, int value) {
    return recorded("cufftSetAutoAllocation", value);
}

cufftResult set_stream(cufftHandle, cudaStream_t stream) {
    return recorded("cufftSetStream", stream);
}

cufftResult set_work_area(cufftHandle, void* area) {
    return recorded("cufftSetWorkArea", area);
}

cufftResult exec(cufftHandle plan, void* input, void* output, int direction) {
    return recorded("cufftXtExec", plan, input, output, direction);
}

void* find(const char* symbol) noexcept {
    const UnlimitedMemory memory;
    static const std::map<std::string_view, void*> all = {
        {"cufftCreate", with_unlimited_memory<create>()},
        {"cufftDestroy", with_unlimited_memory<destroy>()},
        {"cufftXtMakePlanMany", with_unlimited_memory<make>()},
        {"cufftXtSetJITCallback", with_unlimited_memory<set_callback>()},
        {"cufftSetAutoAllocation", with_unlimited_memory<set_auto_allocation>()},
        {"cufftSetStream", with_unlimited_memory<set_stream>()},
        {"cufftSetWorkArea", with_unlimited_memory<set_work_area>()},
        {"cufftXtExec", with_unlimited_memory<exec>()},
    };
    const auto found = all.find(symbol);
    return found == all.end() ? nullptr : found->second;
}

constexpr Substitute stand_in{.path = "a stand-in", .found_via = "a test", .find = find};

}  // namespace

std::vector<std::string> CufftStandIn::taken_calls() {
    auto taken = std::exchange(calls, {});
    std::erase_if(taken, [](const std::string& call) {
        return call == "cufftCreate" || call.starts_with("cufftDestroy") || call == "cufftSetAutoAllocation 0";
    });
    return taken;
}

CufftStandIn& cufft_stand_in() {
    return state();
}

ScopedCufftStandIn::ScopedCufftStandIn() {
    const UnlimitedMemory memory;
    state() = {};
    substitute(cufft::library(), cufft::all_entry_points(), &stand_in);
}

ScopedCufftStandIn::~ScopedCufftStandIn() {
    const UnlimitedMemory memory;
    substitute(cufft::library(), cufft::all_entry_points(), nullptr);
}

}  // namespace cubind::testing
