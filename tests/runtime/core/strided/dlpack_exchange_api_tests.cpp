// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Tables of functions that exchange tensors. An object of Python is an Array here.

#include <cubind/core/strided/dlpack_exchange.hpp>

#include <cstddef>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <utility>

#include "strided/dlpack_abi.hpp"

#if __has_include(<dlpack/dlpack.h>)
#include <dlpack/dlpack.h>
#endif

#include "strided_test.hpp"

namespace cubind::testing {
namespace {

namespace dlpack = detail::dlpack;
using detail::DlpackExchangeTable;

/// The state of a library whose objects hold views.
struct Arrays {
    struct Array {
        StridedView view;
    };

    static inline std::optional<StreamRef> stream;
    static inline std::string error;
    static inline enum class Failure { none, no_object, exception, unknown, memory } failure;

    static void fail() {
        if (failure == Failure::exception) throw std::logic_error("a broken array");
        if (failure == Failure::unknown) throw 5;
        if (failure == Failure::memory) throw std::bad_alloc();
    }
    static const StridedView& view_of(void* object) { return fail(), static_cast<Array*>(object)->view; }
    static void* object_of(const StridedView& view) {
        fail();
        return failure == Failure::no_object ? nullptr : new Array{view};
    }
    static StreamRef current_stream(const Device& device) {
        fail();
        if (device.ordinal() != 1) throw std::logic_error("no stream for device " + std::to_string(device.ordinal()));
        return *stream;
    }
    static StridedView allocate(const StridedMemory& prototype) {
        fail();
        auto values = std::shared_ptr<float[]>(new float[100]);
        return StridedView({.data = values.get(),
                            .dtype = prototype.dtype,
                            .shape = prototype.shape,
                            .memory_type = prototype.memory_type,
                            .device_ordinal = prototype.device_ordinal,
                            .owner = values});
    }
    static void set_error(const char* kind, const char* message) { error = std::string(kind) + ": " + message; }
};
static_assert(DlpackTensorClass<Arrays>);

class DlpackExchangeTest : public StridedTest {
protected:
    DlpackExchangeTest() {
        Arrays::stream = stream;
        Arrays::error.clear();
        Arrays::failure = Arrays::Failure::none;
    }
    ~DlpackExchangeTest() override { Arrays::stream.reset(); }

    static const DlpackExchangeTable& own() {
        return *reinterpret_cast<const DlpackExchangeTable*>(dlpack_exchange_api<Arrays>());
    }
    static DlpackExchange exchange(const DlpackExchangeTable& table) {
        return DlpackExchange(reinterpret_cast<const ::DLPackExchangeAPI*>(&table));
    }
    StridedView view() { return host_view(values, {2, 3}).transpose(); }

