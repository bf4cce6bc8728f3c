// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// Callbacks and scales in transforms on a GPU.
#include <cubind/math/fft.hpp>
#include <cubind/nvrtc/loading.hpp>

#include <string>
#include <vector>

#include "fft_reference.hpp"

namespace cubind::testing {
namespace {

class FftCallbackGpuTest : public FftGpuTest {
protected:
    void SetUp() override {
        FftGpuTest::SetUp();
        if (!IsSkipped() && library_path(nvrtc::library()) == nullptr) GTEST_SKIP() << "NVRTC was not found";
    }

    static constexpr std::int64_t n = 48;
    static constexpr DataType complex_type(unsigned int bits) {
        return {DataTypeKind::complex, static_cast<std::uint8_t>(2 * bits)};
    }
    static constexpr DataType real_type(unsigned int bits) {
        return {DataTypeKind::floating_point, static_cast<std::uint8_t>(bits)};
    }
    static double limit(unsigned int bits) { return bits == 32 ? 3e-6 : 1e-13; }
    static Numbers spectrum_of(const Numbers& numbers) { return transformed(numbers, {n}, Dimensions{0}, -1); }
    static Numbers times(Numbers numbers, double factor) {
        for (Complex& each : numbers) each *= factor;
        return numbers;
    }

    static Numbers run(DataType input_type, DataType output_type, std::int64_t from, std::int64_t to, const Numbers& numbers,
                       const math::FftOptions& options) {
        const Stream stream{Device()};
        DeviceArray input(stream, input_type, {from}, {}, nullptr);
        const DeviceArray output(stream, output_type, {to}, {}, nullptr);
        input.store(stream, numbers);
        math::Fft transform(stream, input.view(), output.view(), options);
        transform(stream, input.view(), output.view());
        return output.load(stream);
    }
};

TEST_F(FftCallbackGpuTest, Scales) {
    for (const unsigned int bits : {32u, 64u}) {
        const Numbers numbers = random(n, false), signal = random(n, true);
        const Numbers half = first_half(spectrum_of(signal), {n}, 0);
        const double scale = 1.0 / n;
        expect_near(run(complex_type(bits), complex_type(bits), n, n, numbers, {.scale = scale}),
                    times(spectrum_of(numbers), scale), limit(bits), "complex");
        expect_near(run(real_type(bits), complex_type(bits), n, n / 2 + 1, signal, {.scale = scale}), times(half, scale),
                    limit(bits), "real to complex");
        expect_near(run(complex_type(bits), real_type(bits), n / 2 + 1, n, half, {.scale = scale}), signal, limit(bits),
                    "complex to real");
    }
}

TEST_F(FftCallbackGpuTest, LoadsWithData) {
    const Stream stream{Device()};
    auto window = Device().allocate<float>(stream, n);
    std::vector<float> weights(n);
    const Numbers random_weights = random(n, true);
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<float>(random_weights[i].real());
    copy(stream, window, weights);
    stream.synchronize();
    Numbers numbers = random(n, false);
    const Numbers found =
        run(complex_type(32), complex_type(32), n, n, numbers,
            {.load = {R"(__device__ float2 windowed(const float2* input, unsigned long long i, const float* window) {
                                               return {input[i].x * window[i], input[i].y * window[i]};
                                           })",
                      "windowed", window}});
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] *= static_cast<double>(weights[i]);
    expect_near(found, spectrum_of(numbers), limit(32), "a window");
}

TEST_F(FftCallbackGpuTest, LoadsAndStoresInOnePlan) {
    for (const unsigned int bits : {32u, 64u}) {
        const std::string real = bits == 32 ? "float" : "double";
        const std::string complex = real + "2";
        const Numbers signal = random(n, true);
        const Numbers found = run(
            real_type(bits), complex_type(bits), n, n / 2 + 1, signal,
            {.scale = 0.5,
             .load = {"static __device__ " + real + " f(const " + real + "* in, unsigned long long i) { return 2 * in[i] + 1; }",
                      "f"},
             .store = {"static __device__ void f(" + complex + "* out, unsigned long long i, " + complex +
                           " value) { out[i] = {value.y, value.x}; }",
                       "f"}});
        Numbers loaded = signal;
        for (Complex& each : loaded) each = 2.0 * each + 1.0;
        Numbers expected = first_half(times(spectrum_of(loaded), 0.5), {n}, 0);
        for (Complex& each : expected) each = {each.imag(), each.real()};
        expect_near(found, expected, limit(bits), std::to_string(bits) + " bits");
    }
}

TEST_F(FftCallbackGpuTest, ReplaysInAGraph) {
    const Stream stream{Device()};
    const Numbers numbers = random(n, false);
    DeviceArray input(stream, complex_type(32), {n}, {}, nullptr);
    const DeviceArray output(stream, complex_type(32), {n}, {}, nullptr);
    input.store(stream, numbers);
    GraphBuilder builder{Device()};
    {
        math::Fft transform(stream, input.view(), output.view(), {.scale = 2});
        builder.begin_building();
        transform(builder, input.view(), output.view());
        builder.end_building();
    }
    Graph graph = builder.complete();
    graph.launch(stream);
    expect_near(output.load(stream), times(spectrum_of(numbers), 2), limit(32), "a scaled transform in a graph");
}

}  // namespace
}  // namespace cubind::testing
