// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// Transforms of each type and layout on a GPU, beside their definition in double precision.
#include <cubind/math/fft.hpp>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fft_reference.hpp"

namespace cubind::testing {
namespace {

/// The shape and strides of both operands. The shape is the one of the signal.
struct Layout {
    const char* name;
    Dimensions shape;
    Dimensions axes = {};
    Dimensions input = {};   // strides, dense if empty
    Dimensions output = {};  // strides, dense if empty
    bool is_in_place = false;
};

struct Precision {
    unsigned int bits;
    double limit;
    [[nodiscard]] DataType real() const { return {DataTypeKind::floating_point, static_cast<std::uint8_t>(bits)}; }
    [[nodiscard]] DataType complex() const { return {DataTypeKind::complex, static_cast<std::uint8_t>(2 * bits)}; }
};

constexpr Precision single{32, 3e-6}, twice{64, 1e-13}, half{16, 1e-2};

// Extents are powers of two for half precision.
const std::vector<Layout> complex_layouts = {
    {"a vector", {64}},
    {"a vector in place", {64}, {}, {}, {}, true},
    {"a matrix", {8, 16}},
    {"a volume", {4, 8, 16}},
    {"rows", {5, 32}, {1}},
    {"rows in place", {5, 32}, {1}, {}, {}, true},
    {"columns", {32, 5}, {0}},
    {"a part of larger rows", {3, 16}, {1}, {50, 1}, {20, 1}},
    {"a part of a larger matrix", {8, 16}, {}, {40, 1}, {20, 1}},
    {"every second element", {16}, {}, {2}, {3}},
    {"the outer axes of a volume", {4, 8, 6}, {0, 1}},
    {"the first and the last axis", {4, 3, 8}, {0, 2}},
    {"a stack of stacks", {2, 3, 4, 8}, {2, 3}},
    {"a column-major matrix", {8, 16}, {}, {1, 8}, {1, 8}},
    {"extents of one element", {1, 16, 1}},
};
const std::vector<Layout> real_layouts = {
    {"a vector", {64}},
    {"a matrix", {8, 16}},
    {"a volume", {4, 8, 16}},
    {"rows", {5, 32}, {1}},
    {"rows in place", {5, 32}, {1}, {34, 1}, {17, 1}, true},
    {"a matrix in place", {8, 16}, {}, {18, 1}, {9, 1}, true},
    {"a volume in place", {4, 8, 16}, {}, {144, 18, 1}, {72, 9, 1}, true},
    {"a part of larger rows", {3, 16}, {1}, {50, 1}, {20, 1}},
    {"the first axis after the second", {8, 4}, {1, 0}, {1, 8}, {1, 5}},
    {"a stack", {2, 3, 4, 8}, {2, 3}},
};
const std::vector<Layout> other_extents = {{"a prime", {31}}, {"odd rows", {4, 27}, {1}}, {"an odd matrix", {5, 21}}};

class FftLayoutGpuTest : public FftGpuTest {
protected:
    static Dimensions all_axes(const Layout& layout) {
        if (layout.axes.rank() != 0) return layout.axes;
        Dimensions axes;
        for (std::size_t i = 0; i < layout.shape.rank(); ++i) axes.push_back(static_cast<std::int64_t>(i));
        return axes;
    }
    static std::size_t last_axis(const Layout& layout) {
        const Dimensions axes = all_axes(layout);
        return static_cast<std::size_t>(axes[axes.rank() - 1]);
    }
    static Dimensions halved_shape(const Layout& layout) {
        Dimensions shape = layout.shape;
        shape.set(last_axis(layout), shape[last_axis(layout)] / 2 + 1);
        return shape;
    }
    static std::string name_of(const Layout& layout, const Precision& precision, const char* kind) {
        return std::string(kind) + " of " + std::to_string(precision.bits) + " bits, " + layout.name;
    }

    Numbers run(DataType input_type, const Dimensions& input_shape, const Dimensions& input_strides, DataType output_type,
                const Dimensions& output_shape, const Dimensions& output_strides, const Layout& layout, const Numbers& numbers,
                math::FftDirection direction) {
        const Stream stream{Device()};
        DeviceArray input(stream, input_type, input_shape, input_strides, nullptr);
        const DeviceArray output(stream, output_type, output_shape, output_strides, layout.is_in_place ? &input : nullptr);
        input.store(stream, numbers);
        math::Fft transform(stream, input.view(), output.view(), {.axes = layout.axes});
        transform(stream, input.view(), output.view(), direction);
        return output.load(stream);
    }

