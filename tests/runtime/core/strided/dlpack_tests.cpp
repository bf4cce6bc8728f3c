// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Tensors of other libraries, and views as tensors for them.

#include <atomic>
#include <stdexcept>
#include <thread>
#include <utility>

#include "strided/dlpack_abi.hpp"

#if __has_include(<dlpack/dlpack.h>)
#include <dlpack/dlpack.h>
#endif

#include "strided_test.hpp"

namespace cubind::testing {
namespace {

namespace dlpack = detail::dlpack;

/// A tensor of another library, which counts the calls of its deleter.
template <class Tensor>
struct Foreign {
    Foreign() {
        managed.owner = this;
        managed.deleter = [](Tensor* self) { ++static_cast<Foreign*>(self->owner)->deletions; };
        managed.tensor = {.data = values,
                          .device = {dlpack::cpu, 0},
                          .rank = 2,
                          .type = {2, 32, 1},
                          .shape = shape,
                          .strides = strides,
                          .byte_offset = 0};
    }
    Foreign(const Foreign&) = delete;
    Foreign& operator=(const Foreign&) = delete;

    auto* pointer() {
        using Public =
            std::conditional_t<std::is_same_v<Tensor, dlpack::Versioned>, ::DLManagedTensorVersioned, ::DLManagedTensor>;
        return reinterpret_cast<Public*>(&managed);
    }
    StridedView import() { return StridedView::from_dlpack(pointer()); }

    float values[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    std::int64_t shape[2] = {2, 3};
    std::int64_t strides[2] = {4, 1};
    Tensor managed = {};
    std::atomic<int> deletions = 0;
};

using ForeignTensor = Foreign<dlpack::Versioned>;
using ForeignUnversioned = Foreign<dlpack::Unversioned>;

class DlpackTest : public StridedTest {
protected:
    /// Returns the message for a tensor that was changed, which must not be deleted.
    template <class Change>
    static std::string refusal(Change change) {
        ForeignTensor foreign;
        change(foreign.managed);
        const std::string message = mistake([&] { (void)foreign.import(); });
        EXPECT_EQ(foreign.deletions, 0) << message;
        return message;
    }
    static dlpack::Versioned& native(const DlpackTensor& tensor) { return *dlpack::native(tensor.get()); }

