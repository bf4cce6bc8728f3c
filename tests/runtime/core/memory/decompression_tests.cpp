// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/memory/copy_batch.hpp>
#include <cubind/core/memory/decompression.hpp>
#include <cubind/core/memory/typed_buffer.hpp>
#include <cubind/core/memory/virtual_memory_resource.hpp>
#include <cubind/layers/layer.hpp>

#include <string_view>

#include "memory_test.hpp"

namespace cubind::testing {
namespace {

/// A stand-in for a decompression engine, which the simulated devices do not have, as GPUs of compute capability 9.0. It reads
/// DEFLATE data that consists of one stored block: five bytes before the data themselves.
class Engine final : public layers::Layer {
public:
    explicit Engine(int mask = driver::CU_MEM_DECOMPRESS_ALGORITHM_DEFLATE | driver::CU_MEM_DECOMPRESS_ALGORITHM_LZ4)
        : mask_(mask) {
        layers::push(*this);
    }
    ~Engine() { layers::remove(*this); }

    void handle(const Call& call, const layers::Next& next) noexcept override {
        const std::string_view name = call.function.symbol;
        if (name == "cuMemBatchDecompressAsync") {
            decompress(call);
        } else if (name == "cuPointerGetAttribute" &&
                   argument<driver::CUpointer_attribute>(call, 1) == driver::CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE) {
            *static_cast<int*>(argument<void*>(call, 0)) = argument<driver::CUdeviceptr>(call, 2) != incapable;
            call.status() = driver::CUDA_SUCCESS;
        } else {
            if (name == "cuMemPoolCreate") pool_usage = argument<const driver::CUmemPoolProps*>(call, 1)->usage;
            if (name == "cuMemGetAllocationGranularity")
                memory_usage = argument<const driver::CUmemAllocationProp*>(call, 1)->allocFlags.usage;
            next(call);
            if (name == "cuDeviceGetAttribute") answer_attribute(call);
        }
    }

    static constexpr int limit = 4096;

    std::size_t calls = 0;
    driver::CUdeviceptr incapable = 0;       ///< the address of memory that the engine cannot use
    std::size_t rejected = ~std::size_t{0};  ///< the index of a piece that is rejected, or the number of a failure of no piece
    unsigned int pool_usage = 0;
    unsigned int memory_usage = 0;

private:
    template <class Type>
    static Type argument(const Call& call, std::size_t index) {
        return *static_cast<Type*>(call.arguments[index]);
    }
    void answer_attribute(const Call& call) const {
        const auto which = argument<driver::CUdevice_attribute>(call, 1);
        if (which == driver::CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_ALGORITHM_MASK) *argument<int*>(call, 0) = mask_;
        if (which == driver::CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_MAXIMUM_LENGTH) *argument<int*>(call, 0) = limit;
    }
    void decompress(const Call& call) {
        const layers::Unobserved unobserved;
        ++calls;
        const std::span pieces(argument<driver::CUmemDecompressParams*>(call, 0), argument<std::size_t>(call, 1));
        const bool has_flags = argument<unsigned int>(call, 2) != 0;
        call.status() = has_flags || rejected != ~std::size_t{0} ? driver::CUDA_ERROR_INVALID_VALUE : driver::CUDA_SUCCESS;
        *argument<std::size_t*>(call, 3) = rejected < pieces.size() ? rejected : ~std::size_t{0};
        if (call.failed()) return;
        (void)driver::cuStreamSynchronize(argument<driver::CUstream>(call, 4));
        for (const driver::CUmemDecompressParams& each : pieces) {
            const auto size = static_cast<std::uint32_t>(each.srcNumBytes - 5);
            (void)driver::cuMemcpy(reinterpret_cast<driver::CUdeviceptr>(each.dst),
                                   reinterpret_cast<driver::CUdeviceptr>(each.src) + 5,
                                   std::min<std::size_t>(size, each.dstNumBytes));
            (void)driver::cuMemcpyHtoD(reinterpret_cast<driver::CUdeviceptr>(each.dstActBytes), &size, sizeof size);
        }
    }

    const int mask_;
};

class DecompressionTest : public MemoryTest {
protected:
    using enum DecompressionAlgorithm;

    /// Returns device memory with the values in a stored block of DEFLATE.
    Buffer packed(const std::vector<std::uint8_t>& values) {
        const auto size = static_cast<std::uint8_t>(values.size());
        std::vector<std::uint8_t> block{1, size, 0, static_cast<std::uint8_t>(~size), 0xff};
        block.insert(block.end(), values.begin(), values.end());
        Buffer buffer = device.allocate(stream, block.size());
        copy(stream, buffer, block);
        stream.synchronize();
        return buffer;
    }