    std::vector<int> values = numbers(6);
    Stream stream{Device(1)};
};

#if __has_include(<dlpack/dlpack.h>) && DLPACK_MINOR_VERSION >= 3

TEST_F(DlpackExchangeTest, HasTheLayoutOfDlpack) {
    static_assert(sizeof(DlpackExchangeTable) == sizeof(::DLPackExchangeAPI));
    static_assert(offsetof(DlpackExchangeTable, previous) == offsetof(::DLPackExchangeAPI, header.prev_api));
    static_assert(offsetof(DlpackExchangeTable, allocate) == offsetof(::DLPackExchangeAPI, managed_tensor_allocator));
    static_assert(offsetof(DlpackExchangeTable, tensor_of) ==
                  offsetof(::DLPackExchangeAPI, managed_tensor_from_py_object_no_sync));
    static_assert(offsetof(DlpackExchangeTable, object_of) == offsetof(::DLPackExchangeAPI, managed_tensor_to_py_object_no_sync));
    static_assert(offsetof(DlpackExchangeTable, borrow) == offsetof(::DLPackExchangeAPI, dltensor_from_py_object_no_sync));
    static_assert(offsetof(DlpackExchangeTable, current_stream) == offsetof(::DLPackExchangeAPI, current_work_stream));
    EXPECT_EQ(dlpack_exchange_api<Arrays>()->header.version.minor, 3u);
}

#endif

// ---- a table of cubind, used by cubind -----------------------------------------------------------------------------------

TEST_F(DlpackExchangeTest, StatesItsVersion) {
    EXPECT_EQ(own().major, 1u);
    EXPECT_EQ(own().minor, 3u);
    EXPECT_EQ(own().previous, nullptr);
    EXPECT_EQ(dlpack_exchange_api<Arrays>(), dlpack_exchange_api<Arrays>()) << "consumers keep the address";
}

TEST_F(DlpackExchangeTest, ExchangesViewsThatKeepTheMemoryAlive) {
    const auto memory = std::make_shared<int>();
    auto array = std::make_unique<Arrays::Array>(
        Arrays::Array{StridedView({.data = values.data(), .dtype = data_type<int>, .shape = {6}, .owner = memory})});
    const DlpackExchange arrays = exchange(own());
    StridedView view = arrays.view_of(array.get());
    array.reset();
    EXPECT_EQ(memory.use_count(), 2);
    EXPECT_EQ(view.data(), values.data());
    EXPECT_EQ(view.shape(), Dimensions({6}));
    const std::unique_ptr<Arrays::Array> other(static_cast<Arrays::Array*>(arrays.object_of(view.slice(0, 1, 3))));
    view = host_view(values, {6});
    EXPECT_EQ(memory.use_count(), 2) << "the new object keeps the memory alive";
    EXPECT_EQ(other->view.data(), values.data() + 1);
    EXPECT_EQ(other->view.shape(), Dimensions({2}));
    other->view = view;
    EXPECT_EQ(memory.use_count(), 1);
}

TEST_F(DlpackExchangeTest, LendsViewsWithoutAnOwner) {
    const auto memory = std::make_shared<int>();
    Arrays::Array array{
        StridedView({.data = values.data(), .dtype = data_type<int>, .shape = {3, 2}, .strides = {1, 3}, .owner = memory})};
    const StridedView view = exchange(own()).borrow(&array);
    EXPECT_EQ(memory.use_count(), 2) << "the one of the object";
    EXPECT_EQ(view.owner(), nullptr);
    EXPECT_EQ(view.strides(), Dimensions({1, 3}));
    EXPECT_EQ(elements_of(view), elements_of(array.view));
    dlpack::Tensor tensor{};
    EXPECT_EQ(own().borrow(&array, &tensor), 0);
    EXPECT_EQ(tensor.shape, array.view.shape().begin()) << "the object owns the shape";
    array.view = array.view.as_readonly();
    EXPECT_EQ(own().borrow(&array, &tensor), -1);
    EXPECT_THAT(Arrays::error, AllOf(HasSubstr("BufferError: "), HasSubstr("read-only")));
    EXPECT_TRUE(exchange(own()).view_of(&array).is_readonly());
}

TEST_F(DlpackExchangeTest, ReturnsAViewThatOwnsIfALibraryDoesNotLend) {
    DlpackExchangeTable table = own();
    table.borrow = nullptr;
    Arrays::Array array{view()};
    EXPECT_NE(exchange(table).borrow(&array).owner(), nullptr);
}

TEST_F(DlpackExchangeTest, AllocatesWhatThePrototypeDescribes) {
    const StridedView view = exchange(own()).allocate({.dtype = data_type<std::int16_t>, .shape = {4, 5}});
    EXPECT_EQ(view.dtype(), data_type<std::int16_t>);
    EXPECT_EQ(view.shape(), Dimensions({4, 5}));
    EXPECT_EQ(view.memory_type(), MemoryType::unregistered);
    EXPECT_NE(view.owner(), nullptr);
    const StridedView other = exchange(own()).allocate(
        {.dtype = data_type<float>, .shape = {}, .memory_type = MemoryType::device, .device_ordinal = 1});
    EXPECT_EQ(other.device(), Device(1));
}

TEST_F(DlpackExchangeTest, FindsTheStreamOfADevice) {
    EXPECT_EQ(exchange(own()).current_stream(Device(1)), stream);
    void* found = &found;
    EXPECT_EQ(own().current_stream(dlpack::cpu, 0, &found), 0);
    EXPECT_EQ(found, nullptr);
    EXPECT_EQ(own().current_stream(dlpack::cuda_managed, 0, &found), -1);
    EXPECT_EQ(Arrays::error, "RuntimeError: no stream for device 0");
    EXPECT_EQ(own().current_stream(dlpack::cuda, 7, &found), -1);
    EXPECT_THAT(Arrays::error, HasSubstr("RuntimeError: "));
    DlpackExchangeTable table = own();
    table.current_stream = [](std::int32_t, std::int32_t, void** null) { return *null = nullptr, 0; };
    EXPECT_EQ(exchange(table).current_stream(Device(1)), StreamRef::legacy_default());
}

// ---- failures ------------------------------------------------------------------------------------------------------------

TEST_F(DlpackExchangeTest, SetsAnErrorForEachException) {
    Arrays::Array array{view()};
    const DlpackExchange arrays = exchange(own());
    const auto failed = [](const auto& call) { return message_of<DlpackExchangeError>(call); };
    struct Case {
        Arrays::Failure failure;
        std::string kind;
        std::string message;
    };
    for (const Case& each : {Case{Arrays::Failure::exception, "BufferError", "a broken array"},
                             Case{Arrays::Failure::unknown, "BufferError", "not derived from std::exception"},
                             Case{Arrays::Failure::memory, "MemoryError", "bad_alloc"}}) {
        Arrays::failure = each.failure;
        const auto expect_error = [&] {
            EXPECT_THAT(Arrays::error, AllOf(HasSubstr(each.kind + ": "), HasSubstr(each.message)));
            Arrays::error.clear();
        };
        EXPECT_THAT(failed([&] { (void)arrays.view_of(&array); }), HasSubstr("managed_tensor_from_py_object_no_sync"));
        expect_error();
        EXPECT_THAT(failed([&] { (void)arrays.borrow(&array); }), HasSubstr("dltensor_from_py_object_no_sync"));
        expect_error();
        EXPECT_THAT(failed([&] { (void)arrays.object_of(array.view); }), HasSubstr("managed_tensor_to_py_object_no_sync"));
        expect_error();
        EXPECT_THAT(failed([&] { (void)arrays.current_stream(Device(1)); }), HasSubstr("current_work_stream"));
        EXPECT_NE(Arrays::error, "");
        Arrays::error.clear();
        EXPECT_THAT(failed([&] {
                        (void)arrays.allocate({.dtype = data_type<float>, .shape = {4, 5}});
                    }),
                    AllOf(HasSubstr("managed_tensor_allocator"), HasSubstr("float32 of shape (4, 5)"), HasSubstr(each.message)));
        EXPECT_EQ(Arrays::error, "") << "the consumer receives the error of the allocator";
    }
}

TEST_F(DlpackExchangeTest, ReportsExhaustedMemoryOfADevice) {
    struct Exhausted : Arrays {
        static StridedView allocate(const StridedMemory&) {
            throw OutOfMemory("driver", "cuMemAlloc_v2", 2, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory");
        }
    };
    const DlpackExchange arrays(dlpack_exchange_api<Exhausted>());
    EXPECT_THAT(message_of<DlpackExchangeError>([&] { (void)arrays.allocate({.shape = {1}}); }), HasSubstr("MemoryError: "));
}

TEST_F(DlpackExchangeTest, AcceptsAFailureOfTheAllocatorWithoutText) {
    DlpackExchangeTable table = own();
    table.allocate = [](void*, ::DLManagedTensorVersioned**, void* context, DlpackExchangeTable::SetError set_error) {
        set_error(context, nullptr, nullptr);
        return -1;
    };
    EXPECT_THAT(message_of<DlpackExchangeError>([&] { (void)exchange(table).allocate({.shape = {1}}); }),
                AllOf(HasSubstr("returned -1"), HasSubstr("no message")));
}

TEST_F(DlpackExchangeTest, LeavesATensorToItsOwnerIfNoObjectIsMade) {
    for (const auto failure : {Arrays::Failure::exception, Arrays::Failure::no_object}) {
        Arrays::failure = failure;
        Arrays::error.clear();
        const auto memory = std::make_shared<int>();
        const StridedView exported({.data = values.data(), .dtype = data_type<int>, .shape = {6}, .owner = memory});
        DlpackTensor tensor = exported.to_dlpack();
        void* object = nullptr;
        EXPECT_EQ(own().object_of(tensor.get(), &object), -1);
        EXPECT_EQ(memory.use_count(), 3) << "the tensor exists";
        EXPECT_EQ(Arrays::error.empty(), failure == Arrays::Failure::no_object) << "the function has set its own exception";
        tensor.reset();
        EXPECT_EQ(memory.use_count(), 2);
        EXPECT_THROW((void)exchange(own()).object_of(exported), DlpackExchangeError);
        EXPECT_EQ(memory.use_count(), 2) << "a consumer deletes the tensor after a failure";
    }
}

TEST_F(DlpackExchangeTest, RefusesTensorsThatItCannotRead) {
    DlpackExchangeTable table = own();
    static int deletions;
    deletions = 0;
    static dlpack::Versioned foreign;
    foreign = {.version = {}, .owner = nullptr, .deleter = [](dlpack::Versioned*) { ++deletions; }, .flags = 0, .tensor = {}};
    foreign.tensor.device = {10, 0};  // of AMD
    foreign.tensor.type = {2, 32, 1};
    table.tensor_of = [](void*, ::DLManagedTensorVersioned** tensor) {
        *tensor = reinterpret_cast<::DLManagedTensorVersioned*>(&foreign);
        return 0;
    };
    EXPECT_THAT(mistake([&] { (void)exchange(table).view_of(nullptr); }), HasSubstr("device type 10"));
    EXPECT_EQ(deletions, 1);
    std::string problem;
    const auto set_error = [](void* context, const char* kind, const char* message) {
        *static_cast<std::string*>(context) = std::string(kind) + ": " + message;
    };
    ::DLManagedTensorVersioned* allocated = nullptr;
    EXPECT_EQ(own().allocate(&foreign.tensor, &allocated, &problem, set_error), -1);
    EXPECT_THAT(problem, AllOf(HasSubstr("RuntimeError: "), HasSubstr("device type 10")));
    EXPECT_EQ(allocated, nullptr);
}

// ---- versions ------------------------------------------------------------------------------------------------------------

TEST_F(DlpackExchangeTest, WalksToATableOfVersion1) {
    DlpackExchangeTable third = own(), second = own();
    third.major = 3;
    third.minor = 0;
    third.previous = &second;
    third.tensor_of = nullptr;  // a newer table may have another layout
    second.major = 2;
    second.previous = &own();
    Arrays::Array array{view()};
    EXPECT_EQ(exchange(third).view_of(&array).data(), values.data());
    DlpackExchangeTable newer = own();
    newer.minor = 9;
    newer.previous = &third;  // not read
    EXPECT_EQ(exchange(newer).view_of(&array).data(), values.data());
}

TEST_F(DlpackExchangeTest, RefusesTablesWithoutVersion1) {
    EXPECT_THAT(mistake([] { (void)DlpackExchange(nullptr); }), HasSubstr("nullptr"));
    DlpackExchangeTable third = own(), second = own();
    third.major = 3;
    third.minor = 1;
    third.previous = nullptr;
    EXPECT_THAT(mistake([&] { (void)exchange(third); }), HasSubstr("DLPack 3.1"));
    second.major = 2;
    second.previous = nullptr;
    third.previous = &second;
    EXPECT_THAT(mistake([&] { (void)exchange(third); }), HasSubstr("DLPack 3.1"));
    second.previous = &third;  // a circle
    EXPECT_THAT(mistake([&] { (void)exchange(third); }), HasSubstr("DLPack 3.1"));
    second.major = 0;
    EXPECT_THAT(mistake([&] { (void)exchange(second); }), HasSubstr("DLPack 0.3"));
}

TEST_F(DlpackExchangeTest, RefusesTablesWithoutRequiredFunctions) {
    const auto without = [&](auto member) {
        DlpackExchangeTable table = own();
        table.*member = nullptr;
        return mistake([&] { (void)exchange(table); });
    };
    EXPECT_THAT(without(&DlpackExchangeTable::allocate), HasSubstr("managed_tensor_allocator"));
    EXPECT_THAT(without(&DlpackExchangeTable::tensor_of), HasSubstr("managed_tensor_from_py_object_no_sync"));
    EXPECT_THAT(without(&DlpackExchangeTable::object_of), HasSubstr("managed_tensor_to_py_object_no_sync"));
    EXPECT_THAT(without(&DlpackExchangeTable::current_stream), HasSubstr("current_work_stream"));
}

}  // namespace
}  // namespace cubind::testing
