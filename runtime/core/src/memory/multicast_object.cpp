// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/device/device_properties.hpp>
#include <cubind/core/memory/multicast_object.hpp>
#include <cubind/driver/multicast.hpp>
#include <cubind/driver/virtual_memory.hpp>

#include <algorithm>
#include <utility>

#include "calls/driver.hpp"
#include "lifetime/relaxed_capture_mode.hpp"
#include "memory/multicast_state.hpp"
#include "memory/refusals.hpp"
#include "memory/shareable_handle.hpp"
#include "memory/virtual_allocation.hpp"

namespace CUBIND_NAMESPACE {

namespace {

// Checks the devices before the first call for multicast, so that such calls are made only where they are possible.
void check_support(const std::vector<Device>& devices) {
    if (devices.empty()) detail::throw_misuse("a multicast object needs at least 1 device, but there are 0");
    for (const Device device : devices) {
        if (device.properties().multicast_supported()) continue;
        detail::throw_not_supported(
            "cuMulticastCreate", detail::concat("a multicast object needs CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED, which device ",
                                                device.ordinal(), " does not have"));
    }
}

driver::CUmulticastObjectProp properties_of(unsigned int count, std::size_t size, SharingHandle sharing = SharingHandle::none) {
    driver::CUmulticastObjectProp properties{};
    properties.numDevices = count;
    properties.size = size;
    properties.handleTypes = static_cast<unsigned long long>(sharing);
    return properties;
}

std::size_t granularity_of(const driver::CUmulticastObjectProp& properties, MulticastGranularity kind) {
    return check(driver::cuMulticastGetGranularity(&properties, static_cast<driver::CUmulticastGranularity_flags>(kind)));
}

// Takes ownership of the handle.
std::shared_ptr<detail::MulticastState> own(driver::CUmemGenericAllocationHandle handle, const detail::MulticastProperties& has) {
    try {
        return std::make_shared<detail::MulticastState>(handle, has);
    } catch (const std::bad_alloc&) {
        const detail::PhysicalHandle owner(handle);
        throw;
    }
}

std::shared_ptr<detail::MulticastState> create(unsigned int count, std::size_t size, SharingHandle sharing) {
    driver::CUmulticastObjectProp properties = properties_of(count, size, sharing);
    const std::size_t unit = granularity_of(properties, MulticastGranularity::recommended);
    properties.size = detail::round_up_to_granularity(size, unit);
    const std::size_t minimum = granularity_of(properties, MulticastGranularity::minimum);
    return own(check(driver::cuMulticastCreate(&properties)), {properties.size, minimum, count, sharing});
}

bool is_one_kind(SharingHandle kind) noexcept {
    return kind == SharingHandle::posix_file_descriptor || kind == SharingHandle::fabric;
}

/// Addresses at which the object is mapped.
class Mapping {
public:
    explicit Mapping(std::shared_ptr<const detail::MulticastState> object) : object_(std::move(object)) {
        const detail::RelaxedCaptureMode mode;
        address_ = check(driver::cuMemAddressReserve(size(), object_->granularity(), 0, 0));
        try {
            map();
        } catch (...) {
            free_addresses();
            throw;
        }
    }
    Mapping(const Mapping&) = delete;
    Mapping& operator=(const Mapping&) = delete;
    ~Mapping() {
        const detail::RelaxedCaptureMode mode;
        unmap();
        free_addresses();
    }

    driver::CUdeviceptr address() const noexcept { return address_; }
    std::size_t size() const noexcept { return object_->size(); }

private:
    void map() {
        std::vector<driver::CUmemAccessDesc> access;
        for (const Device device : object_->devices()) {
            access.push_back(
                {{driver::CU_MEM_LOCATION_TYPE_DEVICE, {device.native_handle()}}, driver::CU_MEM_ACCESS_FLAGS_PROT_READWRITE});
        }
        check(driver::cuMemMap(address_, size(), 0, object_->handle(), 0));
        try {
            check(driver::cuMemSetAccess(address_, size(), access.data(), access.size()));
        } catch (...) {
            unmap();
            throw;
        }
    }
    void unmap() noexcept {
        if (driver::cuMemUnmap(address_, size()).ok()) return;
        // A second attempt, because the memory would leak otherwise.
        detail::report_unless_released(driver::cuMemUnmap(address_, size()), "unmap a multicast object", nullptr);
    }
    void free_addresses() noexcept {
        detail::report_unless_released(driver::cuMemAddressFree(address_, size()), "free the addresses of a multicast object",
                                       nullptr);
    }

