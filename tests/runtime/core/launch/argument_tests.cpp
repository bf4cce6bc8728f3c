// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <tuple>

#include "launch_test.hpp"

namespace cubind::testing {
namespace {

enum class Mode : std::uint16_t { fast = 0xbeef };

struct Particle {
    double mass;
    float velocity[3];
    std::int32_t charge;
    bool operator==(const Particle&) const = default;
};

struct Rgba {
    unsigned char r, g, b, a;
    bool operator==(const Rgba&) const = default;
};

/// A class whose native_handle() is the address of memory, which a kernel receives as a pointer.
struct Memory {
    driver::CUdeviceptr address;
    driver::CUdeviceptr native_handle() const { return address; }
};

/// A class whose kernel_argument() returns the value that a kernel receives.
struct Matrix {
    float* elements;
    std::unique_ptr<int> not_copyable = nullptr;
    float* kernel_argument() const { return elements; }
};

class ArgumentTest : public LaunchTest {
protected:
    inline static const LaunchConfig one{};
};

TEST_F(ArgumentTest, PassesNumbersAndEnumeratorsUnchanged) {
    std::optional<std::tuple<std::uint8_t, Mode, std::int32_t, std::uint64_t>> got;
    sim::define_kernel("small", [&](const sim::Launch&, std::uint8_t a, Mode b, std::int32_t c, std::uint64_t d) {
        got = {a, b, c, d};
    });
    launch(stream, one, kernel("small"), std::uint8_t{0x81}, Mode::fast, -123456789, std::uint64_t{0x123456789abcdef0});
    EXPECT_EQ(launched().arguments.size(), 16u);
    EXPECT_EQ(got, std::tuple(std::uint8_t{0x81}, Mode::fast, -123456789, std::uint64_t{0x123456789abcdef0}));

    std::optional<std::pair<float, double>> reals;
    sim::define_kernel("floats", [&](const sim::Launch&, float a, double b) { reals = {a, b}; });
    launch(stream, one, kernel("floats"), -0.1f, 0.1);
    launched();
    EXPECT_EQ(reals, std::pair(-0.1f, 0.1));

    std::optional<std::tuple<bool, char16_t>> others;
    sim::define_kernel("small", [&](const sim::Launch&, bool a, char16_t b, float, double) { others = {a, b}; });
    launch(stream, one, kernel("small"), true, u'x', 1.0f, 1.0);
    launched();
    EXPECT_EQ(others, std::tuple(true, u'x'));
}

TEST_F(ArgumentTest, PassesPointersAsAddresses) {
    std::uint64_t a{}, b{}, c{}, d{};
    sim::define_kernel("pointers", [&](const sim::Launch&, std::uint64_t first, std::uint64_t second, std::uint64_t third,
                                       std::uint64_t fourth) { a = first, b = second, c = third, d = fourth; });
    float host[4] = {};
    const auto address = [&](int index) { return reinterpret_cast<std::uint64_t>(host + index); };
    launch(stream, one, kernel("pointers"), &host[0], static_cast<const void*>(&host[1]), nullptr, driver::CUdeviceptr{0x1234});
    launched();
    EXPECT_EQ(std::tuple(a, b, c, d), std::tuple(address(0), address(1), 0u, 0x1234u));

    const std::span<const float, 2> fixed(host + 2, 2);
    launch(stream, one, kernel("pointers"), std::span<float>(host + 1, 3), fixed, Memory{0x5678}, Matrix{host + 3});
    launched();
    EXPECT_EQ(std::tuple(a, b, c, d), std::tuple(address(1), address(2), 0x5678u, address(3)));
}

TEST_F(ArgumentTest, PassesStructsByValue) {
    std::optional<std::tuple<Particle, Rgba, int>> got;
    sim::define_kernel("structs", [&](const sim::Launch&, Particle a, Rgba b, int c) { got = {a, b, c}; });
    const Particle particle{1.5, {1, 2, 3}, -1};
    launch(stream, one, kernel("structs"), particle, Rgba{1, 2, 3, 255}, 7);
    launched();
    EXPECT_EQ(got, std::tuple(particle, Rgba{1, 2, 3, 255}, 7));
}

/// A function object with public members, which is passed like any other struct.
struct Scale {
    float by;
    float operator()(float value) const { return by * value; }
};

TEST_F(ArgumentTest, PassesAggregatesWithACallOperatorByValue) {
    float by = 0;
    sim::define_kernel("floats", [&](const sim::Launch&, Scale scale, double) { by = scale.by; });
    launch(stream, one, kernel("floats"), Scale{2.5f}, 1.0);
    launched();
    EXPECT_EQ(by, 2.5f);
}

TEST_F(ArgumentTest, PassesNoneAndSixteenInOrder) {
    launch(stream, one, kernel("empty"));
    EXPECT_TRUE(launched().arguments.empty());
    launch(stream, one, kernel("sixteen"), 0ull, 1ull, 2ull, 3ull, 4ull, 5ull, 6ull, 7ull, 8ull, 9ull, 10ull, 11ull, 12ull, 13ull,
           14ull, 15ull);
    const auto bytes = launched().arguments;
    ASSERT_EQ(bytes.size(), 128u);
    for (std::size_t i = 0; i < 16; ++i) EXPECT_EQ(bytes[8 * i], std::byte(i));
}

TEST_F(ArgumentTest, CopiesBeforeTheLaunchReturns) {
    float seen = 0;
    sim::define_kernel("floats", [&](const sim::Launch&, float a, double) { seen = a; });
    float value = 1;
    launch(stream, one, kernel("floats"), value, 2.0);
    value = 3;
    launched();
    EXPECT_EQ(seen, 1.0f);
}

}  // namespace
}  // namespace cubind::testing
