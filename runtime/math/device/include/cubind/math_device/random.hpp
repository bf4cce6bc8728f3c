// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/math_device/function.hpp>
#include <cubind/math_device/precision.hpp>

#include <cstddef>
#include <string>

namespace CUBIND_NAMESPACE::math::device {

/// The generators of pseudo-random bits.
enum class Generator {
    xorwow,    ///< XORWOW
    mrg32k3a,  ///< MRG32k3a
    philox,    ///< Philox 4x32 with ten rounds, which skips at no cost
    pcg,       ///< PCG; the sequences of one seed begin with equal numbers, so give each thread a seed of its own, or skip some
};

/// The distribution of random numbers, with its parameters `a` and `b`.
enum class Distribution {
    bits,        ///< all bits of an integer
    uniform,     ///< between a (0) and b (1)
    normal,      ///< mean a (0), standard deviation b (1)
    log_normal,  ///< exponential of a normal number with mean a (0) and standard deviation b (1)
    poisson,     ///< mean a (1); not of philox
};

/// The description of a Random. It is an aggregate.
struct RandomDescription {
    /// The generator.
    Generator generator = Generator::philox;
    /// The distribution. bits and poisson have integers as results, the others floating-point numbers.
    Distribution distribution = Distribution::uniform;
    /// f32 or f64; u32 for bits and poisson.
    Precision precision = Precision::f32;
    /// The number of values of a call: what the generator computes at once, which is 4 for philox, 2 for philox with f64, and 1
    /// for the others, which can also compute pairs of normal and log_normal numbers. 0: the first of these. Single normal
    /// numbers are computed by inversion, others by Box and Muller's method.
    unsigned int values = 0;
    /// The architecture, such as "sm_90" or "90"; empty: that of the current device.
    std::string arch = {};
    /// The prefix of names in device code; empty: "random_uniform", followed by what differs from the defaults, as in
    /// "random_normal_f64_pcg".
    std::string symbol = {};
};

/// The numbers of a Random.
struct RandomTraits {
    std::size_t state_size = 0;       ///< bytes of a state
    std::size_t state_alignment = 0;  ///< its alignment in bytes
    unsigned int values = 0;          ///< values of a call
};

/// A generator of random numbers that each thread runs within a kernel (cuRANDDx).
///
///     math::device::Random random({.distribution = math::device::Distribution::normal});
///     // in the kernel:
///     random_normal_state state;
///     random_normal_init(state, seed, thread);                        // a sequence of its own for each thread
///     const auto numbers = random_normal_generate(state, 0.0f, 1.0f);  // numbers[0] to numbers[3]
///
/// The declaration has these functions for each prefix, all of them `__device__`: `PREFIX_init(state, seed, sequence, offset =
/// 0)`, `PREFIX_generate(state, a, b)`, `PREFIX_skip(state, n)` (n steps of the generator: calls, if each has the default number
/// of values) and `PREFIX_skip_sequences(state, n)`. A state is plain memory and can be stored between kernels. symbol() is the
/// prefix. Quasi-random generators are left out, because their tables of directions come from the host library.
class CUBIND_EXPORT Random : public Function {
public:
    /// Asks libmathdx for the traits, which it compiles for about a second unless the cache has them. The cache must outlive this
    /// function's first code(). Throws std::invalid_argument for contradictions, CompileError with libmathdx's log for what it
    /// does not support, and Error for other failures (curanddxCreateDescriptor, curanddxGetTrait*).
    explicit Random(const RandomDescription& description, ProgramCache* cache = nullptr);

    /// Returns the numbers of the generator.
    [[nodiscard]] const RandomTraits& traits() const noexcept { return traits_; }

private:
    RandomTraits traits_;
};

}  // namespace CUBIND_NAMESPACE::math::device
