// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/check.hpp>
#include <cubind/core/lifetime/detail/owner.hpp>
#include <cubind/core/lifetime/detail/retainer.hpp>
#include <cubind/core/stream/detail/stream_access.hpp>
#include <cubind/curand/host.hpp>
#include <cubind/driver/memory.hpp>
#include <cubind/math/random.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "lifetime/relaxed_capture_mode.hpp"
#include "operand/checks.hpp"
#include "plan/call_order.hpp"
#include "plan/library_object.hpp"
#include "plan/plan_state.hpp"
#include "random/curand_status.hpp"

namespace CUBIND_NAMESPACE::math {

using namespace curand;
using namespace detail;
using cubind::detail::RelaxedCaptureMode;

namespace {

struct GeneratorTraits {
    const char* name;
    curandRngType_t native;
    bool is_quasi = false;
    bool has_offset = true;
    unsigned int bits = 32;
};

// In the order of RandomGenerator.
constexpr GeneratorTraits generators[] = {
    {"xorwow", CURAND_RNG_PSEUDO_XORWOW},
    {"mrg32k3a", CURAND_RNG_PSEUDO_MRG32K3A},
    {"mtgp32", CURAND_RNG_PSEUDO_MTGP32, false, false},
    {"mt19937", CURAND_RNG_PSEUDO_MT19937, false, false},
    {"philox4x32_10", CURAND_RNG_PSEUDO_PHILOX4_32_10},
    {"sobol32", CURAND_RNG_QUASI_SOBOL32, true},
    {"scrambled_sobol32", CURAND_RNG_QUASI_SCRAMBLED_SOBOL32, true},
    {"sobol64", CURAND_RNG_QUASI_SOBOL64, true, true, 64},
    {"scrambled_sobol64", CURAND_RNG_QUASI_SCRAMBLED_SOBOL64, true, true, 64},
};

// In the order of RandomOrdering.
constexpr curandOrdering_t orderings[] = {CURAND_ORDERING_PSEUDO_DEFAULT, CURAND_ORDERING_PSEUDO_BEST,
                                          CURAND_ORDERING_PSEUDO_LEGACY, CURAND_ORDERING_PSEUDO_SEEDED,
                                          CURAND_ORDERING_PSEUDO_DYNAMIC};

constexpr unsigned int max_dimensions = 20000;
constexpr double max_poisson_mean = 400000;

constexpr DataType f32{DataTypeKind::floating_point, 32};
constexpr DataType f64{DataTypeKind::floating_point, 64};
constexpr DataType u32{DataTypeKind::unsigned_integer, 32};
constexpr DataType u64{DataTypeKind::unsigned_integer, 64};

void check_element(const char* operation, const Operand& output, DataType first, DataType second) {
    if (output.dtype() == first || output.dtype() == second) return;
    throw_misuse(operation, ": ", describe("output", output), ", but the elements must be ", to_string(first),
                 first == second ? "" : " or " + to_string(second));
}

void check_dense(const char* operation, const Operand& output) {
    std::int64_t stride = 1;
    for (std::size_t i = output.rank(); i-- > 0;) {
        if (output.extent(i) > 1 && output.strides()[i] != stride) {
            throw_misuse(operation, ": ", describe("output", output),
                         ", but cuRAND fills only memory without gaps, in row-major order: fill a view of that kind and copy it");
        }
        stride *= output.extent(i);
    }
}

}  // namespace

struct Random::State : PlanState {
    State(const Device& plan_device, const RandomOptions& random_options)
        : PlanState(plan_device, random_options.plan),
          traits(generators[static_cast<std::size_t>(random_options.generator)]),
          generator(random_options.generator),
          ordering(random_options.ordering),
          dimensions(random_options.dimensions) {}
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() { LibraryObject::release(object, order); }

    [[nodiscard]] curandGenerator_t handle() const noexcept { return reinterpret_cast<curandGenerator_t>(object->handle()); }
    [[nodiscard]] std::string description() const {
        return cubind::detail::concat("The generator is ", traits.name, " of device ", device.ordinal(), ".");
    }
    /// Creates the generator, or replaces one that would continue from its state.
    void create(const char* operation, StreamRef stream, const RandomOptions& random_options);
    void set_stream(driver::CUstream native) {
        if (native_stream == native) return;
        native_stream.reset();
        checked(curandSetStream(handle(), native), [&] { return description(); });
        native_stream = native;
    }
    /// Fills the output: `fill(address, count)` calls cuRAND. With `in_pairs`, cuRAND generates even counts only.
    template <class Fill>
    void generate(const char* operation, StreamRef stream, const Output& output, bool in_pairs, const Fill& fill);
    /// Chooses the function of the output's type.
    template <class Single, class Double>
    void generate(const char* operation, StreamRef stream, const Output& output, bool in_pairs, const Single& single,
                  const Double& twice);