    Buffer results = device.allocate(stream, 8);
    TypedBuffer<std::uint32_t> sizes = device.allocate<std::uint32_t>(stream, 2);
};

TEST_F(DecompressionTest, IsRefusedWithoutAnEngine) {
    const Buffer source = packed({1, 2, 3});
    layers::faults::start();
    EXPECT_FALSE(has_decompression(device, deflate));
    EXPECT_THAT(message_of<Error>([&] {
                    decompress_batch(stream, {{results, source, deflate}}, sizes);
                }),
                AllOf(HasSubstr("cuMemBatchDecompressAsync"), HasSubstr("CUDA_ERROR_NOT_SUPPORTED"), HasSubstr("device 0"),
                      HasSubstr("MEM_DECOMPRESS_ALGORITHM_MASK")));
    EXPECT_THAT(message_of<Error>([&] { DeviceMemoryResource pool(device, {.hw_decompress = true}); }),
                AllOf(HasSubstr("cuMemPoolCreate"), HasSubstr("device 0"), HasSubstr("decompression engine")));
    EXPECT_THAT(message_of<Error>([&] { VirtualMemoryResource memory(device, {.hw_decompress = true}); }),
                AllOf(HasSubstr("cuMemCreate"), HasSubstr("device 0"), HasSubstr("decompression engine")));
    EXPECT_EQ(layers::faults::calls("cuMemBatchDecompressAsync"), 0u);
    EXPECT_EQ(layers::faults::calls("cuMemPoolCreate"), 0u);
    layers::faults::stop();
}

TEST_F(DecompressionTest, DecompressesEachPiece) {
    Engine engine;
    EXPECT_TRUE(has_decompression(device, deflate));
    EXPECT_TRUE(has_decompression(device, lz4));
    EXPECT_FALSE(has_decompression(device, snappy));
    const Buffer first = packed({1, 2, 3}), second = packed({4, 5, 6, 7});
    const std::span<std::uint8_t> bytes = results.span<std::uint8_t>();
    decompress_batch(stream, {{bytes.first(4), first, deflate}, {bytes.last(4), second, deflate}}, sizes);
    EXPECT_EQ(engine.calls, 1u);
    std::vector<std::uint8_t> found(8);
    std::vector<std::uint32_t> found_sizes(2);
    copy_batch(stream, {{found, results}, {found_sizes, sizes}});
    stream.synchronize();
    EXPECT_THAT(std::vector(found.begin(), found.begin() + 3), ElementsAre(1, 2, 3));
    EXPECT_THAT(std::vector(found.begin() + 4, found.end()), ElementsAre(4, 5, 6, 7));
    EXPECT_THAT(found_sizes, ElementsAre(3u, 4u));
    EXPECT_FALSE(ContextRef::current());
    decompress_batch(stream, {}, sizes);
    EXPECT_EQ(engine.calls, 1u);
}

TEST_F(DecompressionTest, RequestsMemoryForTheEngine) {
    Engine engine;
    DeviceMemoryResource plain(device, {});
    EXPECT_EQ(engine.pool_usage, 0u);
    DeviceMemoryResource pool(device, {.hw_decompress = true});
    EXPECT_EQ(engine.pool_usage, static_cast<unsigned int>(driver::CU_MEM_POOL_CREATE_USAGE_HW_DECOMPRESS));
    VirtualMemoryResource memory(device, {.hw_decompress = true});
    EXPECT_EQ(engine.memory_usage, static_cast<unsigned int>(driver::CU_MEM_CREATE_USAGE_HW_DECOMPRESS));
}

TEST_F(DecompressionTest, ChecksItsArguments) {
    Engine engine;
    const Buffer source = packed({1, 2, 3});
    Buffer large = device.allocate(stream, Engine::limit + 1);
    EXPECT_THAT(message_of<Error>([&] {
                    decompress_batch(stream, {{results, source, snappy}}, sizes);
                }),
                AllOf(HasSubstr("piece 0 of 1"), HasSubstr("deflate, lz4"), HasSubstr("not snappy")));
    expect_misuse(
        [&] {
            decompress_batch(stream, {{results, source, static_cast<DecompressionAlgorithm>(5)}}, sizes);
        },
        "DecompressionAlgorithm", "5");
    expect_misuse(
        [&] {
            decompress_batch(stream, {{results, source, deflate}, {large, source, deflate}}, sizes);
        },
        "piece 1 of 2", "the destination has 4097 bytes", "at most 4096");
    expect_misuse([&] { decompress_batch(stream, {{results, large, deflate}}, sizes); }, "the source has 4097 bytes");
    expect_misuse(
        [&] {
            decompress_batch(stream, {{results, std::span<const std::uint8_t>(), deflate}}, sizes);
        },
        "piece 0 of 1", "the source has 0 bytes");
    const std::span<std::uint32_t> one = sizes.first(1);
    expect_misuse(
        [&] {
            decompress_batch(stream, {{results, source, deflate}, {large.span<std::uint8_t>().first(4), source, deflate}}, one);
        },
        "2 pieces", "memory for 1");
    expect_misuse(
        [&] {
            decompress_batch(stream, {{source.span<std::uint8_t>(), source, deflate}}, sizes);
        },
        "of piece 0", "overlaps");
    expect_misuse([&] { decompress_batch(stream, {{sizes.first(1), source, deflate}}, sizes); }, "the destination of piece 0");
    Stream closed = std::move(stream);
    EXPECT_THROW(decompress_batch(stream, {}, sizes), std::invalid_argument);
    stream = std::move(closed);
    EXPECT_EQ(engine.calls, 0u);
}

TEST_F(DecompressionTest, NamesThePieceAndTheMemoryThatTheDriverRejects) {
    Engine engine;
    const Buffer source = packed({1, 2, 3});
    Buffer other = device.allocate(stream, 8);
    engine.rejected = 1;
    engine.incapable = other.native_handle();
    const auto message = [&] {
        return message_of<Error>([&] {
            decompress_batch(stream, {{results, source, deflate}, {other, source, deflate}}, sizes);
        });
    };
    EXPECT_THAT(message(), AllOf(HasSubstr("CUDA_ERROR_INVALID_VALUE"), HasSubstr("piece 1 of 2"),
                                 HasSubstr("the destination, 8 bytes at 0x"), HasSubstr("hw_decompress = true")));
    engine.rejected = 7;
    EXPECT_THAT(message(), AllOf(HasSubstr("CUDA_ERROR_INVALID_VALUE"), ::testing::Not(HasSubstr("piece"))));
}

TEST_F(DecompressionTest, ReportsAFailureOfEachCall) {
    const Engine engine;
    device.set_current();
    const Buffer source = packed({1, 2, 3});
    sweep([&] { decompress_batch(stream, {{results, source, deflate}}, sizes); });
}

}  // namespace
}  // namespace cubind::testing
