// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "curand_stand_in.hpp"

#include <cubind/curand/loading.hpp>
#include <cubind/curand/types.hpp>
#include <cubind/substitute.hpp>

#include <cstddef>
#include <map>
#include <sstream>
#include <string_view>
#include <utility>

#include "unlimited_memory.hpp"

struct curandGenerator_st {
    int type;
};

namespace cubind::testing {

using namespace curand;

namespace {

CurandStandIn& state() {
    static CurandStandIn only;
    return only;
}

using Generator = curandGenerator_t;
using Status = curandStatus_t;

template <class... Values>
Status recorded(const char* function, const Values&... values) {
    std::ostringstream text;
    text << function;
    ((text << ' ' << values), ...);
    state().calls.push_back(text.str());
    return state().failing == function ? static_cast<Status>(std::exchange(state().next_status, 0)) : CURAND_STATUS_SUCCESS;
}

Status create(Generator* generator, curandRngType_t type) {
    const Status status = recorded("curandCreateGenerator", type);
    if (status != CURAND_STATUS_SUCCESS) return status;
    ++state().handles;
    *generator = new curandGenerator_st{static_cast<int>(type)};
    return status;
}

Status destroy(Generator generator) {
    --state().handles;
    delete generator;
    return recorded("curandDestroyGenerator");
}

constexpr const char* names[] = {"curandSetPseudoRandomGeneratorSeed",
                                 "curandSetGeneratorOffset",
                                 "curandSetGeneratorOrdering",
                                 "curandSetQuasiRandomGeneratorDimensions",
                                 "curandSetStream",
                                 "curandGenerateSeeds",
                                 "curandGenerate",
                                 "curandGenerateLongLong",
                                 "curandGenerateUniform",
                                 "curandGenerateUniformDouble",
                                 "curandGenerateNormal",
                                 "curandGenerateNormalDouble",
                                 "curandGenerateLogNormal",
                                 "curandGenerateLogNormalDouble",
                                 "curandGeneratePoisson"};

/// Adds a function whose arguments after the generator are recorded.
template <class... Arguments>
struct Function {
    template <std::size_t name>
    static Status call(Generator, Arguments... arguments) {
        const UnlimitedMemory memory;
        return recorded(names[name], arguments...);
    }
    // clang++ 14 does not convert the name of a function template to a pointer of another type.
    template <std::size_t name>
    static void* address() {
        Status (*const function)(Generator, Arguments...) = call<name>;
        return reinterpret_cast<void*>(function);
    }
};

void* find(const char* symbol) noexcept {
    const UnlimitedMemory memory;
    using Long = unsigned long long;
    using Size = std::size_t;
    static const std::map<std::string_view, void*> all = {
        {"curandCreateGenerator", with_unlimited_memory<create>()},
        {"curandDestroyGenerator", with_unlimited_memory<destroy>()},
        {names[0], Function<Long>::address<0>()},
        {names[1], Function<Long>::address<1>()},
        {names[2], Function<curandOrdering_t>::address<2>()},
        {names[3], Function<unsigned int>::address<3>()},
        {names[4], Function<cudaStream_t>::address<4>()},
        {names[5], Function<>::address<5>()},
        {names[6], Function<unsigned int*, Size>::address<6>()},
        {names[7], Function<Long*, Size>::address<7>()},
        {names[8], Function<float*, Size>::address<8>()},
        {names[9], Function<double*, Size>::address<9>()},
        {names[10], Function<float*, Size, float, float>::address<10>()},
        {names[11], Function<double*, Size, double, double>::address<11>()},
        {names[12], Function<float*, Size, float, float>::address<12>()},
        {names[13], Function<double*, Size, double, double>::address<13>()},
        {names[14], Function<unsigned int*, Size, double>::address<14>()},
    };
    const auto found = all.find(symbol);
    return found == all.end() ? nullptr : found->second;
}

constexpr Substitute stand_in{.path = "a stand-in", .found_via = "a test", .find = find};

}  // namespace

CurandStandIn& curand_stand_in() {
    return state();
}

ScopedCurandStandIn::ScopedCurandStandIn() {
    const UnlimitedMemory memory;
    state() = {};
    substitute(curand::library(), curand::all_entry_points(), &stand_in);
}

ScopedCurandStandIn::~ScopedCurandStandIn() {
    const UnlimitedMemory memory;
    substitute(curand::library(), curand::all_entry_points(), nullptr);
}

}  // namespace cubind::testing
