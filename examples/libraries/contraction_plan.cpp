// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Expands a compressed tensor with cuTENSOR: result[x,y,k] is the sum over a and b of rows[x,a] * core[a,b,k] * columns[y,b]. One
// plan contracts the three tensors, chooses its kernel by measuring, and is then called again.

#include <cubind/core.hpp>
#include <cubind/cutensor/loading.hpp>
#include <cubind/library.hpp>
#include <cubind/math/contraction.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "example.hpp"

using namespace cubind;

namespace {

using Elements = std::vector<float>;

constexpr std::int64_t width = 96, height = 80, depth = 40, ranks = 12;

// Small integers, so that sums are exact in any order.
Elements make(std::int64_t count, int period) {
    Elements values;
    for (std::int64_t i = 0; i < count; ++i) values.push_back(static_cast<float>(i % period - 2));
    return values;
}

StridedView upload(StreamRef stream, const Elements& values, const Dimensions& shape) {
    TypedBuffer<float> memory = Device().allocate<float>(stream, values.size());
    copy(stream, memory, values);
    return StridedView(memory, shape);  // retains the memory
}

float at(const Elements& values, std::int64_t index) {
    return values[static_cast<std::size_t>(index)];
}

Elements expand_on_host(const Elements& rows, const Elements& core, const Elements& columns) {
    Elements sums;
    for (std::int64_t x = 0; x < width; ++x)
        for (std::int64_t y = 0; y < height; ++y)
            for (std::int64_t k = 0; k < depth; ++k) {
                float sum = 0;
                for (std::int64_t a = 0; a < ranks; ++a)
                    for (std::int64_t b = 0; b < ranks; ++b)
                        sum += at(rows, x * ranks + a) * at(core, (a * ranks + b) * depth + k) * at(columns, y * ranks + b);
                sums.push_back(sum);
            }
    return sums;
}

int contraction_plan() {
    if (library_path(cutensor::library()) == nullptr)
        return example::skip("cuTENSOR was not found. It is in the Python package cutensor-cu13.");
    const Stream stream{Device()};
    const Elements rows = make(width * ranks, 5), core = make(ranks * ranks * depth, 7), columns = make(height * ranks, 3);
    const StridedView a = upload(stream, rows, {width, ranks}), b = upload(stream, core, {ranks, ranks, depth});
    const StridedView c = upload(stream, columns, {height, ranks});
    const StridedView d = upload(stream, make(width * height * depth, 1), {width, height, depth});

    math::Contraction expand(stream, "xa,abk,yb->xyk", a, b, c, d);
    const math::ContractionTuning tuning = expand.autotune(stream, a, b, c, d);
    expand(stream, a, b, c, d);

    Elements sums(d.size());
    copy(stream, StridedView::view_of(sums.data(), d.shape()), d);
    stream.synchronize();
    std::printf("%d kernels were timed. The fastest takes %.3f ms.\n", tuning.candidates, tuning.after.count());
    return example::verdict(sums == expand_on_host(rows, core, columns), "each element equals the sum on the host");
}

}  // namespace

int main() {
    return example::run(contraction_plan);
}
