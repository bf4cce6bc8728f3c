// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// A histogram with CUB, in a .cu file that is a part of the program as source text. The kernel is compiled at its first launch,
// with the headers of CUB that are found on this machine.

#include <cubind/core.hpp>

#include <algorithm>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "../core/example.hpp"
#include "histogram.cu.hpp"

using namespace cubind;

namespace {

constexpr int bins = 256;

/// Returns values of which the middle ones are the most frequent. Their number is no multiple of a block's tile.
std::vector<unsigned char> bell_curve() {
    std::mt19937 generator(1);
    std::vector<unsigned char> values(50'021);
    for (unsigned char& value : values) {
        unsigned long sum = 0;
        for (int i = 0; i < 4; ++i) sum += generator() % 64;
        value = static_cast<unsigned char>(sum);
    }
    return values;
}

void print(const std::vector<unsigned int>& counts) {
    constexpr std::size_t bins_in_row = 16;
    const unsigned int most = *std::max_element(counts.begin(), counts.end());
    for (std::size_t first = 0; first < counts.size(); first += bins_in_row) {
        const unsigned int largest = *std::max_element(&counts[first], &counts[first] + bins_in_row);
        std::printf("%3zu %s\n", first, std::string(50u * largest / most, '#').c_str());
    }
}

int histogram() {
    const Device device;
    const Stream stream(device);
    const std::vector<unsigned char> values = bell_curve();
    TypedBuffer<unsigned char> input = device.allocate<unsigned char>(stream, values.size());
    TypedBuffer<unsigned int> output = device.allocate<unsigned int>(stream, bins);
    copy(stream, input, values);
    fill(stream, output, 0);
    try {
        kernels::histogram(stream, {.grid = 8, .block = kernels::histogram.max_threads}, input, values.size(), output);
    } catch (const CompileError& error) {
        if (error.log().find("open source file \"cub/") == std::string::npos) throw;
        const std::string text = std::string(error.what()).append("\n");
        const std::size_t second_line = text.find('\n') + 1;
        return example::skip("NVRTC found no headers of CUB. " +
                             text.substr(second_line, text.find('\n', second_line) - second_line));
    }
    std::vector<unsigned int> counts(bins);
    copy(stream, counts, output);
    stream.synchronize();
    print(counts);

    std::vector<unsigned int> expected(bins);
    for (const unsigned char value : values) ++expected[value];
    return example::verdict(counts == expected, "the count of each value");
}

}  // namespace

int main() {
    return example::run(histogram);
}
