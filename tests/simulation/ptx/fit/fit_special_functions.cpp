// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the coefficients of the special function unit of a GPU from what its instructions return, and prints the tables of
// simulation/ptx/handlers/special_function_tables.hpp. No part of the build:
//
//     g++ -std=c++20 -O2 -frounding-math fit_special_functions.cpp -o fit && ./fit DIR > special_function_tables.hpp
//
// DIR has a file of 32-bit words for each function: rcp, rsq, sqrt, ex2, lg2 (consecutive floats from 1 on), sin (of i / 2^20),
// tanh (every fourth float from 0.125 on) and rnd (13 functions of 131,072 random floats each; the eighth is tanh).
//
// The unit divides the range of its argument into segments. In each it returns the leading 24 bits of
//     (base << base_shift) + rounding + linear * x + square * truncated_square(x)
// where x is the offset of the argument in its segment, 17 bits, and the other values are integers. Least squares give linear and
// square within a few units. Around that, the only pair is kept for which one base reproduces all points of the segment.
#include <algorithm>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using Words = std::vector<std::uint32_t>;
constexpr unsigned offset_bits = 17;

// An argument, and the limits of the sum that gives its result.
struct Point {
    std::int64_t offset, square, low, high;
};
using Points = std::vector<Point>;

struct Table {
    const char* name;
    const char* comment;
    int fraction_bits;  ///< of the sum
    int base_shift;
    int rounding;
    int square_step;    ///< squares are multiples of this
    bool is_one_exact;  ///< the function of 1 is exact, and does not follow from the sum
    std::vector<Points> segments;
};

Words read(const std::string& path) {
    std::FILE* const file = std::fopen(path.c_str(), "rb");
    if (file == nullptr) {
        std::fprintf(stderr, "cannot open %s\n", path.c_str());
        std::exit(1);
    }
    Words words;
    std::uint32_t buffer[4096];
    while (const std::size_t count = std::fread(buffer, 4, 4096, file)) words.insert(words.end(), buffer, buffer + count);
    std::fclose(file);
    return words;
}

// The products of the bits i and j of the offset with i + j >= 18, halved.
std::int64_t truncated_square(std::uint32_t offset) {
    std::int64_t sum = 0;
    for (unsigned i = 0; i < offset_bits; ++i) {
        if ((offset >> i & 1) != 0) sum += offset >> (18 - i);
    }
    return sum / 2;
}

// A result is the sum cut to 24 bits, so that the sum is between it and the next float. `scale` is the power of two that leads
// from the result to the sum's unit. A sum of fewer bits is exact, except for the last bit of a logarithm's, which is cut.
Point point(std::uint32_t offset, std::uint32_t result, int scale, bool is_last_bit_cut = false) {
    const int exponent = static_cast<int>(result >> 23 & 255) - 150 + scale;
    const std::int64_t significand = (result & 0x7fffff) | 0x800000;
    Point made{offset, truncated_square(offset), 0, 0};
    made.low = exponent >= 0 ? significand << exponent : significand >> -exponent;
    made.high = made.low + (std::int64_t{1} << std::max(exponent, is_last_bit_cut ? 1 : 0)) - 1;
    return made;
}

// Solves the equations of least squares for base, linear and square.
void approximate(const Points& points, double solution[3]) {
    double rows[3][4] = {};
    for (const Point& each : points) {
        const double terms[3] = {1, static_cast<double>(each.offset), static_cast<double>(each.square)};
        for (int r = 0; r < 3; ++r) {
            for (int c = 0; c < 3; ++c) rows[r][c] += terms[r] * terms[c];
            rows[r][3] += terms[r] * (static_cast<double>(each.low) + static_cast<double>(each.high)) / 2;
        }
    }
    for (int pivot = 0; pivot < 3; ++pivot) {
        for (int r = 0; r < 3; ++r) {
            const double factor = rows[r][pivot] / rows[pivot][pivot];
            for (int c = 0; r != pivot && c < 4; ++c) rows[r][c] -= factor * rows[pivot][c];
        }
    }
    for (int r = 0; r < 3; ++r) solution[r] = rows[r][3] / rows[r][r];
}