    const GeneratorTraits& traits;
    const RandomGenerator generator;
    const std::optional<RandomOrdering> ordering;
    const unsigned int dimensions;
    std::shared_ptr<LibraryObject> object;
    CallOrder order;
    std::optional<driver::CUstream> native_stream;  // that cuRAND has
};

void Random::State::create(const char* operation, StreamRef stream, const RandomOptions& random_options) {
    const RelaxedCaptureMode mode;  // cuRAND allocates memory
    const auto what = [&] { return description(); };
    const PlanCall call(operation, *this, stream);  // the context of a default stream must be current
    if (is_captured(stream))
        throw_misuse(operation, ": the stream is captured, but the state of a generator is prepared outside of captures");
    const auto native = checked(curandCreateGenerator(traits.native), what);
    auto made = LibraryObject::own(
        ContextRef(call.context()), reinterpret_cast<std::uintptr_t>(native), [](std::uintptr_t handle) noexcept {
            report(curandDestroyGenerator(reinterpret_cast<curandGenerator_t>(handle)), "destroy a generator of cuRAND");
        });
    if (random_options.seed) checked(curandSetPseudoRandomGeneratorSeed(native, *random_options.seed), what);
    if (random_options.ordering)
        checked(curandSetGeneratorOrdering(native, orderings[static_cast<std::size_t>(*random_options.ordering)]), what);
    if (random_options.offset != 0) checked(curandSetGeneratorOffset(native, random_options.offset), what);
    if (traits.is_quasi) checked(curandSetQuasiRandomGeneratorDimensions(native, dimensions), what);
    order.follow(operation, stream);
    checked(curandSetStream(native, call.stream()), what);
    checked(curandGenerateSeeds(native), what);  // here, so that no call of a capture has to allocate
    LibraryObject::release(object, order);
    object = std::move(made);
    native_stream = call.stream();
}

template <class Fill>
void Random::State::generate(const char* operation, StreamRef stream, const Output& output, bool in_pairs, const Fill& fill) {
    const auto count = static_cast<std::size_t>(output.size());
    if (count == 0) return;
    check_dense(operation, output);
    check_operands(operation, device, {{"output", &output, true}});
    if (traits.is_quasi && count % dimensions != 0) {
        throw_misuse(operation, ": ", describe("output", output), ", but its ", count,
                     " elements are no whole number of points of ", dimensions, " dimensions");
    }
    const PlanCall call(operation, *this, stream);
    if (!is_captured(stream)) order.follow(operation, stream);
    set_stream(call.stream());
    const auto filled = [&](void* address, std::size_t elements) {
        checked(fill(address, elements),
                [&] { return cubind::detail::concat(description(), " ", describe("output", output), "."); });
    };
    if (!in_pairs || traits.is_quasi || count % 2 == 0) {
        filled(output.data(), count);
    } else {
        const std::size_t size = output.dtype().size();
        if (count > 1) filled(output.data(), count - 1);
        const auto pair = workspace.use(stream, 2 * size);
        filled(pair.data(), 2);
        const auto last = reinterpret_cast<driver::CUdeviceptr>(output.data()) + (count - 1) * size;
        check(driver::cuMemcpyDtoDAsync(last, reinterpret_cast<driver::CUdeviceptr>(pair.data()), size, call.stream()));
    }
    if (auto* const retainer = cubind::detail::StreamAccess::retainer(stream)) {
        retain_for_capture(stream, {{"output", &output}});
        retainer->retain(object);
    }
}

template <class Single, class Double>
void Random::State::generate(const char* operation, StreamRef stream, const Output& output, bool in_pairs, const Single& single,
                             const Double& twice) {
    check_element(operation, output, f32, f64);
    if (output.dtype() == f32) {
        generate(operation, stream, output, in_pairs,
                 [&](void* address, std::size_t count) { return single(static_cast<float*>(address), count); });
    } else {
        generate(operation, stream, output, in_pairs,
                 [&](void* address, std::size_t count) { return twice(static_cast<double*>(address), count); });
    }
}

Random::Random(StreamRef stream, const RandomOptions& options) {
    constexpr const char* operation = "Random";
    const GeneratorTraits& traits = generators[static_cast<std::size_t>(options.generator)];
    const auto refuse_without = [&](bool is_refused, const char* option) {
        if (is_refused)
            throw_misuse(operation, ": RandomOptions::", option, " is set, but the generator ", traits.name, " has none");
    };
    refuse_without(traits.is_quasi && options.seed, "seed");
    refuse_without(traits.is_quasi && options.ordering, "ordering");
    refuse_without(!traits.has_offset && options.offset != 0, "offset");
    refuse_without(!traits.is_quasi && options.dimensions != 1, "dimensions");
    if (options.dimensions == 0 || options.dimensions > max_dimensions) {
        throw_misuse(operation, ": RandomOptions::dimensions is ", options.dimensions, ", but must be from 1 to ",
                     max_dimensions);
    }
    state_ = std::make_unique<State>(stream.device(), options);
    state_->create(operation, stream, options);
}

Random::Random(Random&& other) noexcept = default;
Random& Random::operator=(Random&& other) noexcept = default;
Random::~Random() = default;

Random::State& Random::state() const {
    if (state_ == nullptr) [[unlikely]]
        cubind::detail::throw_moved_from("Random");
    return *state_;
}

void Random::uniform(StreamRef stream, const Output& output) {
    const curandGenerator_t handle = state().handle();
    state().generate(
        "Random::uniform", stream, output, false,
        [&](float* address, std::size_t count) { return curandGenerateUniform(handle, address, count); },
        [&](double* address, std::size_t count) { return curandGenerateUniformDouble(handle, address, count); });
}

void Random::normal(StreamRef stream, const Output& output, double mean, double deviation) {
    const curandGenerator_t handle = state().handle();
    state().generate(
        "Random::normal", stream, output, true,
        [&](float* address, std::size_t count) {
            return curandGenerateNormal(handle, address, count, static_cast<float>(mean), static_cast<float>(deviation));
        },
        [&](double* address, std::size_t count) { return curandGenerateNormalDouble(handle, address, count, mean, deviation); });
}

void Random::lognormal(StreamRef stream, const Output& output, double mean, double deviation) {
    const curandGenerator_t handle = state().handle();
    state().generate(
        "Random::lognormal", stream, output, true,
        [&](float* address, std::size_t count) {
            return curandGenerateLogNormal(handle, address, count, static_cast<float>(mean), static_cast<float>(deviation));
        },
        [&](double* address, std::size_t count) {
            return curandGenerateLogNormalDouble(handle, address, count, mean, deviation);
        });
}

void Random::poisson(StreamRef stream, const Output& output, double mean) {
    constexpr const char* operation = "Random::poisson";
    if (!(mean > 0 && mean <= max_poisson_mean))
        throw_misuse(operation, ": the mean is ", mean, ", but must be more than 0 and at most ", max_poisson_mean);
    State& random = state();
    check_element(operation, output, u32, u32);
    random.generate(operation, stream, output, false, [&](void* address, std::size_t count) {
        return curandGeneratePoisson(random.handle(), static_cast<unsigned int*>(address), count, mean);
    });
}

void Random::bits(StreamRef stream, const Output& output) {
    constexpr const char* operation = "Random::bits";
    State& random = state();
    const DataType widest = random.traits.is_quasi && random.traits.bits == 32 ? u32 : u64;
    check_element(operation, output, random.traits.bits == 32 ? u32 : u64, widest);
    if (random.traits.bits == 64) {
        random.generate(operation, stream, output, false, [&](void* address, std::size_t count) {
            return curandGenerateLongLong(random.handle(), static_cast<unsigned long long*>(address), count);
        });
        return;
    }
    const std::size_t words = output.dtype() == u64 ? 2 : 1;
    random.generate(operation, stream, output, false, [&](void* address, std::size_t count) {
        return curandGenerate(random.handle(), static_cast<unsigned int*>(address), words * count);
    });
}

void Random::set_seed(std::uint64_t seed) {
    State& random = state();
    constexpr const char* operation = "Random::set_seed";
    if (random.traits.is_quasi) throw_misuse(operation, ": the generator ", random.traits.name, " has no seed");
    if (!random.traits.has_offset) {
        const StreamRef stream = random.order.latest().value_or(StreamRef::legacy_default());
        return random.create(operation, stream, {.generator = random.generator, .seed = seed, .ordering = random.ordering});
    }
    const RelaxedCaptureMode mode;
    const std::lock_guard lock(random.mutex);
    const ScopedContext scope(random.context);
    checked(curandSetPseudoRandomGeneratorSeed(random.handle(), seed), [&] { return random.description(); });
    // The generator counts the numbers that it has generated beside the seed.
    checked(curandSetGeneratorOffset(random.handle(), 0), [&] { return random.description(); });
}

void Random::set_offset(std::uint64_t offset) {
    State& random = state();
    if (!random.traits.has_offset) throw_misuse("Random::set_offset: the generator ", random.traits.name, " has no offset");
    const RelaxedCaptureMode mode;
    const std::lock_guard lock(random.mutex);
    const ScopedContext scope(random.context);
    checked(curandSetGeneratorOffset(random.handle(), offset), [&] { return random.description(); });
}

RandomGenerator Random::generator() const {
    return state().generator;
}

}  // namespace CUBIND_NAMESPACE::math
