// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/memory/multicast_object.hpp>
#include <cubind/layers/layer.hpp>

#include <string>
#include <string_view>
#include <vector>

#include "memory_test.hpp"

namespace cubind::testing {
namespace {

/// A stand-in for the functions for multicast, which the simulated driver does not have. All devices have the attribute. An
/// object is memory of device 0, so that the simulated driver can map and release it. Records the calls.
class Multicast final : public layers::Layer {
public:
    explicit Multicast(std::vector<int> without = {}) : without_(std::move(without)) { layers::push(*this); }
    ~Multicast() { layers::remove(*this); }

    void handle(const Call& call, const layers::Next& next) noexcept override {
        const std::string_view name = call.function.symbol;
        if (name == "cuDeviceGetAttribute") return answer_attribute(call, next);
        if (!name.starts_with("cuMulticast")) return next(call);
        calls.push_back(std::string(name.substr(11)));
        call.status() = failing == name ? driver::CUDA_ERROR_INVALID_DEVICE : driver::CUDA_SUCCESS;
        if (call.failed()) return;
        if (name == "cuMulticastGetGranularity") {
            const auto kind = argument<driver::CUmulticastGranularity_flags>(call, 2);
            *argument<std::size_t*>(call, 0) = kind == driver::CU_MULTICAST_GRANULARITY_MINIMUM ? unit : 2 * unit;
        } else if (name == "cuMulticastCreate") {
            create(call);
        } else if (name == "cuMulticastAddDevice") {
            calls.back() += " " + std::to_string(argument<driver::CUdevice>(call, 1));
        } else if (name == "cuMulticastBindAddr") {
            add({argument<std::size_t>(call, 1), argument<std::size_t>(call, 3)});
            address = argument<driver::CUdeviceptr>(call, 2);
        } else if (name == "cuMulticastBindMem") {
            add({argument<std::size_t>(call, 1), argument<std::size_t>(call, 3), argument<std::size_t>(call, 4)});
        } else if (name == "cuMulticastUnbind") {
            calls.back() += " " + std::to_string(argument<driver::CUdevice>(call, 1));
            add({argument<std::size_t>(call, 2), argument<std::size_t>(call, 3)});
        }
    }

    std::vector<std::string> calls;  ///< names without the prefix, and numbers; sizes and offsets count units
    std::string failing;             ///< a function that fails
    std::size_t size = 0;
    driver::CUdeviceptr address = 0;

private:
    template <class Type>
    static Type argument(const Call& call, std::size_t index) {
        return *static_cast<Type*>(call.arguments[index]);
    }
    void add(std::initializer_list<std::size_t> sizes) {
        for (const std::size_t each : sizes) calls.back() += " " + std::to_string(each / unit);
    }
    void answer_attribute(const Call& call, const layers::Next& next) const noexcept {
        next(call);
        if (argument<driver::CUdevice_attribute>(call, 1) != driver::CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED) return;
        const int device = argument<driver::CUdevice>(call, 2);
        *argument<int*>(call, 0) = std::find(without_.begin(), without_.end(), device) == without_.end() ? 1 : 0;
    }
    void create(const Call& call) {
        const layers::Unobserved unobserved;
        const auto& properties = *argument<const driver::CUmulticastObjectProp*>(call, 1);
        size = properties.size;
        calls.back() += " " + std::to_string(properties.numDevices);
        driver::CUmemAllocationProp memory{};
        memory.type = driver::CU_MEM_ALLOCATION_TYPE_PINNED;
        memory.location.type = driver::CU_MEM_LOCATION_TYPE_DEVICE;
        memory.requestedHandleTypes = static_cast<driver::CUmemAllocationHandleType>(properties.handleTypes);
        *argument<driver::CUmemGenericAllocationHandle*>(call, 0) = check(driver::cuMemCreate(size, &memory, 0));
    }

    const std::vector<int> without_;
};

class MulticastObjectTest : public MemoryTest {
protected:
    VirtualBuffer allocate(Device on, std::size_t size = unit) {
        return VirtualBuffer(VirtualMemoryResource(on), stream, size, {.reserve_size = size});
    }