// Returns whether a multiple of 1 << base_shift, plus the rounding, reproduces all points.
bool find_base(const Table& table, const Points& points, std::int64_t linear, std::int64_t square, std::int64_t& base) {
    std::int64_t low = INT64_MIN, high = INT64_MAX;
    for (std::size_t step = std::size_t{1} << 20, first = 0; step != 0; first = step /= 2) {  // far points first
        for (std::size_t i = first; i < points.size(); i += first == 0 ? step : 2 * step) {
            const std::int64_t rest = linear * points[i].offset + square * points[i].square + table.rounding;
            low = std::max(low, points[i].low - rest);
            high = std::min(high, points[i].high - rest);
            if (low > high) return false;
        }
    }
    base = high >> table.base_shift;
    return base << table.base_shift >= low;
}

// Finds the coefficients of a segment. Returns whether there is only one solution.
bool solve(const Table& table, const Points& points, std::int64_t coefficients[3]) {
    double start[3];
    approximate(points, start);
    constexpr int reach = 4;
    int found = 0;
    for (int i = -reach; i <= reach; ++i) {
        const std::int64_t square = (std::llround(start[2] / table.square_step) + i) * table.square_step;
        for (std::int64_t linear = std::llround(start[1]) - reach; linear <= std::llround(start[1]) + reach; ++linear) {
            std::int64_t base = 0;
            if (!find_base(table, points, linear, square, base)) continue;
            coefficients[0] = base, coefficients[1] = linear, coefficients[2] = square;
            ++found;
        }
    }
    if (found != 1) std::fprintf(stderr, "%s: %d solutions for %zu points\n", table.name, found, points.size());
    return found == 1;
}

bool print(const Table& table) {
    bool is_unique = true;
    const std::size_t count = table.segments.size();
    std::vector<std::int64_t> all(3 * count);
    for (std::size_t i = 0; i < count; ++i) is_unique = solve(table, table.segments[i], &all[3 * i]) && is_unique;
    std::printf("\n/// %s\ninline constexpr Segments<%zu> %s = {", table.comment, count, table.name);
    for (std::size_t coefficient = 0; coefficient < 3; ++coefficient) {
        std::printf("\n    {");
        for (std::size_t i = 0; i < count; ++i) {
            const char* const separator = i == 0 ? "" : i % 12 == 0 ? ",\n     " : ", ";
            std::printf("%s%lld", separator, static_cast<long long>(all[3 * i + coefficient]));
        }
        std::printf("},");
    }
    std::printf("\n};\n");
    return is_unique;
}

// Consecutive floats from 1 on: the leading bits of the significand, and the exponent, select the segment.
void add_consecutive(Table& table, const Words& results, unsigned offset_shift, int scale) {
    const unsigned points = 1u << (offset_bits - offset_shift);
    for (std::size_t i = 0; i < results.size(); ++i) {
        if (i % points == 0) table.segments.emplace_back();
        if (i == 0 && table.is_one_exact) continue;
        table.segments.back().push_back(
            point(static_cast<std::uint32_t>(i % points) << offset_shift, results[i], scale, table.fraction_bits == 38));
    }
}

// The argument becomes turns with 25 fraction bits: two for the quadrant, six for the segment and 17 for the offset.
void add_sine(Table& table, const Words& results) {
    table.segments.resize(64);
    std::fesetround(FE_TOWARDZERO);
    for (std::size_t i = 1; i < results.size(); ++i) {
        const float turns = static_cast<float>(i) / (1 << 20) * 0x1.45f306p-3f;
        const auto fixed = static_cast<std::uint32_t>(turns * 0x1p25f);
        const std::uint32_t angle = (fixed >> 23 & 1) != 0 ? ~fixed & 0x7fffff : fixed & 0x7fffff;
        if (angle == 0) continue;
        table.segments[angle >> offset_bits].push_back(point(angle & 0x1ffff, results[i], table.fraction_bits));
    }
    std::fesetround(FE_TONEAREST);
}