    Stream stream{device};
};

// ---- layout --------------------------------------------------------------------------------------------------------------

TEST_F(DlpackTest, HasTheLayoutOfTheInterface) {
    static_assert(sizeof(dlpack::Type) == 4 && sizeof(dlpack::Device) == 8);
    static_assert(offsetof(dlpack::Tensor, device) == 8 && offsetof(dlpack::Tensor, rank) == 16);
    static_assert(offsetof(dlpack::Tensor, type) == 20 && offsetof(dlpack::Tensor, shape) == 24);
    static_assert(offsetof(dlpack::Tensor, strides) == 32 && offsetof(dlpack::Tensor, byte_offset) == 40);
    static_assert(offsetof(dlpack::Unversioned, owner) == 48 && sizeof(dlpack::Unversioned) == 64);
    static_assert(offsetof(dlpack::Versioned, owner) == 8 && offsetof(dlpack::Versioned, deleter) == 16);
    static_assert(offsetof(dlpack::Versioned, flags) == 24 && offsetof(dlpack::Versioned, tensor) == 32);
    static_assert(sizeof(dlpack::Versioned) == 80);
#if __has_include(<dlpack/dlpack.h>)
    static_assert(sizeof(DLTensor) == sizeof(dlpack::Tensor) && sizeof(DLManagedTensor) == sizeof(dlpack::Unversioned));
    static_assert(offsetof(DLTensor, ndim) == offsetof(dlpack::Tensor, rank));
    static_assert(offsetof(DLTensor, dtype) == offsetof(dlpack::Tensor, type));
    static_assert(offsetof(DLTensor, shape) == offsetof(dlpack::Tensor, shape));
    static_assert(offsetof(DLTensor, strides) == offsetof(dlpack::Tensor, strides));
    static_assert(offsetof(DLTensor, byte_offset) == offsetof(dlpack::Tensor, byte_offset));
    static_assert(offsetof(DLManagedTensor, manager_ctx) == offsetof(dlpack::Unversioned, owner));
    static_assert(offsetof(DLManagedTensor, deleter) == offsetof(dlpack::Unversioned, deleter));
    static_assert(kDLCPU == static_cast<int>(dlpack::cpu) && kDLCUDAManaged == static_cast<int>(dlpack::cuda_managed));
    static_assert(kDLBfloat == static_cast<int>(DataTypeKind::bfloat) && kDLComplex == static_cast<int>(DataTypeKind::complex));
#endif
}

// ---- import --------------------------------------------------------------------------------------------------------------

template <class Tensor>
void expect_import() {
    Foreign<Tensor> foreign;
    {
        const StridedView view = foreign.import();
        EXPECT_EQ(view.shape(), Dimensions({2, 3}));
        EXPECT_EQ(view.strides(), Dimensions({4, 1}));
        EXPECT_EQ(view.dtype(), data_type<float>);
        EXPECT_EQ(view.memory_type(), MemoryType::unregistered);
        EXPECT_FALSE(view.is_readonly());
        EXPECT_EQ((view.span<float, 2>()(1, 2)), 6);
        const StridedView part = view.slice(0, 1, 2);
        EXPECT_EQ(foreign.deletions, 0);
    }
    EXPECT_EQ(foreign.deletions, 1);
}

TEST_F(DlpackTest, TakesOverTensors) {
    expect_import<dlpack::Versioned>();
    expect_import<dlpack::Unversioned>();
}

TEST_F(DlpackTest, DeletesATensorOnTheThreadOfTheLastView) {
    ForeignTensor foreign;
    StridedView view = foreign.import();
    std::thread([last = view] {}).join();
    EXPECT_EQ(foreign.deletions, 0);
    std::thread([last = std::exchange(view, StridedView(StridedMemory{.shape = {0}}))] { EXPECT_EQ(last.size(), 6u); }).join();
    EXPECT_EQ(foreign.deletions, 1);
}

TEST_F(DlpackTest, AcceptsTensorsWithoutDeleter) {
    ForeignTensor foreign;
    foreign.managed.deleter = nullptr;
    EXPECT_EQ(foreign.import().size(), 6u);
}

TEST_F(DlpackTest, ReadsShapesWithoutStrides) {
    ForeignTensor foreign;
    foreign.managed.tensor.strides = nullptr;
    foreign.managed.tensor.byte_offset = 8;
    const StridedView view = foreign.import();
    EXPECT_EQ(view.strides(), Dimensions({3, 1}));
    EXPECT_EQ((view.span<float, 2>()(1, 0)), 5);  // after two elements
}

TEST_F(DlpackTest, ReadsScalarsAndEmptyTensors) {
    ForeignTensor scalar;
    scalar.managed.tensor.rank = 0;
    scalar.managed.tensor.shape = scalar.managed.tensor.strides = nullptr;
    EXPECT_EQ((scalar.import().span<float, 0>()()), 0);
    EXPECT_EQ(scalar.import().size(), 1u);
    ForeignTensor empty;
    empty.shape[1] = 0;
    empty.managed.tensor.data = nullptr;
    empty.managed.tensor.byte_offset = 64;
    const StridedView view = empty.import();
    EXPECT_EQ(view.size(), 0u);
    EXPECT_EQ(view.data(), nullptr);
}

TEST_F(DlpackTest, ReadsFlags) {
    ForeignTensor foreign;
    foreign.managed.flags = dlpack::readonly_flag | 2;  // 2: a copy
    foreign.managed.version.minor = 9;
    EXPECT_TRUE(foreign.import().is_readonly());
    ForeignTensor padded;
    padded.managed.flags = dlpack::padded_flag;
    padded.managed.tensor.type = {17, 4, 1};
    const StridedView view = padded.import();
    EXPECT_EQ(view.dtype().size(), 1u);
    EXPECT_EQ(native(view.to_dlpack()).flags, dlpack::padded_flag);
    EXPECT_THAT(mistake([&] { (void)view.to_unversioned_dlpack(); }), HasSubstr("padded"));
    const StridedView bytes = view.view_as(data_type<std::uint8_t>);
    EXPECT_EQ(native(bytes.to_dlpack()).flags, 0u);
    EXPECT_TRUE(bytes.to_unversioned_dlpack());
    EXPECT_EQ(native(view.view_as({DataTypeKind::float6_e2m3fn, 6, 1}).to_dlpack()).flags, dlpack::padded_flag);
}

TEST_F(DlpackTest, ReadsTheKindsOfMemory) {
    for (const auto& [type, kind] :
         std::vector<std::pair<std::int32_t, MemoryType>>{{dlpack::cpu, MemoryType::unregistered},
                                                          {dlpack::cuda, MemoryType::device},
                                                          {dlpack::cuda_host, MemoryType::host},
                                                          {dlpack::cuda_managed, MemoryType::managed}}) {
        ForeignTensor foreign;
        foreign.managed.tensor.device = {type, type == dlpack::cuda ? 1 : 0};
        const StridedView view = foreign.import();
        EXPECT_EQ(view.memory_type(), kind);
        EXPECT_EQ(view.device(), kind == MemoryType::device ? std::optional(Device(1)) : std::nullopt);
        EXPECT_EQ(native(view.to_dlpack()).tensor.device.type, type);
        EXPECT_EQ(native(view.to_dlpack()).tensor.device.ordinal, foreign.managed.tensor.device.ordinal);
    }
}

TEST_F(DlpackTest, ReadsAllDataTypes) {
    for (const dlpack::Type type : {dlpack::Type{0, 8, 1},
                                    {1, 64, 1},
                                    {2, 16, 1},
                                    {4, 16, 1},
                                    {5, 64, 1},
                                    {6, 8, 1},
                                    {8, 8, 1},
                                    {10, 8, 1},
                                    {12, 8, 1},
                                    {14, 8, 1},
                                    {15, 6, 4},
                                    {17, 4, 2},
                                    {2, 32, 4}}) {
        ForeignTensor foreign;
        foreign.managed.tensor.type = type;
        foreign.shape[0] = foreign.shape[1] = 1;
        const StridedView view = foreign.import();
        EXPECT_EQ(view.dtype(), (DataType{static_cast<DataTypeKind>(type.code), type.bits, type.lanes}));
        EXPECT_EQ(native(view.to_dlpack()).tensor.type.code, type.code);
    }
}

TEST_F(DlpackTest, RefusesTensorsAndLeavesThemToTheCaller) {
    EXPECT_THAT(refusal([](auto& tensor) { tensor.version = {2, 3}; }), AllOf(HasSubstr("2.3"), HasSubstr("1.x")));
    EXPECT_THAT(refusal([](auto& tensor) { tensor.version = {0, 8}; }), HasSubstr("0.8"));
    EXPECT_THAT(refusal([](auto& tensor) { tensor.tensor.device.type = 10; }), HasSubstr("device type 10"));
    EXPECT_THAT(refusal([](auto& tensor) {
                    tensor.tensor.device = {dlpack::cuda, 2};
                }),
                AllOf(HasSubstr("CUDA device 2"), HasSubstr("2 devices")));
    EXPECT_THAT(refusal([](auto& tensor) { tensor.tensor.device = {dlpack::cuda, -1}; }), HasSubstr("CUDA device -1"));
    EXPECT_THAT(refusal([](auto& tensor) { tensor.tensor.type.code = 18; }), AllOf(HasSubstr("code 18"), HasSubstr("17")));
    EXPECT_THAT(refusal([](auto& tensor) { tensor.tensor.type = {17, 4, 1}; }), HasSubstr("4 bits"));
    EXPECT_THAT(refusal([](auto& tensor) { tensor.tensor.type = {16, 8, 1}; }), HasSubstr("6 bits"));
    EXPECT_THAT(refusal([](auto& tensor) { tensor.tensor.type.lanes = 0; }), HasSubstr("0 lanes"));
    EXPECT_THAT(refusal([](auto& tensor) { tensor.tensor.rank = -1; }), HasSubstr("-1 dimensions"));
    EXPECT_THAT(refusal([](auto& tensor) { tensor.tensor.rank = 17; }), HasSubstr("17 dimensions"));
    EXPECT_THAT(refusal([](auto& tensor) { tensor.tensor.shape = nullptr; }), HasSubstr("no shape"));
    EXPECT_THAT(refusal([](auto& tensor) { tensor.tensor.shape[0] = -2; }), HasSubstr("(-2, 3)"));
    EXPECT_THAT(refusal([](auto& tensor) { tensor.tensor.data = nullptr; }), HasSubstr("nullptr"));
    EXPECT_THAT(refusal([](auto& tensor) { tensor.tensor.byte_offset = ~std::uint64_t{0}; }),
                AllOf(HasSubstr("18446744073709551615 bytes"), HasSubstr("address space")));
    EXPECT_THAT(refusal([](auto& tensor) { tensor.tensor.strides[0] = -(std::int64_t{1} << 50); }),
                AllOf(HasSubstr("4503599627370496 bytes before"), HasSubstr("address space")));
    EXPECT_THAT(mistake([] { (void)StridedView::from_dlpack(static_cast<::DLManagedTensor*>(nullptr)); }), HasSubstr("nullptr"));
}

// ---- export --------------------------------------------------------------------------------------------------------------

TEST_F(DlpackTest, ExportsViews) {
    const TypedBuffer<std::int16_t> buffer = Device(1).allocate<std::int16_t>(stream, 12);
    const StridedView view = StridedView(buffer, {3, 4}).transpose().select(0, 1);
    const DlpackTensor owner = view.to_dlpack();
    const dlpack::Versioned& tensor = native(owner);
    EXPECT_EQ(tensor.version.major, 1u);
    EXPECT_EQ(tensor.flags, 0u);
    EXPECT_EQ(tensor.tensor.data, view.data());
    EXPECT_EQ(tensor.tensor.device.type, dlpack::cuda);
    EXPECT_EQ(tensor.tensor.device.ordinal, 1);
    EXPECT_EQ(tensor.tensor.rank, 1);
    EXPECT_EQ(tensor.tensor.shape[0], 3);
    EXPECT_EQ(tensor.tensor.strides[0], 4);
    EXPECT_EQ(tensor.tensor.byte_offset, 0u);
    EXPECT_EQ(tensor.tensor.type.bits, 16);
    EXPECT_EQ(native(view.as_readonly().to_dlpack()).flags, dlpack::readonly_flag);
    EXPECT_EQ(native(view.slice(0, 0, 0).to_dlpack()).tensor.data, nullptr);
    EXPECT_THAT(mistake([&] { (void)view.as_readonly().to_unversioned_dlpack(); }), HasSubstr("read-only"));
}

TEST_F(DlpackTest, ReadsItsOwnTensors) {
    std::vector<int> values = numbers(6);
    const StridedView view = host_view(values, {2, 3}).transpose().reverse(0);
    const StridedView versioned = StridedView::from_dlpack(view.to_dlpack().release());
    const StridedView unversioned = StridedView::from_dlpack(view.to_unversioned_dlpack().release());
    for (const StridedView& other : {versioned, unversioned}) {
        EXPECT_EQ(other.strides(), view.strides());
        EXPECT_EQ(elements_of(other), elements_of(view));
    }
}

TEST_F(DlpackTest, ReleasesTheOwnerOnceOnAnyThread) {
    auto memory = std::make_shared<int>(7);
    const std::weak_ptr<int> observed = memory;
    DlpackTensor tensor =
        StridedView({.data = memory.get(), .dtype = data_type<int>, .owner = std::exchange(memory, nullptr)}).to_dlpack();
    EXPECT_FALSE(observed.expired());
    std::thread([given = tensor.release()] { dlpack::native(given)->deleter(dlpack::native(given)); }).join();
    EXPECT_TRUE(observed.expired());
}

TEST_F(DlpackTest, FreesTheMemoryOfABufferAfterTheConsumer) {
    layers::leaks::start();
    const auto before = layers::leaks::checkpoint();
    {
        DlpackTensor tensor;
        {
            const TypedBuffer<int> buffer = device.allocate<int>(stream, 4);
            tensor = StridedView(buffer, {4}).to_dlpack();
        }
        EXPECT_NE(layers::leaks::report(before), "");
        std::thread([given = std::move(tensor)]() mutable { given.reset(); }).join();
    }
    EXPECT_EQ(layers::leaks::report(before), "");
    layers::leaks::stop();
}

// ---- streams -------------------------------------------------------------------------------------------------------------

TEST_F(DlpackTest, MakesTheConsumerWaitForTheProducer) {
    const Stream consumer(device);
    std::atomic<bool> may_continue = false, is_done = false;
    const TypedBuffer<int> buffer = device.allocate<int>(stream, 4);
    stream.launch_host_function([&] {
        while (!may_continue) std::this_thread::yield();
        is_done = true;
    });
    const DlpackTensor tensor = StridedView(buffer, {4}).to_dlpack(stream, consumer);
    EXPECT_FALSE(consumer.is_done());
    may_continue = true;
    consumer.synchronize();
    EXPECT_TRUE(is_done);
    EXPECT_NO_THROW(static_cast<void>(StridedView(buffer, {4}).to_dlpack(stream, stream)));
}

TEST_F(DlpackTest, ConvertsStreamsToNumbers) {
    EXPECT_EQ(dlpack_stream(StreamRef::legacy_default()), 1);
    EXPECT_EQ(dlpack_stream(StreamRef::per_thread_default()), 2);
    EXPECT_EQ(dlpack_stream(StreamRef(StreamRef::Handle())), 1);
    EXPECT_EQ(stream_from_dlpack(dlpack_stream(stream)), stream);
    EXPECT_EQ(stream_from_dlpack(2), StreamRef::per_thread_default());
    EXPECT_THAT(mistake([] { (void)stream_from_dlpack(0); }), AllOf(HasSubstr("number 0"), HasSubstr("1 for the legacy")));
    EXPECT_THAT(mistake([] { (void)stream_from_dlpack(-1); }), AllOf(HasSubstr("-1"), HasSubstr("to_dlpack()")));
    EXPECT_THAT(mistake([] { (void)stream_from_dlpack(-2); }), HasSubstr("-2"));
}

TEST_F(DlpackTest, ReportsEveryFailedCall) {
    const Stream consumer(device);
    const TypedBuffer<int> buffer = device.allocate<int>(stream, 4);
    sweep([&] {
        const StridedView view(buffer, {4});
        const StridedView other = StridedView::from_dlpack(view.to_dlpack(stream, consumer).release());
        EXPECT_EQ(other.data(), view.data());
    });
}

TEST_F(DlpackTest, ReportsADeleterThatThrows) {
    Foreign<dlpack::Versioned> versioned;
    versioned.managed.deleter = [](dlpack::Versioned*) { throw std::runtime_error("the producer has failed"); };
    { const StridedView view = StridedView::from_dlpack(versioned.pointer()); }
    EXPECT_THAT(taken_cleanup_messages(),
                ElementsAre(AllOf(HasSubstr("delete a tensor of DLPack"), HasSubstr("producer has failed"))));

    Foreign<dlpack::Unversioned> unversioned;
    unversioned.managed.deleter = [](dlpack::Unversioned*) { throw 1; };
    { const StridedView view = StridedView::from_dlpack(unversioned.pointer()); }
    detail::DlpackDeleter()(versioned.pointer());
    EXPECT_THAT(taken_cleanup_messages(), ElementsAre(HasSubstr("not a std::exception"), HasSubstr("producer has failed")));
}

}  // namespace
}  // namespace cubind::testing
