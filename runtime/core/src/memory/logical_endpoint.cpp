// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/device/device_properties.hpp>
#include <cubind/core/memory/buffer.hpp>
#include <cubind/core/memory/logical_endpoint.hpp>
#include <cubind/driver/logical_endpoint.hpp>

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "calls/driver.hpp"
#include "lifetime/relaxed_capture_mode.hpp"
#include "memory/refusals.hpp"

namespace CUBIND_NAMESPACE {
namespace detail {
namespace {

constexpr auto fabric_type = driver::CU_LOGICAL_ENDPOINT_IPC_HANDLE_TYPE_FABRIC;

bool is_multicast(const LogicalEndpointProperties& properties) noexcept {
    return properties.device_count != 0;
}

// Returns the attribute that the device lacks, or nullptr.
const char* missing_attribute(Device device, const LogicalEndpointProperties& properties) {
    const DeviceProperties has = device.properties();
    if (is_multicast(properties)) {
        if (!has.logical_endpoint_multicast_supported()) return "MULTICAST_SUPPORTED";
    } else if (!has.logical_endpoint_unicast_supported()) {
        return "UNICAST_SUPPORTED";
    }
    return properties.has_counted_operations && !has.logical_endpoint_counted_ops_supported() ? "COUNTED_OPS_SUPPORTED" : nullptr;
}

void check_device(Device device, const LogicalEndpointProperties& properties) {
    const char* const missing = missing_attribute(device, properties);
    if (missing == nullptr) return;
    throw_not_supported("cuLogicalEndpointCreate",
                        concat("a logical endpoint needs CU_DEVICE_ATTRIBUTE_LOGICAL_ENDPOINT_", missing,
                               " (CUDA 13.3), which device ", device.ordinal(), " does not have"));
}

// Checks the devices before the first call for endpoints, so that such calls are made only where they are possible. The devices
// of a multicast endpoint are added later: one of this process must support it.
void check_support(const LogicalEndpointProperties& properties) {
    if (properties.device.has_value() == is_multicast(properties)) {
        throw_misuse("a logical endpoint has either a device or a number of devices, but these properties have ",
                     properties.device ? "both" : "neither");
    }
    if (properties.device) return check_device(*properties.device, properties);
    for (const Device device : Device::all()) {
        if (missing_attribute(device, properties) == nullptr) return;
    }
    check_device(Device(0), properties);
}

driver::CUlogicalEndpointProp native(const LogicalEndpointProperties& properties) {
    driver::CUlogicalEndpointProp native{};
    if (properties.device) {
        native.type = driver::CU_LOGICAL_ENDPOINT_TYPE_UNICAST;
        native.unicast.device = properties.device->native_handle();
    } else {
        native.type = driver::CU_LOGICAL_ENDPOINT_TYPE_MULTICAST;
        native.multicast.numDevices = properties.device_count;
    }
    native.size = properties.size;
    if (properties.is_shareable) native.ipcHandleTypes = fabric_type;
    if (properties.has_counted_operations) native.flags = driver::CU_LOGICAL_ENDPOINT_FLAG_COUNTED_OPS;
    return native;
}

LogicalEndpointLimits limits_of(const LogicalEndpointProperties& properties) {
    const driver::CUlogicalEndpointProp prop = native(properties);
    const auto [alignment, size] = check(driver::cuLogicalEndpointGetLimits(&prop));
    return {alignment, size};
}

/// A reserved number of an endpoint.
class ReservedId {
public:
    ReservedId() : id_(check(driver::cuLogicalEndpointIdReserve(1))) {}
    ReservedId(const ReservedId&) = delete;
    ReservedId& operator=(const ReservedId&) = delete;
    ~ReservedId() {
        report_unless_released(driver::cuLogicalEndpointIdRelease(id_, 1), "release the number of a logical endpoint", nullptr);
    }

    driver::CUlogicalEndpointId get() const noexcept { return id_; }

private:
    const driver::CUlogicalEndpointId id_;
};

/// Memory that is bound to a part of an endpoint.
struct EndpointBinding {
    Device device;
    std::uint64_t offset;
    std::uint64_t size;
    std::shared_ptr<const void> memory;  // retains the memory; nullptr for a handle of the caller
};

}  // namespace

/// An endpoint, which the destructor destroys before it releases the number.
class EndpointState {
public:
    EndpointState(const LogicalEndpointProperties& properties, std::uint64_t alignment)
        : properties_(properties), alignment_(alignment) {}
    EndpointState(const EndpointState&) = delete;
    EndpointState& operator=(const EndpointState&) = delete;
    ~EndpointState() {
        const RelaxedCaptureMode mode;
        if (exists_) report_unless_released(driver::cuLogicalEndpointDestroy(id()), "destroy a logical endpoint", nullptr);
    }

