// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/stream/stream.hpp>
#include <cubind/math_base/operand.hpp>
#include <cubind/math_base/plan_options.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

/// @file
/// Fourier transforms (cuFFT).

namespace CUBIND_NAMESPACE::math {

/// The sign of the exponent of a transform.
enum class FftDirection {
    forward,  ///< exp(-2 pi i j k / n): from a signal to its spectrum
    inverse,  ///< exp(+2 pi i j k / n): from a spectrum to its signal
};

/// Device code in CUDA C++ that loads or stores the elements of a transform. It is compiled for the device when the plan is
/// created (NVRTC), and cuFFT links it into its kernels (nvJitLink), so that no element takes another way through memory.
///
///     .load = {R"(__device__ float2 windowed(const float2* input, unsigned long long i, const float* window) {
///                     return {input[i].x * window[i % 1024], input[i].y * window[i % 1024]};
///                 })", "windowed", window}
///
/// The element types are float, double, float2 and double2. The functions that a plan can have are:
///
///     element load(const element* input, unsigned long long index, const data* data);
///     void store(element* output, unsigned long long index, element value, data* data);
///
/// The last parameter is absent if the callback has no data. `index` counts elements from the address of the operand to the place
/// of the element in memory, with all strides. A load that is called for an element must return its value, whatever it reads; a
/// store may write anywhere. If a plan has a load and a store, functions and variables of their sources must have different
/// names, or be `static`.
struct FftCallback {
    /// The source, which may include headers. If empty, there is no callback.
    std::string source = {};
    /// The name of the function in the source.
    std::string function = {};
    /// Memory that the function receives; its elements may have any type. The memory of buffers and views is retained
    /// until the work of the plan has completed; memory of spans must exist that long. Calls of the plan read what the memory has
    /// at that time.
    std::optional<Operand> data = std::nullopt;
};

/// Options of an Fft.
///
///     math::fft(stream, images, spectra, {.axes = {1, 2}});                          // each image of a stack
struct FftOptions {
    /// The dimensions that are transformed, one to three; by default all. The last one is halved in the complex operand of a real
    /// transform. All other dimensions are a batch.
    Dimensions axes = {};
    /// The factor of the result. cuFFT does not scale: inverse after forward multiplies by the number of elements of a transform.
    /// With a factor other than 1, the kernels multiply each element when they store it, as a callback does. That costs no time
    /// on the device, but makes the creation of the plan as slow as callbacks do, and needs NVRTC and nvJitLink.
    double scale = 1;
    /// Loads the elements of the input.
    FftCallback load = {};
    /// Stores the elements of the output, after their multiplication by `scale`.
    FftCallback store = {};
    /// The temporary memory.
    PlanOptions plan = {};
};

/// A plan of Fourier transforms in one to three dimensions for operands of one layout: complex to complex, real to complex, and
/// complex to real, in float, double, and half precision (complex32 and float16). The types of the operands choose.
///
///     math::Fft transform(stream, signals, spectra, {.axes = {1}});
///     transform(stream, signals, spectra);
///     transform(stream, spectra, signals, math::FftDirection::inverse);              // complex operands of one layout
///
/// The shapes of complex operands are equal. If one operand is real and has n elements in the last axis, the complex one has n /
/// 2 + 1, rounded down; the others follow from the symmetry of the spectrum. Input and output may be one array. For a real
/// transform in place, each row of n real elements has room for the complex ones: 2 (n / 2 + 1) elements. Other overlaps are
/// refused.
/// **A transform from complex to real may overwrite its input**, also if the output is elsewhere, so that a read-only input is
/// refused.
///
/// Layouts are those of cuFFT: the strides of the axes are multiples of each other, and the other dimensions have a single stride
/// in memory. A layout that cuFFT cannot express is refused with both shapes and strides. For half precision, extents are powers
/// of two, real elements are adjacent, and there are neither callbacks nor a scale. Operands without elements are allowed, and
/// calls do nothing.
///
/// Calls submit work in the order of the stream, and allocate nothing once the workspace exists. Any thread may call the plan;
/// calls run one after another, also on several streams. A plan can be captured into graphs: a graph of a GraphBuilder retains
/// cuFFT's plan, its callbacks and the operands; for captures by other code, the Fft must exist as long as the graph. Destruction
/// does not wait: the workspace is freed in stream order, and cuFFT's plan is destroyed by a later function that waits for work
/// (cufftDestroy). Movable, not copyable; a moved-from object can be assigned and destroyed.
class [[nodiscard]] CUBIND_EXPORT Fft {
public:
    /// Makes a plan for operands like these, on the device of the stream. Neither reads nor writes them (cufftCreate,
    /// cufftXtSetJITCallback, cufftXtMakePlanMany). Throws std::invalid_argument, which states the values, for operands that
    /// cuFFT cannot transform; CompileError, with the log, for a callback; and Error or OutOfMemory for a failure of cuFFT.
    Fft(StreamRef stream, const Operand& input, const Output& output, const FftOptions& options = {});

    /// Moves the plan.
    Fft(Fft&& other) noexcept;
    /// Destroys the plan, and moves the other one.
    Fft& operator=(Fft&& other) noexcept;
    Fft(const Fft&) = delete;
    Fft& operator=(const Fft&) = delete;
    /// Releases the plan. A failure is reported to the cleanup handler.
    ~Fft();

    /// Transforms: inverse if the output is real, else forward (cufftXtExec). Throws std::invalid_argument, which states both
    /// sides, if an operand has another type, shape or strides than the plan, for memory of another device, and for overlaps.
    void operator()(StreamRef stream, const Operand& input, const Output& output);
    /// Transforms in this direction. Throws as the function above does, and for a direction that a real transform does not have.
    void operator()(StreamRef stream, const Operand& input, const Output& output, FftDirection direction);

    /// Returns the bytes of temporary memory that a call uses.
    [[nodiscard]] std::size_t workspace_size() const;
    /// Returns cuFFT's plan (cufftHandle), or -1 for operands without elements. The stream and the work area may change with each
    /// call.
    [[nodiscard]] int native_handle() const;

private:
    struct State;
    [[nodiscard]] State& state() const;

    std::unique_ptr<State> state_;
};

/// Transforms forward. Makes a plan for this call, which takes a millisecond and more; use an Fft for repeated calls. Throws as
/// Fft does, and for a real output.
///
///     math::fft(stream, signal, spectrum);
CUBIND_EXPORT void fft(StreamRef stream, const Operand& input, const Output& output, const FftOptions& options = {});

/// Transforms inversely, without a factor unless the options have one. Makes a plan for this call. Throws as Fft does, and for a
/// real input.
///
///     math::inverse_fft(stream, spectrum, signal, {.scale = 1.0 / 1024});
CUBIND_EXPORT void inverse_fft(StreamRef stream, const Operand& input, const Output& output, const FftOptions& options = {});

}  // namespace CUBIND_NAMESPACE::math
