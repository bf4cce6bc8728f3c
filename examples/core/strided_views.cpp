// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// An array of another library, as a DLPack tensor: a view of a part of it, a kernel that takes the view, a kernel that writes the
// transposed part, and the copy of both to the host.

#include <cubind/core.hpp>

#include <cstddef>
#include <cstdio>
#include <numeric>
#include <vector>

#include "example.hpp"

using namespace cubind;

namespace {

constexpr std::size_t rows = 6;
constexpr std::size_t columns = 8;

const char* const source = R"(
#include <cubind/core/strided/strided_span.hpp>

extern "C" __global__ void scale(cubind::StridedSpan<float, 2> a, float factor)
{
    if (threadIdx.y < a.shape[0] && threadIdx.x < a.shape[1]) a(threadIdx.y, threadIdx.x) *= factor;
}

extern "C" __global__ void transpose(cubind::StridedSpan<const float, 2> from, cubind::StridedSpan<float, 2> to)
{
    if (threadIdx.y < from.shape[0] && threadIdx.x < from.shape[1]) to(threadIdx.x, threadIdx.y) = from(threadIdx.y, threadIdx.x);
}
)";

/// The part of another library: creates an array of `rows` x `columns` numbers on the device, and gives it away. The numbers
/// count up from 0. The consumer calls the deleter of the tensor, which frees the memory.
DLManagedTensorVersioned* make_tensor(const Device& device, const Stream& stream, StreamRef consumer) {
    std::vector<float> numbers(rows * columns);
    std::iota(numbers.begin(), numbers.end(), 0.0f);
    auto buffer = device.allocate<float>(stream, numbers.size());
    copy(stream, buffer, numbers);
    stream.synchronize();  // the numbers are read before they are destroyed
    return StridedView(buffer, {rows, columns}).to_dlpack(stream, consumer).release();
}

void print(const char* title, const StridedView& view) {
    std::printf("%-10s", title);
    for (const auto each : view.shape()) std::printf(" %lld", static_cast<long long>(each));
    std::printf(", strides");
    for (const auto each : view.strides()) std::printf(" %lld", static_cast<long long>(each));
    std::printf("\n");
}

int strided_views() {
    const Device device;
    device.set_current();
    const Stream producer(device);
    const Stream stream(device);
    std::printf("%s\n", device.name().c_str());
    const ObjectCode code =
        Program(source, {.arch = "compute_" + device.arch(), .std = "c++17"}, {strided_view_header()}).compile(CodeType::ptx);

    const StridedView array = StridedView::from_dlpack(make_tensor(device, producer, stream));
    const StridedView part = array.slice(0, 1, 5).slice(1, 0, columns, 2);  // rows 1 to 4, every second column
    print("array", array);
    print("part", part);
    print("transposed", part.transpose());

    // A kernel takes the address, the shape and the strides by value.
    launch(stream, {.block = {8, 8}}, code.kernel("scale"), part.span<float, 2>(), 10.0f);
    // Each element moves to another place, so the transposition needs a kernel. A copy of rows at a distance needs none.
    const auto dense = device.allocate<float>(stream, part.size());
    const StridedView turned(dense, {4, 4});
    launch(stream, {.block = {8, 8}}, code.kernel("transpose"), part.span<const float, 2>(), turned.span<float, 2>());

    std::vector<float> whole(rows * columns);
    std::vector<float> transposed(part.size());
    copy(stream, StridedView({.data = whole.data(), .dtype = data_type<float>, .shape = {rows, columns}}), array);
    copy(stream, StridedView({.data = transposed.data(), .dtype = data_type<float>, .shape = {4, 4}}), turned);
    stream.synchronize();

    std::size_t wrong = 0;
    for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t column = 0; column < columns; ++column) {
            const bool is_in_part = row >= 1 && row < 5 && column % 2 == 0;
            const float expected = static_cast<float>(row * columns + column) * (is_in_part ? 10.0f : 1.0f);
            if (whole[row * columns + column] != expected) ++wrong;
            if (is_in_part && transposed[column / 2 * 4 + row - 1] != expected) ++wrong;
        }
    }
    std::printf("%zu of %zu elements are wrong\n", wrong, rows * columns + part.size());
    return example::verdict(wrong == 0, "the kernels changed only the part, and the copy of it is transposed");
}

}  // namespace

int main() {
    return example::run(strided_views);
}
