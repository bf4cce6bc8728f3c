// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/stream/event.hpp>
#include <cubind/core/stream/stream.hpp>
#include <cubind/math_base/operand.hpp>
#include <cubind/math_base/plan_options.hpp>
#include <cubind/math_base/scalar.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

/// @file
/// Contractions of tensors, on cuTENSOR.

namespace CUBIND_NAMESPACE::math {

namespace detail {
struct ContractionState;
}

/// How precisely a contraction computes the products of elements. A device or a release of cuTENSOR can lack some of them.
enum class ContractionPrecision {
    automatic,   ///< float64 for elements of float64 and complex128, float32 for all other types
    float16,     ///< rounds elements of float32 to half
    bfloat16,    ///< rounds elements of float32 to bfloat16
    tf32,        ///< rounds elements of float32 and complex64 to 10 bits of mantissa
    tf32x3,      ///< three products of tf32, for float32 and complex64
    float32,     ///< of IEEE 754
    float64,     ///< of IEEE 754
    bfloat16x9,  ///< float32, by nine products of bfloat16
    float16x4,   ///< float32, by four products of half
    int8x8,      ///< float64, by products of 8-bit integers
};

/// The method of a contraction.
enum class ContractionAlgorithm {
    automatic,  ///< a model of the performance chooses
    patient,    ///< a model that takes longer and is more precise chooses
    gett,       ///< reads the tensors in place
    tgett,      ///< transposes an input first
    ttgt,       ///< transposes the inputs, multiplies matrices, and transposes the result; needs the largest workspace
};

/// How much temporary memory a contraction may use, up to PlanOptions::workspace_limit.
enum class ContractionWorkspace {
    least,     ///< as little as possible
    standard,  ///< enough for a good performance
    most,      ///< enough for each algorithm
};

/// Options of a Contraction.
///
///     math::contract(stream, "ij,kj->ik", a, b, d, {}, {.precision = math::ContractionPrecision::tf32, .conjugate_b = true});
struct ContractionOptions {
    /// The precision of products.
    ContractionPrecision precision = ContractionPrecision::automatic;
    /// Whether the complex conjugates of the first operand's elements are used. Has no effect on real elements.
    bool conjugate_a = false;
    /// Whether the complex conjugates of the second operand's elements are used.
    bool conjugate_b = false;
    /// Whether the complex conjugates of the third operand's elements are used.
    bool conjugate_c = false;
    /// The method.
    ContractionAlgorithm algorithm = ContractionAlgorithm::automatic;
    /// The rank of a kernel of the algorithm, 0 for the one that the model considers fastest; by default the model chooses.
    std::optional<std::int32_t> kernel_rank = std::nullopt;
    /// Whether cuTENSOR may compile a kernel for this contraction, which takes seconds when the plan is created. Graphs may use
    /// the kernel as long as the plan exists.
    bool jit = false;
    /// The preferred size of the workspace.
    ContractionWorkspace workspace = ContractionWorkspace::standard;
    /// The highest alignment in bytes that the plan requires of addresses; a power of two. The plan requires the alignments that
    /// the operands of its creation have, up to this one: a higher one allows faster kernels, a lower one more operands.
    std::uint32_t max_alignment = 128;
    /// The temporary memory.
    PlanOptions plan = {};
};

/// The numbers in d = alpha * (a * b * c) + beta * addend, and the last tensor.
///
///     contraction(stream, a, b, d, {.beta = 1});                                     // adds to d
///     contraction(stream, a, b, d, {.alpha = 0.5, .beta = 2, .addend = e});
struct ContractionFactors {
    /// The factor of the products.
    Scalar alpha = 1;
    /// The factor of the addend, which is not read if this is 0.
    Scalar beta = 0;
    /// A tensor of the layout of the output; by default the output itself.
    std::optional<Operand> addend = std::nullopt;
};

/// What Contraction::autotune() measured.
struct ContractionTuning {
    Milliseconds before{};  ///< the time of a call before
    Milliseconds after{};   ///< the time of a call from now on
    int candidates = 0;     ///< how many candidates were timed
};

/// A plan for products of two or three tensors, summed over some dimensions, on cuTENSOR. Subscripts in the manner of einsum name
/// each dimension of each operand with a letter. Dimensions of one letter are multiplied element by element, and summed if the
/// output does not have the letter:
///
///     math::Contraction product(stream, "ij,jk->ik", a, b, d);                    // of matrices
///     math::Contraction batch(stream, "nij,njk->nik", a, b, d);                   // for each n
///     math::Contraction chain(stream, "ij,jk,kl->il", a, b, c, d);                // of three matrices
///     product(stream, a, b, d);
///     product(stream, other_a, other_b, other_d, {.alpha = 2, .beta = 1});
///
/// Without "->", the output has the letters that occur once, in alphabetical order, with A to Z before a to z. A letter twice in
/// one operand and an ellipsis are refused.
///
/// Operands are of float16, bfloat16, float32, float64, complex64 or complex128, all of one type; two operands can also be
/// float64 and complex128, with a result of complex128. They have up to 16 dimensions with any positive strides. Elements of the
/// output must not be elements of an input. Addresses are multiples of the size of an element.
///
/// The operands of the creation are examples: the plan takes their types, shapes, strides and alignments, but not their memory,
/// and operands of calls must have the same. If the output has no elements, a call does nothing. If the sum has none, a call sets
/// the output to 0, or leaves it if beta is 1, and refuses other values of beta.
///
/// Calls are ordered by their stream. The workspace is allocated by the first call. A call in another stream than the previous
/// one waits for it, since both use the same workspace. Calls can be captured into graphs; each captured call allocates a
/// workspace in the graph, which retains views and buffers. The plan may be destroyed while its work runs. Movable, not copyable.
/// Several threads may use one plan; their calls wait for each other on the host.
///
/// Throws std::invalid_argument for mistakes, with both sides, Error if cuTENSOR fails, and OutOfMemory.
class [[nodiscard]] CUBIND_EXPORT Contraction {
public:
    /// Creates a plan for two operands on the device of the stream (cutensorCreateTensorDescriptor, cutensorCreateContraction,
    /// cutensorEstimateWorkspaceSize, cutensorCreatePlan). Submits no work.
    Contraction(StreamRef stream, std::string_view subscripts, const Operand& a, const Operand& b, const Output& d,
                const ContractionOptions& options = {});
    /// Creates a plan for three operands (cutensorCreateContractionTrinary), which releases of cuTENSOR since 2.2 have.
    Contraction(StreamRef stream, std::string_view subscripts, const Operand& a, const Operand& b, const Operand& c,
                const Output& d, const ContractionOptions& options = {});
    /// Takes over the plan of the other object, which can then only be destroyed or assigned to.
    Contraction(Contraction&& other) noexcept;
    /// Like the constructor.
    Contraction& operator=(Contraction&& other) noexcept;
    Contraction(const Contraction&) = delete;
    Contraction& operator=(const Contraction&) = delete;
    /// Destroys the plan (cutensorDestroyPlan). Failures are reported to the cleanup handler.
    ~Contraction();

