// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// svd_picture [FILE]: approximates a picture by matrices of low rank, and writes the one of the highest rank to FILE, a PGM file
// (default: svd_picture.pgm). The error of rank r must be the norm of the singular values from r on.

#include <cubind/core.hpp>
#include <cubind/cusolver/loading.hpp>
#include <cubind/library.hpp>
#include <cubind/math/decompositions.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <vector>

#include "example.hpp"

using namespace cubind;

namespace {

constexpr std::size_t height = 192, width = 256;

// Rings and a bright disk, from 0 to 255.
float brightness(std::size_t row, std::size_t column) {
    const double x = (static_cast<double>(column) - 90) / 60, y = (static_cast<double>(row) - 100) / 60;
    const double disk = std::hypot(x - 1.6, y + 0.7) < 0.5 ? 90 : 0;
    return static_cast<float>(80 + 70 * std::cos(6 * std::hypot(x, y)) + disk);
}

int svd_picture(const char* path) {
    if (library_path(cusolver::library()) == nullptr)
        return example::skip("cuSOLVER, which is part of the toolkit, was not found.");
    std::vector<float> picture(height * width), u(height * height), s(height), vh(height * width), sum(height * width);
    for (std::size_t i = 0; i < picture.size(); ++i) picture[i] = brightness(i / width, i % width);

    const Device device;
    const Stream stream(device);
    const auto view = [&](std::size_t rows, std::size_t columns) {
        return StridedView(device.allocate<float>(stream, rows * columns), {static_cast<long>(rows), static_cast<long>(columns)});
    };
    const auto host = [](std::vector<float>& values, const StridedView& like) {
        return StridedView({.data = values.data(), .dtype = data_type<float>, .shape = like.shape()});
    };
    const StridedView a = view(height, width), device_u = view(height, height), device_vh = view(height, width);
    const StridedView device_s(device.allocate<float>(stream, height), {height});
    copy(stream, a, host(picture, a));
    math::svd(stream, a, device_u, device_s, device_vh).check(stream);
    copy(stream, host(u, device_u), device_u);
    copy(stream, host(s, device_s), device_s);
    copy(stream, host(vh, device_vh), device_vh);
    stream.synchronize();

    bool right = true;
    for (std::size_t rank = 1; rank <= 32; ++rank) {
        const std::size_t k = rank - 1;
        for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += u[i / width * height + k] * s[k] * vh[k * width + i % width];
        double squares = 0, rest = 0, all = 0;
        for (std::size_t i = 0; i < sum.size(); ++i) squares += std::pow(static_cast<double>(picture[i] - sum[i]), 2);
        for (std::size_t i = 0; i < s.size(); ++i) (i < rank ? all : rest) += std::pow(static_cast<double>(s[i]), 2);
        right = right && std::abs(std::sqrt(squares) - std::sqrt(rest)) < 1e-4 * std::sqrt(all + rest);
        if ((rank & k) == 0) std::printf("rank %2zu: relative error %.1e\n", rank, std::sqrt(squares / (all + rest)));
    }
    std::ofstream file(path, std::ios::binary);
    file << "P5\n" << width << ' ' << height << "\n255\n";
    for (const float each : sum) file.put(static_cast<char>(static_cast<unsigned char>(std::clamp(each, 0.0f, 255.0f))));
    std::printf("wrote %s\n", path);
    return example::verdict(right && file.flush().good(), "the errors are the norms of the remaining singular values");
}

}  // namespace

int main(int argc, char** argv) {
    return example::run([&] { return svd_picture(argc > 1 ? argv[1] : "svd_picture.pgm"); });
}