std::uint32_t mix(std::uint32_t x) {
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

// Segments of the hyperbolic tangent: bits of the significand that select the segment, for each octave from 2^-8 to 8. The
// offset is the 17 bits after them.
void add_tangent(Table& table, const Words& results, const Words& random) {
    constexpr unsigned bits[] = {0, 0, 0, 1, 1, 2, 2, 2, 3, 4, 3};
    std::size_t first[12] = {};
    for (int i = 0; i < 11; ++i) first[i + 1] = first[i] + (std::size_t{1} << bits[i]);
    table.segments.resize(first[11]);
    const auto add = [&](std::uint32_t argument, std::uint32_t result) {
        const std::uint32_t octave = (argument >> 23 & 255) - 119;
        if (octave > 10) return;
        const std::uint32_t offset = (argument & 0x7fffff) << bits[octave];
        table.segments[first[octave] + (offset >> 23)].push_back(point(offset >> 6 & 0x1ffff, result, table.fraction_bits));
    };
    for (std::uint32_t i = 0; i < 1u << 17; ++i) add(mix(i) & 0x7fffffff, random[(7u << 17) + i] & 0x7fffffff);
    for (std::uint32_t i = 0; i < results.size(); ++i) add(0x3e000000u + 4 * i, results[i]);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) return 1;
    const std::string folder = std::string(argv[1]) + "/";
    std::printf(
        "// SPDX-FileCopyrightText: The cubind authors\n// SPDX-License-Identifier: Apache-2.0\n//\n"
        "// The coefficients of the special function unit, as measured on an H200, driver 580.159.04, CUDA 13.0, 2026-11-22.\n"
        "// tests/simulation/ptx/fit/fit_special_functions.cpp wrote this file: each value is the only one that reproduces all\n"
        "// results of its segment.\n#pragma once\n\n#include <cubind/detail/abi.hpp>\n\n#include <cstdint>\n\n"
        "namespace CUBIND_NAMESPACE::sim::ptx {\n\n"
        "/// A function in the segments of its argument's range. With the offset x in a segment, the function is\n"
        "/// base + linear * x + square * x * x. special_functions.hpp has the units.\n"
        "template <unsigned count>\nstruct Segments {\n    std::int32_t base[count], linear[count], square[count];\n};\n");
    Table reciprocal{"reciprocal_segments", "1 / a for a in [1, 2).", 40, 14, 4047, 2, false, {}};
    add_consecutive(reciprocal, read(folder + "rcp"), 1, 40);
    Table root{"reciprocal_root_segments", "1 / sqrt(a) for a in [1, 2), then in [2, 4).", 41, 15, 32767, 2, true, {}};
    add_consecutive(root, read(folder + "rsq"), 0, 41);
    Table square_root{"root_segments", "sqrt(a) for a in [1, 2), then in [2, 4).", 40, 15, 32767, 2, false, {}};
    add_consecutive(square_root, read(folder + "sqrt"), 0, 40);
    Table exponential{"exponential_segments", "2^a for a in [0, 1).", 39, 14, 12229, 2, false, {}};
    add_consecutive(exponential, read(folder + "ex2"), 0, 38);  // of arguments in [1, 2), twice as large
    Table logarithm{"logarithm_segments", "log2(a) for a in [1, 2). The sum's last bit is cut.", 38, 12, 837, 1, true, {}};
    add_consecutive(logarithm, read(folder + "lg2"), 0, 38);
    Table sine{"sine_segments", "sin(a) for a from 0 to a quarter of a turn.", 37, 11, 0, 1, false, {}};
    add_sine(sine, read(folder + "sin"));
    Table tangent{"hyperbolic_tangent_segments", "tanh(a) for a in [2^-8, 8).", 39, 11, 0, 1, false, {}};
    add_tangent(tangent, read(folder + "tanh"), read(folder + "rnd"));
    bool is_unique = true;
    for (const Table* const table : {&reciprocal, &root, &square_root, &exponential, &logarithm, &sine, &tangent}) {
        is_unique = print(*table) && is_unique;
    }
    std::printf("\n}  // namespace CUBIND_NAMESPACE::sim::ptx\n");
    return is_unique ? 0 : 1;
}
