// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Functions of CUDA's mathematical library, which NVRTC compiles into the PTX, against the host's in a wider format. The limits
// are the largest differences from the correctly rounded result that the CUDA C++ Programming Guide documents, in units in the
// last place. Those with -use_fast_math are wider.
#include <cmath>
#include <limits>

#include "compiled_kernels.hpp"

namespace cubind::testing {
namespace {

// Has enough bits for exact products of two doubles.
#ifdef __SIZEOF_FLOAT128__
__extension__ using Exact = __float128;
#else
using Exact = long double;
#endif

/// A function of one number, and its limits.
template <class Value, class Reference>
struct Row {
    const char* name;  ///< in device code
    Reference (*reference)(Reference);
    Value low, high;      ///< range of the arguments
    double limit;         ///< in units in the last place
    double fast = -1;     ///< limit with -use_fast_math, if it differs
    double absolute = 0;  ///< error that is allowed in addition with -use_fast_math
};

using Float = Row<float, double>;
using Double = Row<double, long double>;

// Intrinsic functions of sine, cosine, exponentials and logarithms replace the exact ones with -use_fast_math. Subnormal results
// are 0 then, so that the ranges avoid them.
const Float float_rows[] = {
    {"sinf", [](double x) { return std::sin(x); }, -3.1f, 3.1f, 2, 0, 0x1p-21},
    {"cosf", [](double x) { return std::cos(x); }, -3.1f, 3.1f, 2, 0, 0x1p-21},
    {"tanf", [](double x) { return std::tan(x); }, -1.2f, 1.2f, 4, 16, 0x1p-19},
    {"expf", [](double x) { return std::exp(x); }, -80.0f, 80.0f, 2, 98},
    {"exp2f", [](double x) { return std::exp2(x); }, -120.0f, 120.0f, 2},
    {"exp10f", [](double x) { return std::pow(10.0, x); }, -35.0f, 35.0f, 2, 108},
    {"logf", [](double x) { return std::log(x); }, 0.01f, 1e6f, 1, 3, 0x1p-21},
    {"log2f", [](double x) { return std::log2(x); }, 0.01f, 1e6f, 2, 2, 0x1p-21},
    {"log10f", [](double x) { return std::log10(x); }, 0.01f, 1e6f, 2, 3, 0x1p-21},
    {"sqrtf", [](double x) { return std::sqrt(x); }, 0.0f, 1e9f, 0, 3},
    {"rsqrtf", [](double x) { return 1 / std::sqrt(x); }, 1e-6f, 1e9f, 2},
    {"cbrtf", [](double x) { return std::cbrt(x); }, -1e6f, 1e6f, 1, 2},
    {"expm1f", [](double x) { return std::expm1(x); }, -5.0f, 20.0f, 1, 2},
    {"log1pf", [](double x) { return std::log1p(x); }, -0.9f, 100.0f, 1, 3, 0x1p-21},
    {"sinhf", [](double x) { return std::sinh(x); }, -20.0f, 20.0f, 3, 8},
    {"coshf", [](double x) { return std::cosh(x); }, -20.0f, 20.0f, 2, 8},
    {"tanhf", [](double x) { return std::tanh(x); }, -6.0f, 6.0f, 2, 0, 0x1p-10},
    {"asinf", [](double x) { return std::asin(x); }, -1.0f, 1.0f, 2, 3},
    {"acosf", [](double x) { return std::acos(x); }, -1.0f, 1.0f, 2, 3},
    {"atanf", [](double x) { return std::atan(x); }, -50.0f, 50.0f, 2, 3},
    {"asinhf", [](double x) { return std::asinh(x); }, -50.0f, 50.0f, 3, 6, 0x1p-21},
    {"acoshf", [](double x) { return std::acosh(x); }, 1.5f, 50.0f, 4, 6},
    {"atanhf", [](double x) { return std::atanh(x); }, -0.9f, 0.9f, 3, 6},
    {"erff", [](double x) { return std::erf(x); }, -3.0f, 3.0f, 2, 4},
    {"erfcf", [](double x) { return std::erfc(x); }, -3.0f, 5.0f, 4, 40},
    {"lgammaf", [](double x) { return std::lgamma(x); }, 3.0f, 50.0f, 6, 8},
    {"tgammaf", [](double x) { return std::tgamma(x); }, 0.5f, 20.0f, 5, 40},
    {"j0f", [](double x) { return std::cyl_bessel_j(0.0, x); }, 0.0f, 2.0f, 9, 9},
    {"floorf", [](double x) { return std::floor(x); }, -100.0f, 100.0f, 0},
    {"rintf", [](double x) { return std::nearbyint(x); }, -100.0f, 100.0f, 0},
    {"roundf", [](double x) { return std::round(x); }, -100.0f, 100.0f, 0},
    {"truncf", [](double x) { return std::trunc(x); }, -100.0f, 100.0f, 0},
    {"1.0f/", [](double x) { return 1 / x; }, 0.001f, 1e5f, 0, 1},
};

const Double double_rows[] = {
    {"sin", [](long double x) { return std::sin(x); }, -3000, 3000, 2},
    {"cos", [](long double x) { return std::cos(x); }, -3000, 3000, 2},
    {"tan", [](long double x) { return std::tan(x); }, -30, 30, 2},
    {"exp", [](long double x) { return std::exp(x); }, -700, 700, 1},
    {"exp2", [](long double x) { return std::exp2(x); }, -1000, 1000, 1},
    {"exp10", [](long double x) { return std::pow(10.0l, x); }, -300, 300, 1},
    {"log", [](long double x) { return std::log(x); }, 0.001, 1e9, 1},
    {"log2", [](long double x) { return std::log2(x); }, 0.001, 1e9, 1},
    {"log10", [](long double x) { return std::log10(x); }, 0.001, 1e9, 1},
    {"sqrt", [](long double x) { return std::sqrt(x); }, 0, 1e18, 0},
    {"rsqrt", [](long double x) { return 1 / std::sqrt(x); }, 1e-9, 1e18, 1},
    {"cbrt", [](long double x) { return std::cbrt(x); }, -1e9, 1e9, 1},
    {"expm1", [](long double x) { return std::expm1(x); }, -5, 20, 1},
    {"log1p", [](long double x) { return std::log1p(x); }, -0.9, 100, 1},
    {"sinh", [](long double x) { return std::sinh(x); }, -20, 20, 2},
    {"cosh", [](long double x) { return std::cosh(x); }, -20, 20, 1},
    {"tanh", [](long double x) { return std::tanh(x); }, -6, 6, 1},
    {"asin", [](long double x) { return std::asin(x); }, -1, 1, 2},
    {"acos", [](long double x) { return std::acos(x); }, -1, 1, 2},
    {"atan", [](long double x) { return std::atan(x); }, -50, 50, 2},
    {"asinh", [](long double x) { return std::asinh(x); }, -50, 50, 3},
    {"acosh", [](long double x) { return std::acosh(x); }, 1.5, 50, 3},
    {"atanh", [](long double x) { return std::atanh(x); }, -0.9, 0.9, 2},
    {"erf", [](long double x) { return std::erf(x); }, -3, 3, 2},
    {"erfc", [](long double x) { return std::erfc(x); }, -3, 20, 5},
    {"lgamma", [](long double x) { return std::lgamma(x); }, 3, 50, 4},
    {"tgamma", [](long double x) { return std::tgamma(x); }, 0.5, 150, 10},
    {"floor", [](long double x) { return std::floor(x); }, -100, 100, 0},
    {"rint", [](long double x) { return std::nearbyint(x); }, -100, 100, 0},
    {"round", [](long double x) { return std::round(x); }, -100, 100, 0},
    {"1.0/", [](long double x) { return 1 / x; }, 0.001, 1e9, 0},
};

/// Functions of two numbers, by the results of the host.
constexpr const char* pairs_source = R"(
extern "C" __global__ void pairs(const float* x, const float* y, float* out, const double* d, const double* e, double* real) {
    const int i = threadIdx.x, n = blockDim.x;
    out[i] = powf(x[i], y[i]);
    out[n + i] = atan2f(x[i], y[i]);
    out[2 * n + i] = fmodf(x[i], y[i]);
    out[3 * n + i] = hypotf(x[i], y[i]);
    out[4 * n + i] = x[i] / y[i];
    out[5 * n + i] = fmaf(x[i], y[i], -x[i]);
    out[6 * n + i] = remainderf(x[i], y[i]);
    real[i] = pow(d[i], e[i]);
    real[n + i] = atan2(d[i], e[i]);
    real[2 * n + i] = fmod(d[i], e[i]);
    real[3 * n + i] = hypot(d[i], e[i]);
    real[4 * n + i] = d[i] / e[i];
    real[5 * n + i] = fma(d[i], e[i], -d[i]);
    real[6 * n + i] = remainder(d[i], e[i]);
}
extern "C" __global__ void directed(const double* d, const double* e, double* out) {
    const int i = threadIdx.x, n = blockDim.x;
    out[i] = __dadd_ru(d[i], e[i]);
    out[n + i] = __dmul_rd(d[i], e[i]);
    out[2 * n + i] = __ddiv_rz(d[i], e[i]);
    out[3 * n + i] = __dsqrt_ru(d[i]);
    out[4 * n + i] = __fma_rd(d[i], e[i], 1.0);
    out[5 * n + i] = __double2float_ru(d[i]);
    out[6 * n + i] = ldexp(frexp(d[i], (int*)(out + 8 * n + i)), 3) + ilogb(d[i]) + nextafter(e[i], 0.0);
    out[7 * n + i] = copysign(fdim(d[i], e[i]), -1.0) + fmin(d[i], e[i]) * (isnan(d[i] - d[i]) ? 2 : 1) + trunc(e[i]);
}
)";

class MathKernelsTest : public KernelsTest {
protected:
    static constexpr std::size_t count = 256;