    void create() {
        const driver::CUlogicalEndpointProp prop = native(properties_);
        check(driver::cuLogicalEndpointCreate(id(), &prop));
        exists_ = true;
    }
    void import(const FabricHandle& handle) {
        driver::CUlogicalEndpointFabricHandle fabric{};
        static_assert(sizeof fabric == sizeof handle);
        std::memcpy(&fabric, handle.data(), sizeof fabric);
        check(driver::cuLogicalEndpointImport(id(), &fabric, fabric_type));
        exists_ = true;
    }

    driver::CUlogicalEndpointId id() const noexcept { return id_.get(); }
    const LogicalEndpointProperties& properties() const noexcept { return properties_; }
    std::uint64_t alignment() const noexcept { return alignment_; }

    void add_device(Device device) {
        if (!is_multicast(properties_))
            throw_misuse("device ", device.ordinal(), " cannot be added to a unicast endpoint, which has one device");
        if (std::ranges::count(devices_, device) != 0)
            throw_misuse("device ", device.ordinal(), " was added to the logical endpoint before");
        if (devices_.size() == properties_.device_count)
            throw_misuse("the logical endpoint has all its ", properties_.device_count, " devices: device ", device.ordinal(),
                         " cannot be added");
        check_device(device, properties_);
        devices_.reserve(devices_.size() + 1);
        check(driver::cuLogicalEndpointAddDevice(id(), device.native_handle()));
        devices_.push_back(device);
    }
    bool is_ready() {
        is_ready_ = check(driver::cuLogicalEndpointQuery(id(), 1)) != 0;
        return is_ready_;
    }
    template <class Bind>
    void add_binding(EndpointBinding binding, const Bind& bind) {
        check_binding(binding);
        bindings_.reserve(bindings_.size() + 1);
        bind();
        bindings_.push_back(std::move(binding));
    }
    void unbind(Device device, std::uint64_t offset) {
        const auto found = std::ranges::find_if(
            bindings_, [&](const EndpointBinding& each) { return each.device == device && each.offset == offset; });
        if (found == bindings_.end()) throw_misuse("no memory of device ", device.ordinal(), " is bound at offset ", offset);
        check(driver::cuLogicalEndpointUnbind(id(), device.native_handle(), offset, found->size));
        bindings_.erase(found);
    }

private:
    void check_binding(const EndpointBinding& binding) const {
        const auto& [device, offset, size, memory] = binding;
        if (!is_multicast(properties_) && !properties_.device)
            throw_misuse("memory can be bound to a unicast endpoint only in the process that created it");
        if (is_multicast(properties_) ? std::ranges::count(devices_, device) == 0 : device != properties_.device) {
            throw_misuse("memory of device ", device.ordinal(),
                         " cannot be bound, because the logical endpoint does not have the device");
        }
        if (size == 0 || offset > properties_.size || size > properties_.size - offset) {
            throw_misuse("cannot bind ", size, " bytes at offset ", offset, " of a logical endpoint of ", properties_.size,
                         " bytes");
        }
        if (offset % alignment_ != 0 || size % alignment_ != 0) {
            throw_misuse("cannot bind ", size, " bytes at offset ", offset, ": both must be multiples of the alignment of ",
                         alignment_, " bytes");
        }
        for (const EndpointBinding& each : bindings_) {
            if (each.device != device || offset >= each.offset + each.size || each.offset >= offset + size) continue;
            throw_misuse("cannot bind ", size, " bytes at offset ", offset, " for device ", device.ordinal(), ": ", each.size,
                         " bytes are bound at offset ", each.offset, "; unbind() them first");
        }
        if (!is_ready_) throw_misuse("nothing can be bound to a logical endpoint before is_ready() has returned true");
    }