    void expect_complex(const Layout& layout, const Precision& precision) {
        const Numbers numbers = random(size_of(layout.shape), false);
        for (const auto direction : {math::FftDirection::forward, math::FftDirection::inverse}) {
            const int sign = direction == math::FftDirection::forward ? -1 : 1;
            const Numbers found = run(precision.complex(), layout.shape, layout.input, precision.complex(), layout.shape,
                                      layout.output, layout, numbers, direction);
            expect_near(found, transformed(numbers, layout.shape, all_axes(layout), sign), precision.limit,
                        name_of(layout, precision, sign < 0 ? "forward" : "inverse"));
        }
    }
    void expect_real(const Layout& layout, const Precision& precision) {
        const Numbers signal = random(size_of(layout.shape), true);
        const Numbers whole = transformed(signal, layout.shape, all_axes(layout), -1);
        const Numbers spectrum = first_half(whole, layout.shape, last_axis(layout));
        expect_near(run(precision.real(), layout.shape, layout.input, precision.complex(), halved_shape(layout), layout.output,
                        layout, signal, math::FftDirection::forward),
                    spectrum, precision.limit, name_of(layout, precision, "real to complex"));
        Numbers unscaled = signal;
        for (Complex& each : unscaled) {
            for (const std::int64_t axis : all_axes(layout))
                each *= static_cast<double>(layout.shape[static_cast<std::size_t>(axis)]);
        }
        expect_near(run(precision.complex(), halved_shape(layout), layout.output, precision.real(), layout.shape, layout.input,
                        layout, spectrum, math::FftDirection::inverse),
                    unscaled, precision.limit, name_of(layout, precision, "complex to real"));
    }
};

TEST_F(FftLayoutGpuTest, TransformsComplexNumbers) {
    for (const Layout& layout : complex_layouts) {
        for (const Precision& precision : {single, twice}) expect_complex(layout, precision);
    }
}

TEST_F(FftLayoutGpuTest, TransformsRealNumbers) {
    for (const Layout& layout : real_layouts) {
        for (const Precision& precision : {single, twice}) expect_real(layout, precision);
    }
}

TEST_F(FftLayoutGpuTest, TransformsOtherExtentsThanPowersOfTwo) {
    for (const Layout& layout : other_extents) {
        for (const Precision& precision : {single, twice}) {
            expect_complex(layout, precision);
            expect_real(layout, precision);
        }
    }
}

TEST_F(FftLayoutGpuTest, TransformsHalfPrecision) {
    for (const Layout& layout : complex_layouts) expect_complex(layout, half);
    for (const Layout& layout : real_layouts) expect_real(layout, half);
}

class FftPlanGpuTest : public FftGpuTest {
protected:
    static constexpr std::int64_t n = 1 << 10;
    static constexpr DataType type{DataTypeKind::complex, 64};

    Numbers spectrum_of(const Numbers& numbers) { return transformed(numbers, {n}, Dimensions{0}, -1); }

    const Dimensions shape_{n};
};

TEST_F(FftPlanGpuTest, ReplaysInAGraphThatOutlivesThePlan) {
    const Stream stream{Device()};
    const Numbers numbers = random(n, false);
    DeviceArray input(stream, type, shape_, {}, nullptr);
    const DeviceArray output(stream, type, shape_, {}, nullptr);
    std::optional<math::Fft> transform(std::in_place, stream, input.view(), output.view());
    GraphBuilder builder{Device()};
    builder.begin_building();
    (*transform)(builder, input.view(), output.view());
    builder.end_building();
    Graph graph = builder.complete();
    transform.reset();
    stream.synchronize();
    for (int i = 0; i < 2; ++i) {
        Numbers scaled = numbers;
        for (Complex& each : scaled) each *= i + 1;
        input.store(stream, scaled);
        graph.launch(stream);
        expect_near(output.load(stream), spectrum_of(scaled), 3e-6, "launch " + std::to_string(i));
    }
}

TEST_F(FftPlanGpuTest, IsDestroyedWhileItsWorkRuns) {
    const Stream stream{Device()}, other{Device()};
    const Numbers numbers = random(n, false);
    DeviceArray input(stream, type, shape_, {}, nullptr), output(stream, type, shape_, {}, nullptr);
    input.store(stream, numbers);
    for (int i = 0; i < 20; ++i) {
        math::Fft transform(stream, input.view(), output.view());
        for (int j = 0; j < 20; ++j) transform(stream, input.view(), output.view());
        transform(other, input.view(), output.view());
    }
    for (int i = 0; i < 20; ++i) math::fft(other, input.view(), output.view());
    expect_near(output.load(other), spectrum_of(numbers), 3e-6, "the last of many plans");
}

// A transform of several kernels needs a workspace, which the second stream must not overwrite.
TEST_F(FftPlanGpuTest, UsesOneWorkspaceOnTwoStreams) {
    constexpr std::int64_t length = 1 << 21;
    const Stream first{Device()}, second{Device()};
    const auto fill = [&](TypedBuffer<std::complex<float>>& buffer, float value) {
        const std::vector<std::complex<float>> numbers(length, value);
        copy(first, buffer, numbers);
        first.synchronize();
    };
    std::vector<TypedBuffer<std::complex<float>>> inputs, outputs;
    for (int i = 0; i < 4; ++i) {
        inputs.push_back(Device().allocate<std::complex<float>>(first, length));
        outputs.push_back(Device().allocate<std::complex<float>>(first, length));
        fill(inputs.back(), static_cast<float>(i + 1));
    }
    math::Fft transform(first, inputs[0], outputs[0]);
    std::printf("workspace of %lld elements: %zu bytes\n", static_cast<long long>(length), transform.workspace_size());
    for (std::size_t i = 0; i < 4; ++i) transform(i % 2 == 0 ? first : second, inputs[i], outputs[i]);
    for (std::size_t i = 0; i < 4; ++i) {
        std::vector<std::complex<float>> found(2);
        const Stream& stream = i % 2 == 0 ? first : second;
        copy(stream, found, outputs[i].first(2));
        stream.synchronize();
        EXPECT_NEAR(found[0].real(), static_cast<double>(length) * static_cast<double>(i + 1), 1e-5 * length);
        EXPECT_NEAR(std::abs(found[1]), 0, 1e-5 * length);
    }
}

}  // namespace
}  // namespace cubind::testing
