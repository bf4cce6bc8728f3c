// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/memory/logical_endpoint.hpp>
#include <cubind/core/memory/virtual_memory_resource.hpp>
#include <cubind/layers/layer.hpp>

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "memory_test.hpp"

namespace cubind::testing {
namespace {

/// A stand-in for the functions for logical endpoints, which the simulated driver does not have. Device 0 has the attributes, and
/// device 1 has all but that of unicast endpoints. Records the calls.
class Endpoints final : public layers::Layer {
public:
    Endpoints() { layers::push(*this); }
    ~Endpoints() { layers::remove(*this); }

    void handle(const Call& call, const layers::Next& next) noexcept override {
        const std::string_view name = call.function.symbol;
        constexpr std::string_view prefix = "cuLogicalEndpoint";
        if (name == "cuDeviceGetAttribute") return answer_attribute(call, next);
        if (!name.starts_with(prefix)) return next(call);
        calls.push_back(std::string(name.substr(prefix.size())));
        call.status() = failing == name ? driver::CUDA_ERROR_ILLEGAL_STATE : driver::CUDA_SUCCESS;
        if (call.failed()) return;
        if (name == "cuLogicalEndpointIdReserve") {
            *argument<driver::CUlogicalEndpointId*>(call, 0) = 40;
            return;
        }
        if (name == "cuLogicalEndpointGetLimits") {
            *argument<driver::cuuint64_t*>(call, 0) = unit;
            *argument<driver::cuuint64_t*>(call, 1) = 8 * unit;
            return;
        }
        if (name == "cuLogicalEndpointExport") {
            std::memset(argument<void*>(call, 0), 7, sizeof(driver::CUlogicalEndpointFabricHandle));
            return;
        }
        if (argument<driver::CUlogicalEndpointId>(call, 0) != 40) call.status() = driver::CUDA_ERROR_INVALID_VALUE;
        if (name == "cuLogicalEndpointCreate") created = *argument<const driver::CUlogicalEndpointProp*>(call, 1);
        if (name == "cuLogicalEndpointImport") std::memcpy(&imported, argument<const void*>(call, 1), sizeof imported);
        if (name == "cuLogicalEndpointQuery") *argument<int*>(call, 2) = is_ready ? 1 : 0;
        if (name == "cuLogicalEndpointAddDevice") note(argument<driver::CUdevice>(call, 1));
        if (name == "cuLogicalEndpointBindAddr") {
            note(argument<driver::CUdevice>(call, 1), argument<driver::cuuint64_t>(call, 2),
                 argument<driver::cuuint64_t>(call, 4));
            address = argument<void*>(call, 3);
        }
        if (name == "cuLogicalEndpointBindMem") {
            note(argument<driver::CUdevice>(call, 1), argument<driver::cuuint64_t>(call, 2),
                 argument<driver::cuuint64_t>(call, 5), argument<driver::cuuint64_t>(call, 4));
        }
        if (name == "cuLogicalEndpointUnbind")
            note(argument<driver::CUdevice>(call, 1), argument<driver::cuuint64_t>(call, 2),
                 argument<driver::cuuint64_t>(call, 3));
    }