    const ReservedId id_;  // is released last
    const LogicalEndpointProperties properties_;
    const std::uint64_t alignment_;
    bool exists_ = false;
    bool is_ready_ = false;
    std::vector<Device> devices_;
    std::vector<EndpointBinding> bindings_;
};

}  // namespace detail

LogicalEndpointLimits LogicalEndpointLimits::of(const LogicalEndpointProperties& properties) {
    detail::check_support(properties);
    return detail::limits_of(properties);
}

LogicalEndpoint::LogicalEndpoint(const LogicalEndpointProperties& properties) {
    if (properties.size == 0) detail::throw_misuse("a logical endpoint needs at least 1 byte, but has a size of 0");
    const LogicalEndpointLimits limits = LogicalEndpointLimits::of(properties);
    if (properties.size % limits.bind_alignment != 0 || properties.size > limits.max_size) {
        detail::throw_misuse("a logical endpoint cannot have ", properties.size, " bytes: it has a multiple of ",
                             limits.bind_alignment, " and at most ", limits.max_size, " bytes");
    }
    const detail::RelaxedCaptureMode mode;
    const auto created = std::make_shared<detail::EndpointState>(properties, limits.bind_alignment);
    created->create();
    state_ = created;
}

LogicalEndpoint LogicalEndpoint::import_endpoint(const ExportedLogicalEndpoint& exported) {
    if (exported.size == 0 || exported.bind_alignment == 0) {
        detail::throw_misuse("the exported logical endpoint is not valid: it has ", exported.size, " bytes and an alignment of ",
                             exported.bind_alignment, " bytes");
    }
    (void)Device::count();  // initializes the driver
    const detail::RelaxedCaptureMode mode;
    LogicalEndpoint opened;
    const LogicalEndpointProperties properties{.device_count = exported.device_count, .size = exported.size};
    opened.state_ = std::make_shared<detail::EndpointState>(properties, exported.bind_alignment);
    opened.state_->import(exported.handle);
    return opened;
}

ExportedLogicalEndpoint LogicalEndpoint::export_endpoint() const {
    const detail::EndpointState& endpoint = state();
    if (!endpoint.properties().is_shareable) {
        detail::throw_misuse("logical endpoint ", endpoint.id(),
                             " cannot be exported; create it with .is_shareable = true, in the process that exports it");
    }
    driver::CUlogicalEndpointFabricHandle fabric{};
    check(driver::cuLogicalEndpointExport(&fabric, endpoint.id(), detail::fabric_type));
    ExportedLogicalEndpoint exported{{}, endpoint.properties().size, endpoint.alignment(), endpoint.properties().device_count};
    std::memcpy(exported.handle.data(), &fabric, sizeof fabric);
    return exported;
}

detail::EndpointState& LogicalEndpoint::state() const {
    if (state_ == nullptr) detail::throw_moved_from("LogicalEndpoint");
    return *state_;
}

void LogicalEndpoint::add_device(Device device) {
    state().add_device(device);
}

bool LogicalEndpoint::is_ready() const {
    return state().is_ready();
}

void LogicalEndpoint::bind(const VirtualBuffer& memory, std::uint64_t offset) {
    detail::EndpointState& endpoint = state();
    const std::size_t size = memory.capacity();
    const auto device = memory.bytes().device();
    if (!device) detail::throw_misuse("memory of the host cannot be bound to a logical endpoint: it needs memory of a device");
    endpoint.add_binding({*device, offset, size, detail::share(memory.bytes())}, [&] {
        void* const address = reinterpret_cast<void*>(memory.native_handle());
        check(driver::cuLogicalEndpointBindAddr(endpoint.id(), device->native_handle(), offset, address, size, 0));
    });
}

void LogicalEndpoint::bind(Device device, driver::CUmemGenericAllocationHandle memory, std::uint64_t size,
                           std::uint64_t memory_offset, std::uint64_t offset) {
    detail::EndpointState& endpoint = state();
    if (memory_offset % endpoint.alignment() != 0) {
        detail::throw_misuse("cannot bind physical memory from ", memory_offset,
                             " bytes on: the offset must be a multiple of the alignment of ", endpoint.alignment(), " bytes");
    }
    endpoint.add_binding({device, offset, size, nullptr}, [&] {
        check(driver::cuLogicalEndpointBindMem(endpoint.id(), device.native_handle(), offset, memory, memory_offset, size, 0));
    });
}

void LogicalEndpoint::unbind(Device device, std::uint64_t offset) {
    const detail::RelaxedCaptureMode mode;
    state().unbind(device, offset);
}

LogicalEndpoint::Id LogicalEndpoint::id() const {
    return state().id();
}

const LogicalEndpointProperties& LogicalEndpoint::properties() const {
    return state().properties();
}

std::uint64_t LogicalEndpoint::bind_alignment() const {
    return state().alignment();
}

}  // namespace CUBIND_NAMESPACE
