// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "cublaslt_stand_in.hpp"

#include <cubind/core/stream/stream.hpp>
#include <cubind/cublaslt/loading.hpp>
#include <cubind/cublaslt/types.hpp>
#include <cubind/substitute.hpp>

#include <algorithm>
#include <chrono>
#include <complex>
#include <cstring>
#include <string_view>
#include <thread>

#include "unlimited_memory.hpp"

namespace cubind::testing {
namespace {

using namespace cublaslt;

CublasLtStandIn& state() {
    static CublasLtStandIn instance;
    return instance;
}

struct Description {
    int compute, scale;
    std::map<int, std::int64_t> attributes;
};
using Preference = std::map<int, std::uint64_t>;

/// Objects of cuBLASLt are records of known sizes, which the layers read.
template <class Object>
struct Padded {
    Object object;
    cublasLtMatmulDescOpaque_t rest = {};  // the largest
};

template <class Number>
Number number(const void* bytes, std::size_t size) {
    Number value = 0;
    std::memcpy(&value, bytes, std::min(size, sizeof value));
    return value;
}

template <class Object>
int destroy(void* object) {
    delete static_cast<Padded<Object>*>(object);
    --state().objects;
    return 0;
}

template <class Object>
int give(void** result, Object object) {
    *result = new Padded<Object>{std::move(object)};
    ++state().objects;
    return 0;
}

int create(void** handle) {
    *handle = new int(0);
    ++state().handles;
    return 0;
}

int destroy_handle(void* handle) {
    delete static_cast<int*>(handle);
    --state().handles;
    return 0;
}

int create_description(void** object, int compute, int scale) {
    return give(object, Description{compute, scale, {}});
}

int set_description(void* object, int attribute, const void* value, std::size_t size) {
    static_cast<Description*>(object)->attributes[attribute] = number<std::int64_t>(value, size);
    return 0;
}

int create_layout(void** object, int type, std::uint64_t rows, std::uint64_t columns, std::int64_t leading) {
    return give(object, LtMatrix{type, rows, columns, leading});
}

int set_layout(void* object, int attribute, const void* value, std::size_t size) {
    auto& matrix = *static_cast<LtMatrix*>(object);
    (attribute == CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT ? matrix.batch : matrix.offset) = number<std::int64_t>(value, size);
    return 0;
}

int create_preference(void** object) {
    return give(object, Preference());
}

int set_preference(void* object, int attribute, const void* value, std::size_t size) {
    (*static_cast<Preference*>(object))[attribute] = number<std::uint64_t>(value, size);
    return 0;
}

int search(void*, void*, void*, void*, void*, void*, void* preference, int requested, cublasLtMatmulHeuristicResult_t* results,
           int* count) {
    ++state().searches;
    state().requested = requested;
    state().preferences = *static_cast<Preference*>(preference);
    *count = std::min(requested, static_cast<int>(state().workspaces.size()));
    for (int i = 0; i < *count; ++i) {
        results[i] = {};
        results[i].algo.data[0] = static_cast<std::uint64_t>(i);
        results[i].workspaceSize = state().workspaces[static_cast<std::size_t>(i)];
        results[i].wavesCount = 0.5f;
    }
    return state().status_of_search;
}

int check_algorithm(void*, void*, void*, void*, void*, void*, const cublasLtMatmulAlgo_t* algorithm,
                    cublasLtMatmulHeuristicResult_t* result) {
    *result = {};
    if (algorithm->data[0] >= state().workspaces.size()) return CUBLAS_STATUS_INVALID_VALUE;
    result->workspaceSize = state().workspaces[algorithm->data[0]];
    return 0;
}

double real_part(const void* factor, int scale) {
    switch (scale) {
        case CUDA_R_32I:
            return number<std::int32_t>(factor, 4);
        case CUDA_R_16F:
            return number<std::uint16_t>(factor, 2) == 0x3c00 ? 1 : 0;
        case CUDA_R_64F:
        case CUDA_C_64F:
            return number<double>(factor, 8);
        default:
            return static_cast<double>(number<float>(factor, 4));
    }
}

int multiply(void*, void* description, const void* alpha, const void* a, void* a_layout, const void* b, void* b_layout,
             const void* beta, const void* c, void* c_layout, void* d, void* d_layout, const cublasLtMatmulAlgo_t* algorithm,
             void* workspace, std::size_t workspace_size, void* stream) {
    const auto& described = *static_cast<Description*>(description);
    const auto layout = [](void* object) { return *static_cast<LtMatrix*>(object); };
    LtProduct product;
    product.compute = described.compute;
    product.scale = described.scale;
    product.attributes = described.attributes;
    product.a = layout(a_layout);
    product.b = layout(b_layout);
    product.c = layout(c_layout);
    product.d = layout(d_layout);
    product.alpha = real_part(alpha, described.scale);
    product.beta = real_part(beta, described.scale);
    product.a_data = a;
    product.b_data = b;
    product.c_data = c;
    product.d_data = d;
    product.algorithm = algorithm->data[0];
    product.workspace = workspace;
    product.workspace_size = workspace_size;
    product.stream = stream;
    if (const int duration = state().microseconds[product.algorithm]; duration != 0) {
        StreamRef(reinterpret_cast<driver::CUstream>(stream)).launch_host_function([duration] {
            std::this_thread::sleep_for(std::chrono::microseconds(duration));
        });
    }
    state().products.push_back(std::move(product));
    return state().status;
}

int property(int which, int* value) {
    *value = which == 0 ? 13 : 1;
    return 0;
}

std::size_t version() {
    return state().version;
}

void* find(const char* symbol) noexcept {
    const UnlimitedMemory memory;
    static const std::map<std::string_view, void*> all = {
        {"cublasLtCreate", with_unlimited_memory<create>()},
        {"cublasLtDestroy", with_unlimited_memory<destroy_handle>()},
        {"cublasLtGetProperty", with_unlimited_memory<property>()},
        {"cublasLtGetVersion", with_unlimited_memory<version>()},
        {"cublasLtMatmul", with_unlimited_memory<multiply>()},
        {"cublasLtMatmulAlgoCheck", with_unlimited_memory<check_algorithm>()},
        {"cublasLtMatmulAlgoGetHeuristic", with_unlimited_memory<search>()},
        {"cublasLtMatmulDescCreate", with_unlimited_memory<create_description>()},
        {"cublasLtMatmulDescDestroy", with_unlimited_memory<destroy<Description>>()},
        {"cublasLtMatmulDescSetAttribute", with_unlimited_memory<set_description>()},
        {"cublasLtMatmulPreferenceCreate", with_unlimited_memory<create_preference>()},
        {"cublasLtMatmulPreferenceDestroy", with_unlimited_memory<destroy<Preference>>()},
        {"cublasLtMatmulPreferenceSetAttribute", with_unlimited_memory<set_preference>()},
        {"cublasLtMatrixLayoutCreate", with_unlimited_memory<create_layout>()},
        {"cublasLtMatrixLayoutDestroy", with_unlimited_memory<destroy<LtMatrix>>()},
        {"cublasLtMatrixLayoutSetAttribute", with_unlimited_memory<set_layout>()},
    };
    const auto found = all.find(symbol);
    return found == all.end() ? nullptr : found->second;
}

constexpr Substitute stand_in{.path = "a stand-in", .found_via = "a test", .find = find};

}  // namespace

std::string LtMatrix::text() const {
    std::string text = std::to_string(rows) + "x" + std::to_string(columns) + " ld " + std::to_string(leading);
    if (batch != 1) text += " x" + std::to_string(batch) + " +" + std::to_string(offset);
    return text;
}

CublasLtStandIn& cublaslt_stand_in() {
    return state();
}

ScopedCublasLtStandIn::ScopedCublasLtStandIn() {
    const UnlimitedMemory memory;
    state() = {};
    substitute(cublaslt::library(), cublaslt::all_entry_points(), &stand_in);
}

ScopedCublasLtStandIn::~ScopedCublasLtStandIn() {
    const UnlimitedMemory memory;
    substitute(cublaslt::library(), cublaslt::all_entry_points(), nullptr);
}

}  // namespace cubind::testing
