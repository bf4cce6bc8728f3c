// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

/// Times batches of copies, copies of rows, and transposed copies through the high-level layer and through a function pointer.
/// benchmarks/core_cost runs this program and compares the times; alternate.hpp has its options.

#include <cubind/core/device/device.hpp>
#include <cubind/core/memory/buffer.hpp>
#include <cubind/core/memory/copy_batch.hpp>
#include <cubind/core/memory/pitched_buffer.hpp>
#include <cubind/core/strided/strided_view.hpp>
#include <cubind/driver/memory.hpp>

#include <cstdio>
#include <vector>

#include "plain.hpp"

namespace {

using namespace cubind::driver;

constexpr std::size_t pieces = 64;
constexpr std::size_t piece_size = 4 << 10;
constexpr std::int64_t side = 8192;

struct Setup {
    cubind::Device device{0};
    cubind::ContextRef before = device.set_current();  // as in most programs
    cubind::Stream stream{device};
    cubind::TypedBuffer<std::byte> from = device.allocate<std::byte>(stream, pieces* piece_size);
    cubind::TypedBuffer<std::byte> to = device.allocate<std::byte>(stream, pieces* piece_size);
};

void add_batches(Alternation& calls, Setup& with) {
    if (!cubind::driver::has(cuMemcpyBatchAsync_v2)) {
        std::fprintf(stderr, "batches are skipped: the driver is older than CUDA 13.0\n");
        return;
    }
    static std::vector<CUdeviceptr> to(pieces), from(pieces);
    static std::vector<std::size_t> sizes(pieces, piece_size);
    static std::vector<cubind::CopyPiece> copies;
    for (std::size_t i = 0; i < pieces; ++i) {
        to[i] = with.to.native_handle() + i * piece_size;
        from[i] = with.from.native_handle() + i * piece_size;
        copies.emplace_back(with.to.subspan(i * piece_size, piece_size), with.from.subspan(i * piece_size, piece_size));
    }
    const auto add = [&](const char* way, auto one) {
        calls.add("copy of a batch of 64 pieces", way, 8, one, [&with] { with.stream.synchronize(); });
    };
    using CopyBatch =
        CUresult(CUdeviceptr*, CUdeviceptr*, std::size_t*, std::size_t, CUmemcpyAttributes*, std::size_t*, std::size_t, CUstream);
    add("plain", [copy = plain<CopyBatch>("cuMemcpyBatchAsync_v2"), stream = with.stream.native_handle()] {
        CUmemcpyAttributes attributes{};
        attributes.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
        std::size_t index = 0;
        expect(copy(to.data(), from.data(), sizes.data(), pieces, &attributes, &index, 1, stream));
    });
    add("copy_batch()", [&with] { cubind::copy_batch(with.stream, copies); });
}

void add_rows(Alternation& calls, Setup& with) {
    constexpr std::size_t width = 256, height = 32;
    static const cubind::PitchedBuffer<std::byte> image =
        with.device.allocate_pitched<std::byte>(with.stream, {.width = width, .height = height});
    static const cubind::PitchedBuffer<std::byte> copied =
        with.device.allocate_pitched<std::byte>(with.stream, {.width = width, .height = height});
    const auto add = [&](const char* way, auto one) { add_call(calls, "copy of 32 rows", way, with.stream, one); };
    add("plain",
        [copy = plain<CUresult(const CUDA_MEMCPY2D*, CUstream)>("cuMemcpy2DAsync_v2"), stream = with.stream.native_handle()] {
            CUDA_MEMCPY2D rows{};
            rows.srcMemoryType = rows.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
            rows.srcDevice = image.native_handle();
            rows.dstDevice = copied.native_handle();
            rows.srcPitch = image.pitch();
            rows.dstPitch = copied.pitch();
            rows.WidthInBytes = width;
            rows.Height = height;
            expect(copy(&rows, stream));
        });
    add("copy()", [&with] { cubind::copy(with.stream, copied, image); });
}

// Times the device: each figure includes the wait for 10 copies of 256 MiB.
void add_transpositions(Alternation& calls, Setup& with) {
    constexpr std::size_t count = std::size_t{side} * side;
    static const cubind::TypedBuffer<float> from = with.device.allocate<float>(with.stream, count);
    static const cubind::TypedBuffer<float> to = with.device.allocate<float>(with.stream, count);
    static const cubind::StridedView source = cubind::StridedView(from, {side, side}).transpose();
    static const cubind::StridedView destination(to, {side, side});
    constexpr int copies = 10;
    const auto add = [&](const char* way, auto copy) {
        calls.add("device time of 10 transposed copies of 8192 x 8192 floats", way, 1, [&with, copy] {
            for (int i = 0; i < copies; ++i) copy();
            with.stream.synchronize();
        });
    };
    add("plain", [copy = plain<CUresult(CUdeviceptr, CUdeviceptr, std::size_t, CUstream)>("cuMemcpyAsync"),
                  stream = with.stream.native_handle()] {
        expect(copy(to.native_handle(), from.native_handle(), count * sizeof(float), stream));
    });
    add("copy()", [&with] { cubind::copy(with.stream, destination, source); });
}

void add(Alternation& calls) {
    static Setup& setup = *new Setup;
    add_batches(calls, setup);
    add_rows(calls, setup);
    add_transpositions(calls, setup);
}

}  // namespace

int main(int argc, char** argv) {
    return run_benchmarks(argc, argv, add);
}
