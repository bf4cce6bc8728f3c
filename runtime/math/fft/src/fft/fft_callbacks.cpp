// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "fft/fft_callbacks.hpp"

#include <charconv>
#include <cmath>

#include "errors/misuse.hpp"

namespace CUBIND_NAMESPACE::math::detail {
namespace {

using cubind::detail::concat;
using cubind::detail::throw_misuse;

const char* element_of(runtime::cudaDataType type) noexcept {
    switch (type) {
        case runtime::CUDA_R_32F:
            return "float";
        case runtime::CUDA_R_64F:
            return "double";
        case runtime::CUDA_C_64F:
            return "double2";
        default:
            return "float2";
    }
}

bool is_complex_number(runtime::cudaDataType type) noexcept {
    return type == runtime::CUDA_C_32F || type == runtime::CUDA_C_64F;
}

// Converts to the pointers of the user's parameters.
constexpr const char* address_type = R"(
namespace cubind_fft {
struct address {
    void* value;
    template <class Type>
    __device__ operator Type*() const { return static_cast<Type*>(value); }
};
}
)";

const char* data_argument(const FftCallback& callback) noexcept {
    return callback.data ? ", cubind_fft::address{data}" : "";
}

void check_complete(const char* operation, const char* name, const FftCallback& callback) {
    if (callback.source.empty() == callback.function.empty()) return;
    throw_misuse(operation, ": FftOptions::", name, " has ", callback.source.empty() ? "a function" : "a source", " but no ",
                 callback.source.empty() ? "source" : "function", ": set both, or none");
}

}  // namespace

void check_fft_callbacks(const char* operation, const FftTypes& types, const FftOptions& options) {
    check_complete(operation, "load", options.load);
    check_complete(operation, "store", options.store);
    if (!std::isfinite(options.scale)) throw_misuse(operation, ": FftOptions::scale is not finite");
    if (!types.is_half() || (options.load.source.empty() && !has_fft_store(options))) return;
    throw_misuse(
        operation,
        ": cuFFT has no callbacks in half precision, so that there can be neither a load, a store nor a scale: scale the "
        "input or the output, or use float32");
}

std::string fft_load_source(runtime::cudaDataType type, const FftCallback& callback) {
    return concat(callback.source, address_type, "__device__ ", element_of(type), " ", fft_load_symbol,
                  "(void* input, unsigned long long index, void* data, void*) {\n    return ", callback.function,
                  "(cubind_fft::address{input}, index", data_argument(callback), ");\n}\n");
}

std::string fft_store_source(runtime::cudaDataType type, const FftCallback& callback, double scale) {
    const std::string element = element_of(type);
    std::string scaling;
    if (scale != 1) {
        char digits[64];
        const auto end = std::to_chars(digits, digits + sizeof digits, scale, std::chars_format::scientific).ptr;
        const std::string factor(digits, end);  // reads as the same double
        const std::string real = is_complex_number(type) ? element.substr(0, element.size() - 1) : element;
        const std::string multiplied = concat(" *= static_cast<", real, ">(", factor, ");\n");
        scaling = is_complex_number(type) ? concat("    value.x", multiplied, "    value.y", multiplied)
                                          : concat("    value", multiplied);
    }
    const std::string stored = callback.source.empty() ? concat("static_cast<", element, "*>(output)[index] = value")
                                                       : concat(callback.function, "(cubind_fft::address{output}, index, value",
                                                                data_argument(callback), ")");
    return concat(callback.source, address_type, "__device__ void ", fft_store_symbol,
                  "(void* output, unsigned long long index, ", element, " value, void* data, void*) {\n", scaling, "    ", stored,
                  ";\n}\n");
}

}  // namespace CUBIND_NAMESPACE::math::detail
