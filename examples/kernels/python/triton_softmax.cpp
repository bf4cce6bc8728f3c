// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Launches a kernel that Triton has compiled from Python. Triton writes machine code and a JSON file, which states the threads,
// the shared memory and the scratch memory of a launch. The program needs neither Python nor Triton.

#include <cubind/core.hpp>
#include <cubind/core/device/simulation.hpp>
#include <cubind/kernels.hpp>
#include <cubind/kernels/triton_json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "products.hpp"

using namespace cubind;

namespace {

constexpr int rows = 300, columns = 781;

/// Returns the largest difference from the softmax of each row in double precision.
double largest_error(const std::vector<float>& values, const std::vector<float>& result) {
    double largest = 0;
    for (std::size_t first = 0; first < values.size(); first += columns) {
        const float maximum = *std::max_element(&values[first], &values[first] + columns);
        double sum = 0;
        for (std::size_t i = first; i < first + columns; ++i) sum += std::exp(double{values[i]} - maximum);
        for (std::size_t i = first; i < first + columns; ++i)
            largest = std::max(largest, std::abs(result[i] - std::exp(double{values[i]} - maximum) / sum));
    }
    return largest;
}

int triton_softmax(const std::filesystem::path& folder) {
    const Device device;
    const Stream stream(device);
    // The simulated driver executes PTX.
    const ObjectCode code = is_simulated_driver() ? ObjectCode::from_file(CodeType::ptx, (folder / "softmax.ptx").string())
                                                  : ObjectCode::from_file(CodeType::cubin, (folder / "softmax.cubin").string());
    const TritonMetadata metadata = read_triton_metadata((folder / "softmax.json").string());
    const TritonFunction<void(float*, const float*, int)> softmax(code, metadata, device);
    std::printf("%s: %d warps, %zu bytes of shared memory\n", metadata.name.c_str(), metadata.num_warps, metadata.shared);

    std::vector<float> values(std::size_t{rows} * columns), result(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i * 37 % 101) / 10 - 5;
    TypedBuffer<float> in = device.allocate<float>(stream, values.size());
    TypedBuffer<float> out = device.allocate<float>(stream, values.size());
    copy(stream, in, values);
    softmax(stream, rows, out, in, columns);
    copy(stream, result, out);
    stream.synchronize();
    const double error = largest_error(values, result);
    std::printf("%d rows of %d values, largest error %.1e\n", rows, columns, error);
    return example::verdict(error < 1e-6, "the softmax of each row");
}

}  // namespace

int main(int argc, char** argv) {
    return example::run_with_products(argc, argv, "softmax.json", triton_softmax);
}
