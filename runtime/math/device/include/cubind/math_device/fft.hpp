// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/math_device/function.hpp>
#include <cubind/math_device/precision.hpp>

#include <cstddef>
#include <optional>
#include <string>

namespace CUBIND_NAMESPACE::math::device {

/// The types of input and output of a Fourier transform.
enum class FftType {
    complex_to_complex,  ///< complex values in both
    real_to_complex,     ///< a forward transform of real values
    complex_to_real,     ///< an inverse transform with a real result
};

/// The sign of the exponent of a Fourier transform. No direction scales the result.
enum class FftDirection {
    forward,  ///< negative exponent
    inverse,  ///< positive exponent
};

/// Which of the complex values of a transform of N real values are stored: the others follow from symmetry.
enum class ComplexLayout {
    natural,  ///< N / 2 + 1 values
    packed,   ///< N / 2 values: the real value N / 2 is the imaginary part of value 0
    full,     ///< N values
};

/// The description of an Fft. It is an aggregate.
struct FftDescription {
    /// The number of elements. libmathdx decides which sizes the other members permit.
    std::size_t size = 0;
    /// f16, f32 or f64. Two transforms of f16 are computed at once; see FftTraits::implicit_batches.
    Precision precision = Precision::f32;
    /// The types of input and output.
    FftType type = FftType::complex_to_complex;
    /// The direction; not set: forward, or inverse for complex_to_real.
    std::optional<FftDirection> direction = {};
    /// Which threads compute one transform.
    Execution execution = Execution::block;
    /// The number of transforms of one block; 1 with Execution::thread.
    unsigned int ffts_per_block = 1;
    /// The number of elements that each thread holds; 0: libmathdx chooses. Not with Execution::thread.
    unsigned int elements_per_thread = 0;
    /// The layout of the complex values; for transforms of real values only.
    ComplexLayout layout = ComplexLayout::natural;
    /// Whether pairs of real values are computed as one complex value, which is faster; for real values only.
    bool is_folded = false;
    /// The architecture, such as "sm_90" or "90"; empty: that of the current device.
    std::string arch = {};
    /// The name in device code; empty: "fft_256", followed by what differs from the defaults, as in "fft_256_f64_inverse".
    std::string symbol = {};
};

/// The numbers of an Fft. A thread of block execution holds values threadIdx.x + i * stride of transform threadIdx.y.
struct FftTraits {
    unsigned int elements_per_thread = 0;         ///< transform elements of each thread
    unsigned int storage_size = 0;                ///< length of each thread's array, in values of the computed type
    unsigned int stride = 0;                      ///< distance between the elements of a thread
    unsigned int input_length = 0;                ///< values of one transform's input
    unsigned int output_length = 0;               ///< values of one transform's output
    unsigned int input_elements_per_thread = 0;   ///< input values of each thread; the last may be beyond input_length
    unsigned int output_elements_per_thread = 0;  ///< output values of each thread; the last may be beyond output_length
    unsigned int implicit_batches = 0;            ///< transforms that one value holds: 2 for f16, otherwise 1
    unsigned int ffts_per_block = 0;              ///< transforms of a block; 0 with Execution::thread
    unsigned int suggested_ffts_per_block = 0;    ///< the number that libmathdx suggests; 0 with Execution::thread
};

/// A Fourier transform that a block or a thread computes within a kernel (cuFFTDx).
///
///     math::device::Fft fft({.size = 256});
///     // in the kernel:  float2 values[fft_256_traits::storage_size];  fft_256(values, shared_memory);
///
/// With Execution::block the function is `void symbol(value* values, char* shared)`, with Execution::thread
/// `void symbol(value* values)`; `value` is float2 for f32, double2 for f64. Input and output are in `values`, which is
/// memory of the thread. Real values are stored there as reals, from its beginning.
class CUBIND_EXPORT Fft : public Function {
public:
    /// Asks libmathdx for the traits; compiles nothing. The cache, which must outlive this function's first code(), has the code
    /// of earlier runs. Throws std::invalid_argument for contradictions and for what libmathdx does not support, and Error for
    /// failures of libmathdx, e.g. if it is missing (cufftdxCreateDescriptor, cufftdxIsSupported, cufftdxGetTrait*).
    explicit Fft(const FftDescription& description, ProgramCache* cache = nullptr);

    /// Returns the numbers of the transform.
    [[nodiscard]] const FftTraits& traits() const noexcept { return traits_; }

private:
    FftTraits traits_;
};

}  // namespace CUBIND_NAMESPACE::math::device
