// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Integers of 8 to 128 bits.
#include <bit>
#include <limits>

#include "compiled_kernels.hpp"

namespace cubind::testing {
namespace {

constexpr const char* integer_source = R"(
typedef unsigned long long u64;
typedef unsigned __int128 u128;
extern "C" {
__global__ void divide(const int* a, const int* b, const long long* c, const long long* d, long long* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    long long* const to = out + i * 8;
    to[0] = a[i] / b[i];
    to[1] = a[i] % b[i];
    to[2] = (unsigned)a[i] / (unsigned)b[i];
    to[3] = (unsigned)a[i] % (unsigned)b[i];
    to[4] = c[i] / d[i];
    to[5] = c[i] % d[i];
    to[6] = (u64)c[i] / (u64)d[i];
    to[7] = (u64)c[i] % (u64)d[i];
}
__global__ void by_constants(const int* a, const long long* c, long long* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    long long* const to = out + i * 6;
    to[0] = a[i] / 7;
    to[1] = a[i] % 1000003;
    to[2] = (unsigned)a[i] / 641u;
    to[3] = c[i] / -10;
    to[4] = (u64)c[i] % 1000000007u;
    to[5] = a[i] / 16;
}
__global__ void bits(const unsigned* a, const u64* c, u64* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    u64* const to = out + i * 16;
    const unsigned s = a[i] >> 27;
    to[0] = __popc(a[i]) | __popcll(c[i]) << 8;
    to[1] = __clz(a[i]) | __clzll(c[i]) << 8;
    to[2] = __ffs(a[i]) | __ffsll(c[i]) << 8;
    to[3] = __brev(a[i]);
    to[4] = __brevll(c[i]);
    to[5] = __byte_perm(a[i], (unsigned)c[i], 0x6152);
    to[6] = __funnelshift_l(a[i], (unsigned)c[i], s);
    to[7] = __funnelshift_rc((unsigned)c[i], a[i], s + 5);
    to[8] = (c[i] << s) ^ (u64)((long long)c[i] >> (s + 9));
    to[9] = __umulhi(a[i], (unsigned)c[i]);
    to[10] = __umul64hi(c[i], ~c[i]);
    to[11] = (u64)__mul64hi((long long)c[i], -(long long)a[i]);
    to[12] = __sad((int)a[i], (int)c[i], 5) + (u64)__usad(a[i], (unsigned)c[i], 6);
    int dot;  // NVRTC 12.0 has no __dp4a
    asm("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(dot) : "r"((int)a[i]), "r"((int)c[i]), "r"(100));
    to[13] = (unsigned)dot;
    to[14] = (unsigned)__mul24((int)a[i], (int)c[i]);
    to[15] = (unsigned)__rhadd((int)a[i], (int)c[i]) | (u64)__uhadd(a[i], (unsigned)c[i]) << 32;
}
__global__ void bytes(const unsigned* a, const unsigned* b, unsigned* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned* const to = out + i * 10;
    to[8] = __vsadu4(a[i], b[i]);
    to[9] = __vsadu2(a[i], b[i]);
    to[0] = __vadd4(a[i], b[i]);
    to[1] = __vsub2(a[i], b[i]);
    to[2] = __vmaxs4(a[i], b[i]);
    to[3] = __vminu2(a[i], b[i]);
    to[4] = __vabsdiffu4(a[i], b[i]);
    to[5] = __vaddus4(a[i], b[i]);
    to[6] = __vcmpgts4(a[i], b[i]);
    to[7] = __vavgu4(a[i], b[i]);
}
__global__ void wide(const u64* a, const u64* b, u128* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    u128* const to = out + i * 8;
    const u128 x = (u128)a[i] << 64 | b[i], y = (u128)b[i] * 3 + a[i];
    const unsigned s = a[i] & 127;
    to[0] = x + y;
    to[1] = x - y;
    to[2] = x * y;
    to[3] = x / (y >> (s / 2) | 1);
    to[4] = x % (y >> (s / 2) | 1);
    to[5] = (u128)((__int128)x / (__int128)((long long)b[i] | 1));
    to[6] = x << s ^ (u128)((__int128)x >> s);
    to[7] = x < y ? (__int128)x < (__int128)y : 2 + ((__int128)x < (__int128)y);
}
__global__ void saturated(const float* x, long long* out) {
    const int i = threadIdx.x;
    out[i * 4] = (int)x[i];
    out[i * 4 + 1] = (unsigned)x[i];
    out[i * 4 + 2] = __float2ll_rn(x[i]);
    out[i * 4 + 3] = __float2int_ru(x[i]);
}
__global__ void power(const u64* base, const u64* exponent, const u64* modulus, u64* out) {
    const int i = threadIdx.x;
    u64 result = 1, b = base[i] % modulus[i];
    for (u64 e = exponent[i]; e != 0; e >>= 1) {
        if (e & 1) result = (u64)((u128)result * b % modulus[i]);
        b = (u64)((u128)b * b % modulus[i]);
    }
    out[i] = result;
}
}
)";

__extension__ using Wide = unsigned __int128;
__extension__ using SignedWide = __int128;

class IntegerKernelsTest : public KernelsTest {
protected:
    void SetUp() override {
        KernelsTest::SetUp();
        if (!IsSkipped()) load(integer_source, {"--device-int128"});
    }
    static constexpr std::size_t count = 256;
    // Numbers of all magnitudes.
    template <class Value>
    static std::vector<Value> numbers(unsigned seed) {
        auto values = random_integers<Value>(count, std::numeric_limits<Value>::min(), std::numeric_limits<Value>::max(), seed);
        for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<Value>(values[i] >> (i * seed % (8 * sizeof(Value) - 1)));
        return values;
    }
    template <class Value>
    static std::vector<Value> divisors(unsigned seed) {
        auto values = numbers<Value>(seed);
        for (Value& value : values) value = value == 0 || value == static_cast<Value>(-1) ? 1 : value;
        return values;
    }
};

TEST_P(IntegerKernelsTest, Divides) {
    const auto a = numbers<int>(1), b = divisors<int>(3);
    const auto c = numbers<long long>(5), d = divisors<long long>(7);
    const CUdeviceptr out = zeros<long long>(count * 8);
    run("divide", {2}, {128}, upload(a), upload(b), upload(c), upload(d), out);
    const auto results = download<long long>(out, count * 8);
    // Quotients and remainders have these properties and no others have.
    const auto check = [](auto dividend, auto divisor, SignedWide quotient, SignedWide remainder) {
        const auto magnitude = [](SignedWide v) { return v < 0 ? -v : v; };
        const SignedWide wide = dividend, by = divisor;
        EXPECT_TRUE(quotient * by + remainder == wide) << dividend << ' ' << divisor;
        EXPECT_TRUE(magnitude(remainder) < magnitude(by)) << dividend << ' ' << divisor;
        EXPECT_TRUE(remainder == 0 || (remainder < 0) == (wide < 0)) << dividend << ' ' << divisor;
    };
    for (std::size_t i = 0; i < count; ++i) {
        const long long* const to = &results[i * 8];
        check(a[i], b[i], to[0], to[1]);
        check(static_cast<unsigned>(a[i]), static_cast<unsigned>(b[i]), to[2], to[3]);
        check(c[i], d[i], to[4], to[5]);
        using U = unsigned long long;
        check(static_cast<U>(c[i]), static_cast<U>(d[i]), static_cast<U>(to[6]), static_cast<U>(to[7]));
    }
}

TEST_P(IntegerKernelsTest, DividesByConstants) {
    const auto a = numbers<int>(2);
    const auto c = numbers<long long>(4);
    const CUdeviceptr out = zeros<long long>(count * 6);
    run("by_constants", {2}, {128}, upload(a), upload(c), out);
    const auto results = download<long long>(out, count * 6);
    volatile int seven = 7, prime = 1000003, sixteen = 16;
    volatile unsigned divisor = 641, other = 1000000007;
    volatile long long ten = -10;
    for (std::size_t i = 0; i < count; ++i) {
        EXPECT_EQ(results[i * 6], a[i] / seven);
        EXPECT_EQ(results[i * 6 + 1], a[i] % prime);
        EXPECT_EQ(results[i * 6 + 2], static_cast<unsigned>(a[i]) / divisor);
        EXPECT_EQ(results[i * 6 + 3], c[i] / ten);
        EXPECT_EQ(results[i * 6 + 4], static_cast<long long>(static_cast<unsigned long long>(c[i]) % other));
        EXPECT_EQ(results[i * 6 + 5], a[i] / sixteen);
    }
}

TEST_P(IntegerKernelsTest, HandlesBits) {
    using U = unsigned long long;
    const auto a = numbers<unsigned>(9);
    const auto c = numbers<U>(11);
    const CUdeviceptr out = zeros<U>(count * 16);
    run("bits", {2}, {128}, upload(a), upload(c), out);
    const auto results = download<U>(out, count * 16);
    const auto reverse = [](U value, int bits) {
        U reversed = 0;
        for (int k = 0; k < bits; ++k) reversed |= (value >> k & 1) << (bits - 1 - k);
        return reversed;
    };
    for (std::size_t i = 0; i < count; ++i) {
        const U x = a[i], y = c[i], low = y & 0xffffffff, s = x >> 27;
        const auto sx = static_cast<int>(a[i]), sy = static_cast<int>(y);
        const auto part = [](U word, int k) { return word >> (8 * k) & 255; };
        const auto byte = [&](int k) { return k < 4 ? part(x, k) : part(low, k - 4); };
        const auto number = [](auto v) { return static_cast<U>(v); };
        const auto low_word = [](auto v) { return static_cast<U>(static_cast<unsigned>(v)); };
        long long dot = 100;
        for (int k = 0; k < 4; ++k) dot += static_cast<signed char>(part(x, k)) * static_cast<signed char>(part(low, k));
        const long long x24 = static_cast<int>(a[i] << 8) >> 8, y24 = static_cast<int>(static_cast<unsigned>(low) << 8) >> 8;
        const U absolute = low_word(std::abs(static_cast<long long>(sx) - sy) + 5);
        const std::vector<U> expected = {
            number(std::popcount(x) | std::popcount(y) << 8),
            number(std::countl_zero(a[i]) | std::countl_zero(c[i]) << 8),
            number((x == 0 ? 0 : std::countr_zero(x) + 1) | (y == 0 ? 0 : std::countr_zero(y) + 1) << 8),
            reverse(x, 32),
            reverse(y, 64),
            byte(2) | byte(5) << 8 | byte(1) << 16 | byte(6) << 24,
            ((low << 32 | x) << s) >> 32,
            low_word(number(Wide{x << 32 | low} >> std::min<U>(s + 5, 32))),
            number(y * (U{1} << s)) ^ number(static_cast<long long>(y) >> (s + 9)),
            x * low >> 32,
            number(Wide{y} * ~y >> 64),
            number(SignedWide{static_cast<long long>(y)} * -SignedWide{static_cast<long long>(x)} >> 64),
            low_word(absolute) + (((x > low ? x - low : low - x) + 6) % 0x100000000),
            low_word(dot),
            low_word(x24 * y24),
            low_word((static_cast<long long>(sx) + sy + 1) >> 1) | (x + low) / 2 << 32};
        for (std::size_t k = 0; k < 16; ++k)
            EXPECT_EQ(results[i * 16 + k], expected[k]) << i << ' ' << k << std::hex << ' ' << x << ' ' << y;
    }
}

TEST_P(IntegerKernelsTest, HandlesBytesOfWords) {
    const auto a = random_integers<unsigned>(count, 0, ~0u, 3), b = random_integers<unsigned>(count, 0, ~0u, 4);
    const CUdeviceptr out = zeros<unsigned>(count * 10);
    run("bytes", {2}, {128}, upload(a), upload(b), out);
    const auto results = download<unsigned>(out, count * 10);
    const auto each_part = [](unsigned x, unsigned y, int bits, bool is_signed, auto operation) {
        unsigned result = 0;
        for (int k = 0; k < 32; k += bits) {
            const auto part = [&](unsigned v) {
                return is_signed ? static_cast<int>(v << (32 - bits - k)) >> (32 - bits)
                                 : static_cast<int>(v << (32 - bits - k) >> (32 - bits));
            };
            result |= static_cast<unsigned>(operation(part(x), part(y))) << (32 - bits) >> (32 - bits) << k;
        }
        return result;
    };
    for (std::size_t i = 0; i < count; ++i) {
        const unsigned* const to = &results[i * 10];
        EXPECT_EQ(to[0], each_part(a[i], b[i], 8, false, [](int x, int y) { return x + y; }));
        EXPECT_EQ(to[1], each_part(a[i], b[i], 16, false, [](int x, int y) { return x - y; }));
        EXPECT_EQ(to[2], each_part(a[i], b[i], 8, true, [](int x, int y) { return std::max(x, y); }));
        EXPECT_EQ(to[3], each_part(a[i], b[i], 16, false, [](int x, int y) { return std::min(x, y); }));
        EXPECT_EQ(to[4], each_part(a[i], b[i], 8, false, [](int x, int y) { return std::abs(x - y); }));
        EXPECT_EQ(to[5], each_part(a[i], b[i], 8, false, [](int x, int y) { return std::min(x + y, 255); }));
        EXPECT_EQ(to[6], each_part(a[i], b[i], 8, true, [](int x, int y) { return x > y ? 255 : 0; }));
        EXPECT_EQ(to[7], each_part(a[i], b[i], 8, false, [](int x, int y) { return (x + y + 1) / 2; }));
        unsigned of_bytes = 0;
        for (int k = 0; k < 32; k += 8) of_bytes += to[4] >> k & 255;
        const unsigned halves = each_part(a[i], b[i], 16, false, [](int x, int y) { return std::abs(x - y); });
        EXPECT_EQ(to[8], of_bytes);
        EXPECT_EQ(to[9], (halves & 0xffff) + (halves >> 16));
    }
}

TEST_P(IntegerKernelsTest, ComputesWith128Bits) {
    using U = unsigned long long;
    const auto a = numbers<U>(13), b = numbers<U>(6);
    const CUdeviceptr out = zeros<Wide>(count * 8);
    run("wide", {2}, {128}, upload(a), upload(b), out);
    const auto results = download<Wide>(out, count * 8);
    for (std::size_t i = 0; i < count; ++i) {
        const Wide x = Wide{a[i]} << 64 | b[i], y = Wide{b[i]} * 3 + a[i];
        const unsigned s = a[i] & 127;
        const Wide divisor = y >> (s / 2) | 1;
        const auto sx = static_cast<SignedWide>(x), sy = static_cast<SignedWide>(y);
        const SignedWide by = static_cast<long long>(b[i]) | 1;
        const Wide expected[] = {x + y,
                                 x - y,
                                 x * y,
                                 x / divisor,
                                 x % divisor,
                                 static_cast<Wide>(sx / by),
                                 x << s ^ static_cast<Wide>(sx >> s),
                                 static_cast<Wide>(x < y ? sx < sy : 2 + (sx < sy))};
        for (std::size_t k = 0; k < 8; ++k) EXPECT_TRUE(results[i * 8 + k] == expected[k]) << i << ' ' << k;
    }
}

TEST_P(IntegerKernelsTest, SaturatesConversions) {
    const std::vector<float> x = {1.5f, -1.5f, 2.5f, 3e9f, -3e9f, 5e9f, 1e20f, -1e20f, std::numeric_limits<float>::infinity(),
                                  0.0f};
    const CUdeviceptr out = zeros<long long>(x.size() * 4);
    run("saturated", {1}, {10}, upload(x), out);
    constexpr long long i32 = 2147483647, l64 = std::numeric_limits<long long>::max();
    const long long expected[][4] = {{1, 1, 2, 2},
                                     {-1, 0, -2, -1},
                                     {2, 2, 2, 3},
                                     {i32, 3000000000, 3000000000, i32},
                                     {-i32 - 1, 0, -3000000000, -i32 - 1},
                                     {i32, 4294967295, 5000000000, i32},
                                     {i32, 4294967295, l64, i32},
                                     {-i32 - 1, 0, -l64 - 1, -i32 - 1},
                                     {i32, 4294967295, l64, i32},
                                     {0, 0, 0, 0}};
    const auto results = download<long long>(out, x.size() * 4);
    for (std::size_t i = 0; i < x.size(); ++i) {
        for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(results[i * 4 + k], expected[i][k]) << x[i] << ' ' << k;
    }
}

TEST_P(IntegerKernelsTest, ComputesPowersInResidueClasses) {
    using U = unsigned long long;
    constexpr U primes[] = {1000000007, 4294967291, 998244353, 18446744073709551557u};
    const auto bases = random_integers<U>(64, 2, 900000000);
    std::vector<U> exponents(64), moduli(64);
    for (std::size_t i = 0; i < 64; ++i) moduli[i] = primes[i % 4], exponents[i] = moduli[i] - 1;
    const CUdeviceptr out = zeros<U>(64);
    run("power", {1}, {64}, upload(bases), upload(exponents), upload(moduli), out);
    EXPECT_EQ(download<U>(out, 64), std::vector<U>(64, 1));  // Fermat's little theorem
}

INSTANTIATE_TEST_SUITE_P(Kernels, IntegerKernelsTest, ::testing::ValuesIn(variants()), name_of_variant);

}  // namespace
}  // namespace cubind::testing
