// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

/// Times transforms and random numbers through math::Fft and math::Random, and through function pointers of cuFFT and cuRAND with
/// plans, streams and memory of the same sizes: the time of the host for a small call, and the time on the device for a large
/// one. benchmarks/math_cost runs this program and compares the times; alternate.hpp has its options.

#include <cubind/core.hpp>
#include <cubind/cufft/constants.hpp>
#include <cubind/cufft/loading.hpp>
#include <cubind/curand/loading.hpp>
#include <cubind/curand/types.hpp>
#include <cubind/library.hpp>
#include <cubind/math/fft.hpp>
#include <cubind/math/random.hpp>

#include <chrono>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include "../alternate.hpp"
#include "../device_time.hpp"
#include "../plain.hpp"

namespace {

using namespace cubind;

using Complex = std::complex<float>;

void expect(unsigned int status) {
    if (status != 0) [[unlikely]]
        std::abort();
}

/// A batch of transforms of 1,024 numbers.
struct Transforms {
    explicit Transforms(std::int64_t batch)
        : count(batch),
          input(device.allocate<Complex>(stream, static_cast<std::size_t>(1024 * batch))),
          output(device.allocate<Complex>(stream, static_cast<std::size_t>(1024 * batch))),
          plan(stream, view(input), view(output), {.axes = {1}}) {
        input.fill(stream, std::byte{0});
        int n = 1024;
        expect(plain<unsigned int(int*, int, int*, int*, int, int, int*, int, int, unsigned int, int)>(
            cufft::library(), "cufftPlanMany")(&handle, 1, &n, nullptr, 1, n, nullptr, 1, n, cufft::CUFFT_C2C,
                                               static_cast<int>(batch)));
        expect(plain<unsigned int(int, void*)>(cufft::library(), "cufftSetStream")(handle, stream.native_handle()));
        stream.synchronize();
    }
    StridedView view(const TypedBuffer<Complex>& buffer) const { return StridedView(buffer, {count, 1024}); }
    void transform() { plan(stream, input_view, output_view); }
    void transform_plainly() {
        static auto* const exec = plain<unsigned int(int, void*, void*, int)>(cufft::library(), "cufftXtExec");
        expect(exec(handle, reinterpret_cast<void*>(input.native_handle()), reinterpret_cast<void*>(output.native_handle()),
                    cufft::CUFFT_FORWARD));
    }

    Device device;
    Stream stream{device};
    std::int64_t count;
    TypedBuffer<Complex> input, output;
    StridedView input_view = view(input), output_view = view(output);
    math::Fft plan;
    int handle = 0;
};

/// Normal numbers of Philox.
struct Numbers {
    explicit Numbers(std::size_t count) : buffer(device.allocate<float>(stream, count)) {
        auto& library = curand::library();
        expect(plain<unsigned int(void**, unsigned int)>(library, "curandCreateGenerator")(
            &handle, curand::CURAND_RNG_PSEUDO_PHILOX4_32_10));
        expect(plain<unsigned int(void*, void*)>(library, "curandSetStream")(handle, stream.native_handle()));
        stream.synchronize();
    }
    void generate() { random.normal(stream, buffer); }
    void generate_plainly() {
        static auto* const normal =
            plain<unsigned int(void*, float*, std::size_t, float, float)>(curand::library(), "curandGenerateNormal");
        expect(normal(handle, reinterpret_cast<float*>(buffer.native_handle()), buffer.count(), 0, 1));
    }

    Device device;
    Stream stream{device};
    TypedBuffer<float> buffer;
    math::Random random{stream, {.generator = math::RandomGenerator::philox4x32_10}};
    void* handle = nullptr;
};

int run(int argc, char** argv) {
    Alternation calls(argc, argv);
    static Transforms one(1), many(16384);
    static Numbers few(1024), lots(std::size_t(1) << 26);
    const auto add = [&](const std::string& name, auto& small, auto& large, auto call, auto plain_call) {
        const auto wait = [&small] { small.stream.synchronize(); };
        calls.add(
            "host time of " + name, "plain", 64, [&small, plain_call] { (small.*plain_call)(); }, wait);
        calls.add(
            "host time of " + name, "cubind", 64, [&small, call] { (small.*call)(); }, wait);
        calls.add_timed("device time of " + name, "plain",
                        [&large, plain_call] { return device_time(large.stream, 10, [&] { (large.*plain_call)(); }); });
        calls.add_timed("device time of " + name, "cubind",
                        [&large, call] { return device_time(large.stream, 10, [&] { (large.*call)(); }); });
    };
    add("Fft", one, many, &Transforms::transform, &Transforms::transform_plainly);
    add("Random", few, lots, &Numbers::generate, &Numbers::generate_plainly);
    return calls.run();
}

}  // namespace

int main(int argc, char** argv) try {
    if (library_path(cufft::library()) == nullptr || library_path(curand::library()) == nullptr || Device::count() == 0) {
        std::fprintf(stderr, "cuFFT, cuRAND or a GPU is missing\n");
        return 77;
    }
    return run(argc, argv);
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 77;
}
