// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/math/fft.hpp>

#include <string>

#include "fft/fft_layout.hpp"

namespace CUBIND_NAMESPACE::math::detail {

/// The names of the functions that cuFFT calls. It declares them in C++, so that their linkage is not that of C.
inline constexpr const char* fft_load_symbol = "cubind_fft_load";
inline constexpr const char* fft_store_symbol = "cubind_fft_store";

/// Throws std::invalid_argument for a callback without one of source and function, and for any callback or scale in half
/// precision.
void check_fft_callbacks(const char* operation, const FftTypes& types, const FftOptions& options);

/// Returns whether the kernels store elements by code of the plan.
[[nodiscard]] inline bool has_fft_store(const FftOptions& options) noexcept {
    return !options.store.source.empty() || options.scale != 1;
}

/// Returns the source of the user followed by fft_load_symbol, with the parameters that cuFFT passes.
[[nodiscard]] std::string fft_load_source(runtime::cudaDataType type, const FftCallback& callback);

/// Returns the source of the user, if there is one, followed by fft_store_symbol, which multiplies by the scale.
[[nodiscard]] std::string fft_store_source(runtime::cudaDataType type, const FftCallback& callback, double scale);

}  // namespace CUBIND_NAMESPACE::math::detail
