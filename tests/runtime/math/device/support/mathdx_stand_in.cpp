// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "mathdx_stand_in.hpp"

#include <cubind/mathdx/loading.hpp>
#include <cubind/substitute.hpp>

#include <cstddef>
#include <cstring>
#include <map>
#include <string_view>

namespace cubind::testing {
namespace {

MathdxStandIn& state() {
    static MathdxStandIn instance;
    return instance;
}

constexpr char symbol_text[] = "generated_symbol";
constexpr char code_text[] = "code of the stand-in";

enum Part { fft, gemm, solver, random };
constexpr const char* part_names[] = {"fft", "gemm", "solver", "random"};

/// The functions that each part has.
template <Part part>
struct Functions {
    static void record(int number, std::size_t count, const long long* values) {
        std::string text = std::string(part_names[part]) + " " + std::to_string(number) + " =";
        for (std::size_t i = 0; i < count; ++i) text += " " + std::to_string(values[i]);
        state().operators.push_back(text);
    }
    static int create(long long* handle) {
        *handle = ++state().descriptors + 1000 * part;
        return 0;
    }
    static int destroy(long long) {
        --state().descriptors;
        return 0;
    }
    static int name(long long, int, const char* symbol) {
        state().names.emplace_back(symbol);
        return 0;
    }
    static int set(long long, int number, long long value) {
        record(number, 1, &value);
        return 0;
    }
    static int set_array(long long, int number, std::size_t count, const long long* values) {
        record(number, count, values);
        return 0;
    }
    static int trait(long long, int number, long long* value) {
        *value = 16 + number;
        return state().trait_status;
    }
    static int traits(long long, int number, std::size_t count, long long* values) {
        for (std::size_t i = 0; i < count; ++i) values[i] = i == 0 ? 32 + number : 1;
        return state().trait_status;
    }
    static int finalize(long long, long long) {
        ++state().finalized;
        return state().finalize_status;
    }
    static const char* operator_name(int) { return "AN_OPERATOR"; }

    static void add(std::map<std::string_view, void*>& all, const std::string& prefix) {
        static std::vector<std::string> texts;  // which the views refer to
        texts.reserve(16);
        const auto add_function = [&](const char* suffix, auto* function) {
            texts.push_back(prefix + suffix);
            all[texts.back()] = reinterpret_cast<void*>(function);
        };
        add_function("CreateDescriptor", create);
        add_function("DestroyDescriptor", destroy);
        add_function("SetOptionStr", name);
        add_function("SetOperatorInt64", set);
        add_function("SetOperatorInt64s", set_array);
        add_function("GetTraitInt64", trait);
        add_function("GetTraitInt64s", traits);
        add_function("FinalizeCode", finalize);
        add_function("OperatorTypeToStr", operator_name);
    }
};

int is_supported(long long, int* value) {
    *value = state().is_supported;
    return 0;
}

int string_size(long long, int, std::size_t* size) {
    *size = sizeof symbol_text;
    return 0;
}

int string(long long, int, std::size_t size, char* text) {
    std::memcpy(text, symbol_text, size);
    return 0;
}

int create_code(long long* code) {
    *code = ++state().codes;
    return 0;
}

int destroy_code(long long) {
    --state().codes;
    return 0;
}

int set_code_option(long long, int, long long value) {
    state().architecture = value;
    return 0;
}

int code_size(long long, std::size_t* size) {
    *size = sizeof code_text;
    return 0;
}

int code_bytes(long long, std::size_t size, void* bytes) {
    std::memcpy(bytes, code_text, size);
    return 0;
}

int log_size(std::size_t* size) {
    *size = state().log.size() + 1;
    return 0;
}

int log(int* status, std::size_t size, char* text) {
    *status = 3;
    std::memcpy(text, state().log.c_str(), size);
    return 0;
}

int version(int* major, int* minor, int* patch) {
    *major = 0;
    *minor = 4;
    *patch = 1;
    return 0;
}

std::map<std::string_view, void*> all_functions() {
    std::map<std::string_view, void*> all;
    Functions<fft>::add(all, "cufftdx");
    Functions<gemm>::add(all, "cublasdx");
    Functions<solver>::add(all, "cusolverdx");
    Functions<random>::add(all, "curanddx");
    all["cufftdxIsSupported"] = reinterpret_cast<void*>(is_supported);
    all["curanddxGetTraitStrSize"] = reinterpret_cast<void*>(string_size);
    all["curanddxGetTraitStr"] = reinterpret_cast<void*>(string);
    all["cusolverdxGetUniversalFATBINSize"] = reinterpret_cast<void*>(code_size);
    all["cusolverdxGetUniversalFATBIN"] = reinterpret_cast<void*>(code_bytes);
    all["commondxCreateCode"] = reinterpret_cast<void*>(create_code);
    all["commondxDestroyCode"] = reinterpret_cast<void*>(destroy_code);
    all["commondxSetCodeOptionInt64"] = reinterpret_cast<void*>(set_code_option);
    all["commondxGetCodeLTOIRSize"] = reinterpret_cast<void*>(code_size);
    all["commondxGetCodeLTOIR"] = reinterpret_cast<void*>(code_bytes);
    all["commondxGetLastErrorStrSize"] = reinterpret_cast<void*>(log_size);
    all["commondxGetLastErrorStr"] = reinterpret_cast<void*>(log);
    all["mathdxGetVersionEx"] = reinterpret_cast<void*>(version);
    return all;
}

void* find(const char* symbol) noexcept {
    static const std::map<std::string_view, void*> all = all_functions();
    const auto found = all.find(symbol);
    return found == all.end() ? nullptr : found->second;
}

constexpr Substitute stand_in{.path = "a stand-in", .found_via = "a test", .find = find};

}  // namespace

MathdxStandIn& mathdx_stand_in() {
    return state();
}

ScopedMathdxStandIn::ScopedMathdxStandIn() {
    state() = {};
    substitute(mathdx::library(), mathdx::all_entry_points(), &stand_in);
}

ScopedMathdxStandIn::~ScopedMathdxStandIn() {
    substitute(mathdx::library(), mathdx::all_entry_points(), nullptr);
}

}  // namespace cubind::testing
