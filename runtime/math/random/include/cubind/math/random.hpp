// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/stream/stream.hpp>
#include <cubind/math_base/operand.hpp>
#include <cubind/math_base/plan_options.hpp>

#include <cstdint>
#include <memory>
#include <optional>

/// @file
/// Random numbers (cuRAND).

namespace CUBIND_NAMESPACE::math {

/// The algorithm of a generator.
enum class RandomGenerator {
    xorwow,             ///< pseudo-random, fast
    mrg32k3a,           ///< pseudo-random, of high quality
    mtgp32,             ///< pseudo-random, a Mersenne Twister for GPUs; no offset
    mt19937,            ///< pseudo-random, the Mersenne Twister of the standard library; no offset
    philox4x32_10,      ///< pseudo-random, computed from a counter
    sobol32,            ///< quasi-random
    scrambled_sobol32,  ///< quasi-random, scrambled
    sobol64,            ///< quasi-random of 64 bits
    scrambled_sobol64,  ///< quasi-random of 64 bits, scrambled
};

/// The order in which a pseudo-random generator stores its sequence (CURAND_ORDERING_PSEUDO_*).
enum class RandomOrdering {
    standard,  ///< stable between releases, as far as cuRAND can
    best,      ///< the fastest one of this release
    legacy,    ///< that of old releases
    seeded,    ///< a fast setup of xorwow, with less independent parts
    dynamic,   ///< the fastest one of this release for the device
};

/// Options of a Random.
struct RandomOptions {
    /// The algorithm.
    RandomGenerator generator = RandomGenerator::xorwow;
    /// The seed of a pseudo-random generator; by default cuRAND's, which is a constant.
    std::optional<std::uint64_t> seed = std::nullopt;
    /// The numbers of the sequence that are skipped.
    std::uint64_t offset = 0;
    /// The order of a pseudo-random sequence; by default cuRAND's.
    std::optional<RandomOrdering> ordering = std::nullopt;
    /// The dimensions of the points of a quasi-random generator, 1 to 20,000.
    unsigned int dimensions = 1;
    /// The temporary memory.
    PlanOptions plan = {};
};

/// A generator of random numbers on a device. Each call continues the sequence of the call before.
///
///     math::Random random(stream, {.seed = 42});
///     random.normal(stream, noise, 0.0, 0.1);
///
/// Outputs have any shape, but no gaps, and are filled in row-major order. A quasi-random generator of d dimensions writes the
/// first coordinate of all points, then the second one, and so on: an output of shape (d, points).
///
/// Equal seeds, offsets, orderings and sizes of calls give equal numbers. Calls submit work in the order of the stream. Any
/// thread may call the generator; calls run one after another, also on several streams. A call can be captured into a graph,
/// unless cuRAND refuses it; the graph retains generator and output. Whether launches of the graph continue the sequence or
/// repeat it depends on the generator, see docs/guide/math-random.md. Destruction does not wait: the generator is destroyed by a
/// later function that waits for work. Movable, not copyable; a moved-from object can be assigned and destroyed.
class [[nodiscard]] CUBIND_EXPORT Random {
public:
    /// Creates a generator on the device of the stream, which prepares its state (curandCreateGenerator, curandGenerateSeeds).
    /// Throws std::invalid_argument for options that the generator does not have, and for a captured stream; Error or OutOfMemory
    /// for a failure of cuRAND.
    explicit Random(StreamRef stream, const RandomOptions& options = {});

    /// Moves the generator.
    Random(Random&& other) noexcept;
    /// Destroys the generator, and moves the other one.
    Random& operator=(Random&& other) noexcept;
    Random(const Random&) = delete;
    Random& operator=(const Random&) = delete;
    /// Releases the generator. A failure is reported to the cleanup handler.
    ~Random();

    // All functions below throw std::invalid_argument, which states the values, for an output of another type or with gaps, for
    // memory of another device, if a quasi-random output has no whole number of points, and if the stream of the latest call is
    // captured and this one is another stream.

    /// Fills float32 or float64 with uniform numbers in (0, 1]: 0 never occurs, 1 does, unlike with generators of the standard
    /// library (curandGenerateUniform).
    void uniform(StreamRef stream, const Output& output);
    /// Fills float32 or float64 with normal numbers of this mean and standard deviation. Any count is possible: cuRAND generates
    /// pseudo- random ones in pairs, so that the last one of an odd count takes a second call of cuRAND and a copy
    /// (curandGenerateNormal).
    void normal(StreamRef stream, const Output& output, double mean = 0, double deviation = 1);
    /// Fills float32 or float64 with numbers whose logarithm is normal, of this mean and standard deviation
    /// (curandGenerateLogNormal).
    void lognormal(StreamRef stream, const Output& output, double mean = 0, double deviation = 1);
    /// Fills uint32 with Poisson numbers of this mean, which is more than 0 and at most 400,000 (curandGeneratePoisson).
    void poisson(StreamRef stream, const Output& output, double mean);
    /// Fills uint32 or uint64 with random bits (curandGenerate, curandGenerateLongLong). Generators of 64 bits fill uint64 only;
    /// quasi-random ones of 32 bits fill uint32 only.
    void bits(StreamRef stream, const Output& output);

    /// Sets the seed, and begins its sequence, without an offset. Throws std::invalid_argument for a quasi-random generator
    /// (curandSetPseudoRandomGeneratorSeed, curandSetGeneratorOffset); the Mersenne
    /// Twisters, which have no offset, are created again.
    void set_seed(std::uint64_t seed);
    /// Continues with this number of the sequence. Throws std::invalid_argument for mtgp32 and mt19937
    /// (curandSetGeneratorOffset).
    void set_offset(std::uint64_t offset);

    /// Returns the algorithm.
    [[nodiscard]] RandomGenerator generator() const;

private:
    struct State;
    [[nodiscard]] State& state() const;

    std::unique_ptr<State> state_;
};

}  // namespace CUBIND_NAMESPACE::math