    const std::shared_ptr<const detail::MulticastState> object_;
    driver::CUdeviceptr address_ = 0;
};

}  // namespace

MulticastObject::MulticastObject(const std::vector<Device>& devices, std::size_t size, const MulticastOptions& options) {
    if (size == 0) detail::throw_misuse("a multicast object needs at least 1 byte, but has a size of 0");
    const auto named = static_cast<unsigned int>(devices.size());
    const unsigned int count = options.device_count == 0 ? named : options.device_count;
    if (count < named) detail::throw_misuse("a multicast object of ", count, " devices cannot have ", named, " devices");
    for (auto each = devices.begin(); each != devices.end(); ++each) {
        if (std::find(devices.begin(), each, *each) != each)
            detail::throw_misuse("device ", each->ordinal(), " is twice among the devices of a multicast object");
    }
    check_support(devices);
    const detail::RelaxedCaptureMode mode;
    auto created = create(count, size, options.sharing);
    for (const Device device : devices) created->add_device(device);
    state_ = std::move(created);
}

MulticastObject MulticastObject::import_object(const ExportedMulticast& exported) {
    if (!is_one_kind(exported.kind) || exported.size == 0 || exported.device_count == 0) {
        detail::throw_misuse("the exported multicast object is not valid: it has ", exported.size, " bytes, ",
                             exported.device_count, " devices and a SharingHandle with the value ",
                             static_cast<unsigned int>(exported.kind));
    }
    (void)Device::count();  // initializes the driver
    const detail::RelaxedCaptureMode mode;
    const std::size_t minimum =
        granularity_of(properties_of(exported.device_count, exported.size, exported.kind), MulticastGranularity::minimum);
    MulticastObject opened;
    opened.state_ = own(detail::import_handle(exported.kind, exported.descriptor, exported.fabric),
                        {exported.size, minimum, exported.device_count, SharingHandle::none});
    return opened;
}

ExportedMulticast MulticastObject::export_object(SharingHandle kind) const {
    const detail::MulticastState& object = state();
    if (!is_one_kind(kind) || (object.sharing() & kind) != kind) {
        detail::throw_misuse("a multicast object of SharingHandle ", static_cast<unsigned int>(object.sharing()),
                             " cannot be exported as ", static_cast<unsigned int>(kind),
                             "; create it with that kind in MulticastOptions::sharing");
    }
    const detail::RelaxedCaptureMode mode;
    detail::ShareableHandle handle = detail::export_handle(object.handle(), kind);
    return {kind, std::move(handle.descriptor), handle.fabric, size(), device_count()};
}

std::size_t MulticastObject::granularity(const std::vector<Device>& devices, MulticastGranularity kind) {
    check_support(devices);
    return granularity_of(properties_of(static_cast<unsigned int>(devices.size()), 1), kind);
}

detail::MulticastState& MulticastObject::state() const {
    if (state_ == nullptr) detail::throw_moved_from("MulticastObject");
    return *state_;
}

void MulticastObject::add_device(Device device) {
    detail::MulticastState& object = state();
    check_support({device});
    object.add_device(device);
}

void MulticastObject::bind(const VirtualBuffer& memory, std::size_t offset) {
    detail::MulticastState& object = state();
    const std::size_t size = memory.capacity();
    const auto device = memory.bytes().device();
    if (!device) detail::throw_misuse("memory of the host cannot be bound to a multicast object: it needs memory of a device");
    object.add_binding({*device, offset, size, detail::share(memory.bytes())},
                       [&] { check(driver::cuMulticastBindAddr(object.handle(), offset, memory.native_handle(), size, 0)); });
}

void MulticastObject::bind(Device device, driver::CUmemGenericAllocationHandle memory, std::size_t size,
                           std::size_t memory_offset, std::size_t offset) {
    detail::MulticastState& object = state();
    if (memory_offset % object.granularity() != 0) {
        detail::throw_misuse("cannot bind physical memory from ", memory_offset,
                             " bytes on: the offset must be a multiple of the granularity of ", object.granularity(), " bytes");
    }
    object.add_binding({device, offset, size, nullptr},
                       [&] { check(driver::cuMulticastBindMem(object.handle(), offset, memory, memory_offset, size, 0)); });
}

void MulticastObject::unbind(Device device, std::size_t offset) {
    state().unbind(device, offset);
}

Buffer MulticastObject::map() const {
    (void)state();
    const auto mapping = std::make_shared<const Mapping>(state_);
    return Buffer::view_of(mapping->address(), mapping->size(), mapping);
}

MulticastObject::Handle MulticastObject::native_handle() const {
    return state().handle();
}

std::size_t MulticastObject::size() const {
    return state().size();
}

const std::vector<Device>& MulticastObject::devices() const {
    return state().devices();
}

unsigned int MulticastObject::device_count() const {
    return state().device_count();
}

}  // namespace CUBIND_NAMESPACE