    std::vector<std::string> calls;  ///< names without the prefix, the device, and sizes and offsets in units
    std::string failing;             ///< a function that fails
    bool is_ready = true;
    driver::CUlogicalEndpointProp created{};
    FabricHandle imported{};
    void* address = nullptr;

private:
    template <class Type>
    static Type argument(const Call& call, std::size_t index) {
        return *static_cast<Type*>(call.arguments[index]);
    }
    template <class... Sizes>
    void note(driver::CUdevice device, Sizes... sizes) {
        calls.back() += " " + std::to_string(device);
        ((calls.back() += " " + std::to_string(sizes / unit)), ...);
    }
    static void answer_attribute(const Call& call, const layers::Next& next) noexcept {
        next(call);
        switch (argument<driver::CUdevice_attribute>(call, 1)) {
            case driver::CU_DEVICE_ATTRIBUTE_LOGICAL_ENDPOINT_UNICAST_SUPPORTED:
                *argument<int*>(call, 0) = argument<driver::CUdevice>(call, 2) == 0 ? 1 : 0;
                break;
            case driver::CU_DEVICE_ATTRIBUTE_LOGICAL_ENDPOINT_MULTICAST_SUPPORTED:
                *argument<int*>(call, 0) = 1;
                break;
            default:
                break;
        }
    }
};

class LogicalEndpointTest : public MemoryTest {
protected:
    VirtualBuffer allocate(Device on, std::size_t size = unit) {
        return VirtualBuffer(VirtualMemoryResource(on), stream, size, {.reserve_size = size});
    }
};

TEST_F(LogicalEndpointTest, IsRefusedWithoutTheAttribute) {
    layers::faults::start();
    for (const LogicalEndpointProperties& properties : {LogicalEndpointProperties{.device = device, .size = unit},
                                                        LogicalEndpointProperties{.device_count = 2, .size = unit}}) {
        const std::string attribute =
            properties.device ? "LOGICAL_ENDPOINT_UNICAST_SUPPORTED" : "LOGICAL_ENDPOINT_MULTICAST_SUPPORTED";
        EXPECT_THAT(message_of<Error>([&] { LogicalEndpoint endpoint(properties); }),
                    AllOf(HasSubstr("CUDA_ERROR_NOT_SUPPORTED"), HasSubstr(attribute), HasSubstr("device 0")));
        EXPECT_THAT(message_of<Error>([&] { (void)LogicalEndpointLimits::of(properties); }), HasSubstr(attribute));
    }
    for (const char* const each : {"cuLogicalEndpointGetLimits", "cuLogicalEndpointIdReserve", "cuLogicalEndpointCreate"})
        EXPECT_EQ(layers::faults::calls(each), 0u) << each;
    layers::faults::stop();
}

TEST_F(LogicalEndpointTest, NamesTheDeviceThatLacksAnAttribute) {
    const Endpoints endpoints;
    EXPECT_THAT(message_of<Error>([&] { LogicalEndpoint endpoint({.device = Device(1), .size = unit}); }),
                AllOf(HasSubstr("UNICAST_SUPPORTED"), HasSubstr("device 1")));
    EXPECT_THAT(
        message_of<Error>([&] { LogicalEndpoint endpoint({.device = device, .size = unit, .has_counted_operations = true}); }),
        AllOf(HasSubstr("COUNTED_OPS_SUPPORTED"), HasSubstr("device 0")));
}

TEST_F(LogicalEndpointTest, CreatesAUnicastEndpointAndBindsMemory) {
    Endpoints endpoints;
    EXPECT_EQ(LogicalEndpointLimits::of({.device = device}), (LogicalEndpointLimits{unit, 8 * unit}));
    endpoints.calls.clear();
    {
        LogicalEndpoint endpoint({.device = device, .size = 4 * unit, .is_shareable = true});
        EXPECT_EQ(endpoint.id(), 40u);
        EXPECT_EQ(endpoint.bind_alignment(), unit);
        EXPECT_EQ(endpoint.properties().size, 4 * unit);
        EXPECT_EQ(endpoints.created.type, driver::CU_LOGICAL_ENDPOINT_TYPE_UNICAST);
        EXPECT_EQ(endpoints.created.unicast.device, 0);
        EXPECT_EQ(endpoints.created.size, 4 * unit);
        EXPECT_EQ(endpoints.created.ipcHandleTypes,
                  static_cast<unsigned int>(driver::CU_LOGICAL_ENDPOINT_IPC_HANDLE_TYPE_FABRIC));
        EXPECT_EQ(endpoints.created.flags, 0u);
        const VirtualBuffer memory = allocate(device);
        endpoints.is_ready = false;
        EXPECT_FALSE(endpoint.is_ready());
        expect_misuse([&] { endpoint.bind(memory); }, "is_ready()");
        endpoints.is_ready = true;
        EXPECT_TRUE(endpoint.is_ready());
        endpoint.bind(memory, 2 * unit);
        EXPECT_EQ(endpoints.address, reinterpret_cast<void*>(memory.native_handle()));
        endpoint.bind(device, 1, unit, unit);
        endpoint.unbind(device, 2 * unit);
        expect_misuse([&] { endpoint.unbind(device, 2 * unit); }, "device 0", std::to_string(2 * unit));
        LogicalEndpoint moved = std::move(endpoint);
        EXPECT_TRUE(endpoint.is_closed());  // NOLINT(bugprone-use-after-move)
        EXPECT_THROW((void)endpoint.id(), std::invalid_argument);
    }
    EXPECT_THAT(endpoints.calls, ElementsAre("GetLimits", "IdReserve", "Create", "Query", "Query", "BindAddr 0 2 1",
                                             "BindMem 0 0 1 1", "Unbind 0 2 1", "Destroy", "IdRelease"));
}

TEST_F(LogicalEndpointTest, CreatesAMulticastEndpointOfSeveralDevices) {
    Endpoints endpoints;
    LogicalEndpoint endpoint({.device_count = 2, .size = unit});
    EXPECT_EQ(endpoints.created.type, driver::CU_LOGICAL_ENDPOINT_TYPE_MULTICAST);
    EXPECT_EQ(endpoints.created.multicast.numDevices, 2u);
    endpoint.add_device(Device(1));
    expect_misuse([&] { endpoint.add_device(Device(1)); }, "device 1", "before");
    EXPECT_TRUE(endpoint.is_ready());
    expect_misuse([&] { endpoint.bind(allocate(device)); }, "device 0", "does not have the device");
    endpoint.add_device(device);
    expect_misuse([&] { endpoint.add_device(Device(1)); }, "device 1");
    endpoint.bind(allocate(device));
    endpoint.bind(allocate(Device(1)));
    expect_misuse([&] { (void)endpoint.export_endpoint(); }, "40", "is_shareable");
    LogicalEndpoint unicast({.device = device, .size = unit});
    expect_misuse([&] { unicast.add_device(Device(1)); }, "device 1", "unicast");
}

TEST_F(LogicalEndpointTest, IsOpenedByOtherProcesses) {
    Endpoints endpoints;
    const LogicalEndpoint endpoint({.device = device, .size = 2 * unit, .is_shareable = true});
    const ExportedLogicalEndpoint exported = endpoint.export_endpoint();
    EXPECT_EQ(exported.handle[5], std::byte{7});
    EXPECT_EQ(exported.size, 2 * unit);
    EXPECT_EQ(exported.bind_alignment, unit);
    EXPECT_EQ(exported.device_count, 0u);
    endpoints.calls.clear();
    {
        LogicalEndpoint opened = LogicalEndpoint::import_endpoint(exported);
        EXPECT_EQ(endpoints.imported, exported.handle);
        EXPECT_TRUE(opened.is_ready());
        expect_misuse([&] { opened.bind(allocate(device)); }, "only in the process that created it");
        expect_misuse([&] { (void)opened.export_endpoint(); }, "is_shareable");
    }
    EXPECT_THAT(endpoints.calls, ElementsAre("IdReserve", "Import", "Query", "Destroy", "IdRelease"));
    expect_misuse([] { (void)LogicalEndpoint::import_endpoint({}); }, "0 bytes");
}

TEST_F(LogicalEndpointTest, ChecksItsArguments) {
    Endpoints endpoints;
    expect_misuse([&] { LogicalEndpoint endpoint({.size = unit}); }, "neither");
    expect_misuse([&] { LogicalEndpoint endpoint({.device = device, .device_count = 2, .size = unit}); }, "both");
    expect_misuse([&] { LogicalEndpoint endpoint({.device = device}); }, "size of 0");
    EXPECT_THAT(endpoints.calls, IsEmpty());
    expect_misuse([&] { LogicalEndpoint endpoint({.device = device, .size = unit + 1}); }, std::to_string(unit + 1),
                  "multiple of " + std::to_string(unit));
    expect_misuse([&] { LogicalEndpoint endpoint({.device = device, .size = 9 * unit}); }, "at most " + std::to_string(8 * unit));
    LogicalEndpoint endpoint({.device = device, .size = 2 * unit});
    EXPECT_TRUE(endpoint.is_ready());
    endpoints.calls.clear();
    const VirtualBuffer memory = allocate(device);
    expect_misuse([&] { endpoint.bind(allocate(Device(1))); }, "device 1");
    expect_misuse([&] { endpoint.bind(memory, 2 * unit); }, std::to_string(unit) + " bytes at offset", "logical endpoint of");
    expect_misuse([&] { endpoint.bind(memory, ~std::uint64_t{0}); }, "logical endpoint of");
    expect_misuse([&] { endpoint.bind(memory, 4096); }, "offset 4096", "alignment of " + std::to_string(unit));
    expect_misuse([&] { endpoint.bind(device, 1, unit, 4096); }, "4096", "alignment");
    EXPECT_THAT(endpoints.calls, IsEmpty());
    endpoint.bind(memory, unit);
    expect_misuse([&] { endpoint.bind(memory, unit); }, "are bound at offset " + std::to_string(unit), "unbind()");
    LogicalEndpoint empty;
    EXPECT_THROW(empty.bind(memory), std::invalid_argument);
    EXPECT_THROW((void)empty.is_ready(), std::invalid_argument);
}

TEST_F(LogicalEndpointTest, RetainsBoundMemory) {
    const Endpoints endpoints;
    LogicalEndpoint endpoint({.device = device, .size = unit});
    EXPECT_TRUE(endpoint.is_ready());
    const auto free_memory = [&] { return device.memory_info().free; };
    const std::size_t before = free_memory();
    endpoint.bind(allocate(device));
    stream.synchronize();
    EXPECT_LT(free_memory(), before);
    endpoint.unbind(device);
    destroy_deferred_objects();
    EXPECT_EQ(free_memory(), before);
}

TEST_F(LogicalEndpointTest, ReportsFailures) {
    Endpoints endpoints;
    endpoints.failing = "cuLogicalEndpointCreate";
    EXPECT_THAT(message_of<Error>([&] { LogicalEndpoint endpoint({.device = device, .size = unit}); }),
                HasSubstr("cuLogicalEndpointCreate"));
    EXPECT_EQ(endpoints.calls.back(), "IdRelease");
    endpoints.failing.clear();
    LogicalEndpoint endpoint({.device = device, .size = unit});
    endpoints.failing = "cuLogicalEndpointDestroy";
    endpoint.close();
    EXPECT_THAT(taken_cleanup_messages(), ElementsAre(HasSubstr("destroy a logical endpoint")));
}

TEST_F(LogicalEndpointTest, ReportsAFailureOfEachCall) {
    const Endpoints endpoints;
    const VirtualBuffer memory = allocate(device);
    const std::size_t calls = sweep([&] {
        LogicalEndpoint endpoint({.device_count = 1, .size = 2 * unit});
        endpoint.add_device(device);
        (void)endpoint.is_ready();
        endpoint.bind(memory);
        endpoint.bind(device, 1, unit, 0, unit);
        endpoint.unbind(device, unit);
    });
    EXPECT_GE(calls, 10u);
    const LogicalEndpoint endpoint({.device = device, .size = unit, .is_shareable = true});
    const ExportedLogicalEndpoint exported = endpoint.export_endpoint();
    EXPECT_EQ(sweep([&] { (void)endpoint.export_endpoint(); }), 1u);
    EXPECT_GE(sweep([&] { (void)LogicalEndpoint::import_endpoint(exported); }), 4u);
}

}  // namespace
}  // namespace cubind::testing