    const std::vector<Device> both{Device(0), Device(1)};
};

TEST_F(MulticastObjectTest, IsRefusedWithoutTheAttribute) {
    layers::faults::start();
    const std::string message = message_of<Error>([&] { MulticastObject object(both, unit); });
    EXPECT_THAT(message, AllOf(HasSubstr("CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED"), HasSubstr("device 0"),
                               HasSubstr("CUDA_ERROR_NOT_SUPPORTED")));
    EXPECT_THAT(message_of<Error>([&] { (void)MulticastObject::granularity(both); }), HasSubstr("MULTICAST_SUPPORTED"));
    for (const char* const each : {"cuMulticastCreate", "cuMulticastGetGranularity", "cuMulticastAddDevice"})
        EXPECT_EQ(layers::faults::calls(each), 0u) << each;
    layers::faults::stop();
}

TEST_F(MulticastObjectTest, NamesTheDeviceWithoutTheAttribute) {
    const Multicast multicast({1});
    EXPECT_THAT(message_of<Error>([&] { MulticastObject object(both, unit); }), HasSubstr("device 1"));
    MulticastObject object({Device(0)}, unit, {.device_count = 2});
    EXPECT_THROW(object.add_device(Device(1)), Error);
}

TEST_F(MulticastObjectTest, CreatesTheObjectAndAddsDevices) {
    Multicast multicast;
    EXPECT_EQ(MulticastObject::granularity(both), 2 * unit);
    EXPECT_EQ(MulticastObject::granularity(both, MulticastGranularity::minimum), unit);
    multicast.calls.clear();
    {
        MulticastObject object({Device(1)}, 2 * unit + 1, {.device_count = 2});
        EXPECT_EQ(object.size(), 4 * unit) << "rounded up";
        EXPECT_EQ(multicast.size, 4 * unit);
        EXPECT_NE(object.native_handle(), 0u);
        EXPECT_EQ(object.device_count(), 2u);
        EXPECT_THAT(object.devices(), ElementsAre(Device(1)));
        object.add_device(Device(0));
        expect_misuse([&] { object.add_device(Device(0)); }, "device 0", "before");
        EXPECT_THAT(object.devices(), SizeIs(2));
        MulticastObject moved = std::move(object);
        EXPECT_TRUE(object.is_closed());
        EXPECT_THROW((void)object.size(), std::invalid_argument);
        moved.close();
        EXPECT_TRUE(moved.is_closed());
    }
    EXPECT_THAT(multicast.calls, ElementsAre("GetGranularity", "GetGranularity", "Create 2", "AddDevice 1", "AddDevice 0"));
}

TEST_F(MulticastObjectTest, IsOpenedByOtherProcesses) {
    Multicast multicast;
    const MulticastObject object({Device(0)}, unit, {.device_count = 2, .sharing = SharingHandle::posix_file_descriptor});
    const ExportedMulticast exported = object.export_object();
    EXPECT_EQ(exported.kind, SharingHandle::posix_file_descriptor);
    EXPECT_EQ(exported.size, 2 * unit);
    EXPECT_EQ(exported.device_count, 2u);
    MulticastObject opened = MulticastObject::import_object(exported);
    EXPECT_EQ(opened.size(), 2 * unit);
    EXPECT_EQ(opened.device_count(), 2u);
    EXPECT_THAT(opened.devices(), IsEmpty());
    opened.add_device(Device(1));
    opened.bind(allocate(Device(1)));
    EXPECT_EQ(multicast.calls.back(), "BindAddr 0 1");
    expect_misuse([&] { (void)opened.export_object(); }, "sharing");
    expect_misuse([&] { (void)object.export_object(SharingHandle::fabric); }, "8", "sharing");
    const MulticastObject unshared(both, unit);
    expect_misuse([&] { (void)unshared.export_object(); }, "sharing");
    EXPECT_THROW((void)MulticastObject::import_object({}), std::invalid_argument);
    EXPECT_THROW((void)MulticastObject().export_object(), std::invalid_argument);
    sweep([&] { (void)object.export_object(); });
    sweep([&] { (void)MulticastObject::import_object(exported); });
}

TEST_F(MulticastObjectTest, BindsAndUnbindsMemory) {
    Multicast multicast;
    MulticastObject object(both, 2 * unit);
    multicast.calls.clear();
    driver::CUdeviceptr address = 0;
    {
        const VirtualBuffer memory = allocate(Device(0));
        address = memory.native_handle();
        object.bind(memory, unit);
    }
    EXPECT_EQ(multicast.address, address);
    driver::CUmemAllocationProp properties{};
    properties.type = driver::CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location = {driver::CU_MEM_LOCATION_TYPE_DEVICE, {1}};
    const auto physical = check(driver::cuMemCreate(2 * unit, &properties, 0));
    object.bind(Device(1), physical, unit, unit);
    check(driver::cuMemRelease(physical));
    EXPECT_THAT(multicast.calls, ElementsAre("BindAddr 1 1", "BindMem 0 1 1"));
    object.unbind(Device(0), unit);
    expect_misuse([&] { object.unbind(Device(0), unit); }, "device 0", std::to_string(unit));
    object.close();
    EXPECT_THAT(multicast.calls, ElementsAre("BindAddr 1 1", "BindMem 0 1 1", "Unbind 0 1 1", "Unbind 1 0 1"));
}

TEST_F(MulticastObjectTest, RetainsBoundMemory) {
    const Multicast multicast;
    MulticastObject object(both, 2 * unit);
    const auto free_memory = [] { return Device(1).memory_info().free; };
    const std::size_t before = free_memory();
    object.bind(allocate(Device(1)));
    stream.synchronize();
    EXPECT_LT(free_memory(), before);
    object.unbind(Device(1));
    destroy_deferred_objects();
    EXPECT_EQ(free_memory(), before);
}

TEST_F(MulticastObjectTest, MapsTheObject) {
    const Multicast multicast;
    MulticastObject object(both, 2 * unit);
    Buffer all = object.map();
    EXPECT_EQ(all.size(), object.size());
    object.close();
    fill(stream, all, 7);  // the mapping retains the object
    std::vector<int> results(4);
    copy(stream, results, all.span<int>().last(4));
    stream.synchronize();
    EXPECT_THAT(results, ::testing::Each(7));
}

TEST_F(MulticastObjectTest, ChecksItsArguments) {
    Multicast multicast;
    expect_misuse([&] { MulticastObject object({}, unit); }, "0");
    expect_misuse([&] { MulticastObject object(both, 0); }, "size of 0");
    expect_misuse([&] { MulticastObject object({Device(1), Device(1)}, unit); }, "device 1", "twice");
    expect_misuse([&] { MulticastObject object(both, unit, {.device_count = 1}); }, "1 devices", "2 devices");
    EXPECT_THAT(multicast.calls, IsEmpty());
    MulticastObject object({Device(0)}, 2 * unit);
    expect_misuse([&] { object.add_device(Device(1)); }, "all its 1 devices", "device 1");
    multicast.calls.clear();
    const VirtualBuffer memory = allocate(Device(0));
    expect_misuse([&] { object.bind(allocate(Device(1))); }, "device 1", "not added");
    expect_misuse([&] { object.bind(memory, 2 * unit); }, std::to_string(unit) + " bytes at offset", "multicast object of");
    expect_misuse([&] { object.bind(memory, ~std::size_t{0}); }, "multicast object of");
    expect_misuse([&] { object.bind(memory, 4096); }, "offset 4096", "granularity of " + std::to_string(unit));
    expect_misuse([&] { object.bind(Device(0), 1, 4096); }, "4096 bytes", "granularity");
    expect_misuse([&] { object.bind(Device(0), 1, unit, 4096); }, "4096", "granularity");
    EXPECT_THAT(multicast.calls, IsEmpty());
    object.bind(memory, unit);
    expect_misuse([&] { object.bind(memory, unit); }, "are bound at offset " + std::to_string(unit), "unbind()");
    object.bind(allocate(Device(0)));
    MulticastObject empty;
    EXPECT_THROW(empty.bind(memory), std::invalid_argument);
    EXPECT_THROW((void)empty.map(), std::invalid_argument);
}

TEST_F(MulticastObjectTest, ReportsFailures) {
    Multicast multicast;
    multicast.failing = "cuMulticastAddDevice";
    EXPECT_THAT(message_of<Error>([&] { MulticastObject object(both, unit); }), HasSubstr("cuMulticastAddDevice"));
    multicast.failing = "cuMulticastBindAddr";
    MulticastObject object(both, unit);
    EXPECT_THROW(object.bind(allocate(Device(0))), Error);
    multicast.failing.clear();
    object.bind(allocate(Device(0)));
    multicast.failing = "cuMulticastUnbind";
    EXPECT_THROW(object.unbind(Device(0)), Error);
    object.close();
    EXPECT_THAT(taken_cleanup_messages(), ElementsAre(HasSubstr("unbind memory of a multicast object")));
}

TEST_F(MulticastObjectTest, ReportsAFailureOfEachCall) {
    const Multicast multicast;
    const VirtualBuffer memory = allocate(Device(0));
    const std::size_t calls = sweep(
        [&] {
            MulticastObject object(both, unit);
            object.bind(memory);
            object.bind(Device(1), 1, unit);
            object.unbind(Device(1));
            const Buffer all = object.map();
        },
        {"cuMemUnmap"});  // is repeated
    EXPECT_GE(calls, 10u);
}

}  // namespace
}  // namespace cubind::testing