    /// Returns the distance to the correctly rounded result, in units in the last place.
    template <class Value>
    static double error(Value result, long double expected) {
        const auto nearest = static_cast<Value>(expected);
        if (result == nearest) return 0;
        const int exponent = std::max(std::ilogb(nearest), std::numeric_limits<Value>::min_exponent - 1);
        const Value unit = std::ldexp(Value{1}, exponent - (std::numeric_limits<Value>::digits - 1));
        return static_cast<double>(std::abs(result - nearest) / unit);
    }
    template <class Value, class Reference, std::size_t size>
    void expect_limits(const Row<Value, Reference> (&rows)[size], const std::string& type) {
        std::string source;
        for (std::size_t i = 0; i < size; ++i) {
            source += "extern \"C\" __global__ void f" + std::to_string(i) + "(const " + type + "* x, " + type +
                      "* y) { const int i = blockIdx.x * blockDim.x + threadIdx.x; y[i] = " + rows[i].name + "(x[i]); }\n";
        }
        load(source);
        for (std::size_t k = 0; k < size; ++k) {
            const Row<Value, Reference>& row = rows[k];
            const auto x = random_reals<Value>(count, row.low, row.high, static_cast<unsigned>(k));
            const CUdeviceptr y = zeros<Value>(count);
            run(("f" + std::to_string(k)).c_str(), {2}, {128}, upload(x), y);
            const auto results = download<Value>(y, count);
            double largest = 0;
            std::size_t at = 0;
            for (std::size_t i = 0; i < count; ++i) {
                const Reference expected = row.reference(x[i]);
                if (is_fast() && std::abs(static_cast<Reference>(results[i]) - expected) <= static_cast<Reference>(row.absolute))
                    continue;
                const double own = error(results[i], expected);
                if (!(own <= largest)) largest = own, at = i;
            }
            EXPECT_LE(largest, is_fast() && row.fast >= 0 ? row.fast : row.limit)
                << row.name << " of " << x[at] << " is " << results[at];
        }
    }
};

TEST_P(MathKernelsTest, ComputesFloatFunctions) {
    if (!IsSkipped()) expect_limits(float_rows, "float");
}

TEST_P(MathKernelsTest, ComputesDoubleFunctions) {
    if (!IsSkipped()) expect_limits(double_rows, "double");
}

TEST_P(MathKernelsTest, ComputesFunctionsOfTwoNumbers) {
    load(pairs_source);
    const auto x = random_reals<float>(count, 0.1f, 20.0f, 1), y = random_reals<float>(count, 0.5f, 9.0f, 2);
    const auto d = random_reals<double>(count, 0.1, 20.0, 3), e = random_reals<double>(count, 0.5, 9.0, 4);
    const CUdeviceptr out = zeros<float>(7 * count), real = zeros<double>(7 * count);
    run("pairs", {1}, {256}, upload(x), upload(y), out, upload(d), upload(e), real);
    const auto results = download<float>(out, 7 * count);
    const auto reals = download<double>(real, 7 * count);
    const double limits[] = {4, 3, 0, 3, 0, 0, 0}, fast[] = {200, 4, 0, 4, 2, 0, 0}, real_limits[] = {2, 2, 0, 2, 0, 0, 0};
    for (std::size_t i = 0; i < count; ++i) {
        const double a = x[i], b = y[i];
        const double expected[] = {std::pow(a, b), std::atan2(a, b), std::fmod(a, b),     std::hypot(a, b),
                                   a / b,          a * b - a,        std::remainder(a, b)};
        const long double p = d[i], q = e[i];
        const long double wide[] = {std::pow(p, q), std::atan2(p, q),   std::fmod(p, q),     std::hypot(p, q),
                                    p / q,          std::fma(p, q, -p), std::remainder(p, q)};
        for (std::size_t k = 0; k < 7; ++k) {
            EXPECT_LE(error(results[k * count + i], expected[k]), is_fast() ? fast[k] : limits[k]) << k << ' ' << a << ' ' << b;
            EXPECT_LE(error(reals[k * count + i], wide[k]), real_limits[k]) << k << ' ' << p << ' ' << q;
        }
    }
}

TEST_P(MathKernelsTest, RoundsInADirection) {
    load(pairs_source);
    const auto d = random_reals<double>(count, 0.1, 20.0, 5), e = random_reals<double>(count, 0.5, 9.0, 6);
    const CUdeviceptr out = zeros<double>(9 * count);
    run("directed", {1}, {256}, upload(d), upload(e), out);
    const auto results = download<double>(out, 9 * count);
    for (std::size_t i = 0; i < count; ++i) {
        const Exact a = d[i], b = e[i];
        const auto at = [&](std::size_t k) { return results[k * count + i]; };
        const auto below = [](double v) { return Exact{std::nextafter(v, -1e300)}; };
        const auto above = [](double v) { return Exact{std::nextafter(v, 1e300)}; };
        EXPECT_TRUE(a + b <= Exact{at(0)} && below(at(0)) < a + b) << i;
        EXPECT_TRUE(Exact{at(1)} <= a * b && a * b < above(at(1))) << i;
        EXPECT_TRUE(Exact{at(2)} * b <= a && a < above(at(2)) * b) << i;
        EXPECT_TRUE(a <= Exact{at(3)} * Exact{at(3)} && below(at(3)) * below(at(3)) < a) << i;
        EXPECT_TRUE(Exact{at(4)} <= a * b + 1 && a * b + 1 < above(at(4))) << i;
        EXPECT_TRUE(at(5) >= d[i] && static_cast<double>(std::nextafter(static_cast<float>(at(5)), 0.0f)) < d[i]) << i;
        const int exponent = std::ilogb(d[i]);
        EXPECT_EQ(at(6), std::scalbn(d[i], 2 - exponent) + exponent + std::nextafter(e[i], 0.0)) << i;
        EXPECT_EQ(at(7), -std::max(d[i] - e[i], 0.0) + std::min(d[i], e[i]) + static_cast<double>(static_cast<int>(e[i]))) << i;
    }
}

INSTANTIATE_TEST_SUITE_P(Kernels, MathKernelsTest, ::testing::ValuesIn(variants()), name_of_variant);

}  // namespace
}  // namespace cubind::testing