    /// Submits d = alpha * (a * b) + beta * addend (cutensorContract). Does not wait for it.
    void operator()(StreamRef stream, const Operand& a, const Operand& b, const Output& d,
                    const ContractionFactors& factors = {}) const;
    /// Submits d = alpha * (a * b * c) + beta * addend (cutensorContractTrinary). Does not wait for it.
    void operator()(StreamRef stream, const Operand& a, const Operand& b, const Operand& c, const Output& d,
                    const ContractionFactors& factors = {}) const;

    /// Times candidates of cuTENSOR with these operands, and keeps the fastest. Blocks until the stream has completed its work
    /// and the measurement. Reads a and b, and writes temporary memory of the size of d instead of d. Candidates for whose
    /// workspace there is no memory are left out.
    ///
    /// cuTENSOR proposes the candidates (CUTENSOR_AUTOTUNE_MODE_INCREMENTAL) and notes its own choice in its cache of plans for
    /// the device, so that later plans and calls of contract() for the same contraction use that one; a second autotune() of it
    /// has no further candidates. save_contraction_plans() stores the cache. Throws std::invalid_argument during a capture.
    ContractionTuning autotune(StreamRef stream, const Operand& a, const Operand& b, const Output& d,
                               const AutotuneOptions& options = {});
    /// Like the function above, for three operands.
    ContractionTuning autotune(StreamRef stream, const Operand& a, const Operand& b, const Operand& c, const Output& d,
                               const AutotuneOptions& options = {});

    /// Returns the bytes of temporary memory that a call needs.
    [[nodiscard]] std::size_t workspace_size() const;

private:
    [[nodiscard]] detail::ContractionState& state() const;

    std::unique_ptr<detail::ContractionState> state_;
};

/// Contracts two tensors once: creates a Contraction, calls it and destroys it. cuTENSOR keeps the choice of a kernel, but a plan
/// that is called again costs less time on the host.
///
///     math::contract(stream, "ij,jk->ik", a, b, d);
CUBIND_EXPORT void contract(StreamRef stream, std::string_view subscripts, const Operand& a, const Operand& b, const Output& d,
                            const ContractionFactors& factors = {}, const ContractionOptions& options = {});
/// Contracts three tensors once.
CUBIND_EXPORT void contract(StreamRef stream, std::string_view subscripts, const Operand& a, const Operand& b, const Operand& c,
                            const Output& d, const ContractionFactors& factors = {}, const ContractionOptions& options = {});

/// Writes the choices of kernels that cuTENSOR has made for contractions on the device to a file, with those of autotune()
/// (cutensorHandleWritePlanCacheToFile). Replaces a regular file as a whole. If it throws, the old file remains:
/// std::system_error if the file cannot be created or replaced, and Error if cuTENSOR cannot write it.
CUBIND_EXPORT void save_contraction_plans(const Device& device, const std::string& path);
/// Reads choices from a file of save_contraction_plans(), and returns how many were read
/// (cutensorHandleReadPlanCacheFromFile). Throws Error if the file cannot be read, or if another release of cuTENSOR or another
/// model of GPU has made the choices. cuTENSOR 2.8.1 could not read a file with choices for bfloat16, for
/// another precision than the default one, or for a chosen algorithm (CUTENSOR_STATUS_INTERNAL_ERROR); go on without it, then.
CUBIND_EXPORT std::size_t load_contraction_plans(const Device& device, const std::string& path);

}  // namespace CUBIND_NAMESPACE::math
