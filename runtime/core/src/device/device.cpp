// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/device/device.hpp>
#include <cubind/core/device/device_properties.hpp>
#include <cubind/driver/context.hpp>
#include <cubind/driver/device.hpp>
#include <cubind/driver/memory.hpp>

#include "calls/driver.hpp"
#include "device/device_scope.hpp"
#include "device/device_table.hpp"
#include "lifetime/known_contexts.hpp"

namespace CUBIND_NAMESPACE {
namespace {

detail::DeviceEntry& entry(Device device) {
    return detail::DeviceTable::get().at(device.ordinal());
}

int current_or_first() {
    const ContextRef current = ContextRef::current();
    if (!current) return 0;
    detail::DeviceTable& devices = detail::DeviceTable::get();
    if (devices.size() == 1) return 0;
    return static_cast<int>(check(driver::cuCtxGetDevice()));
}

}  // namespace

// ---- selection ----------------------------------------------------------------------------------------------------------

Device::Device() : Device(current_or_first()) {}

Device::Device(int ordinal) : handle_(detail::DeviceTable::get().at(ordinal).handle()), ordinal_(ordinal) {}

Device Device::from_pci_bus_id(const std::string& id) {
    detail::check_no_nul("a PCI bus id", id);
    (void)detail::DeviceTable::get();
    const auto [status, handle] = driver::cuDeviceGetByPCIBusId(id.c_str());
    if (status == driver::CUDA_ERROR_INVALID_VALUE || status == driver::CUDA_ERROR_INVALID_DEVICE) {
        detail::throw_misuse("there is no device at PCI bus id \"", id, "\"; Device(n).pci_bus_id() returns the id of device n");
    }
    return Device(static_cast<int>(check(Result<driver::CUresult, driver::CUdevice>{status, handle})));
}

int Device::count() {
    return detail::DeviceTable::get().size();
}

std::vector<Device> Device::all() {
    std::vector<Device> devices;
    for (int ordinal = 0; ordinal < count(); ++ordinal) devices.push_back(Device(ordinal));
    return devices;
}

// ---- properties ---------------------------------------------------------------------------------------------------------

std::string Device::name() const {
    char name[256] = {};
    check(driver::cuDeviceGetName(name, sizeof name, handle_));
    return name;
}

std::string Device::uuid() const {
    const driver::CUuuid uuid = check(driver::cuDeviceGetUuid(handle_));
    static constexpr char digits[] = "0123456789abcdef";
    std::string text;
    for (int i = 0; i < 16; ++i) {
        if (i == 4 || i == 6 || i == 8 || i == 10) text.push_back('-');
        const auto byte = static_cast<unsigned char>(uuid.bytes[i]);
        text.push_back(digits[byte >> 4]);
        text.push_back(digits[byte & 0xF]);
    }
    return text;
}

std::string Device::pci_bus_id() const {
    char id[32] = {};
    check(driver::cuDeviceGetPCIBusId(id, sizeof id, handle_));
    return id;
}

ComputeCapability Device::compute_capability() const {
    return {entry(*this).attribute(driver::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
            entry(*this).attribute(driver::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)};
}

std::string Device::arch() const {
    const auto [major, minor] = compute_capability();
    return std::to_string(major * 10 + minor);
}

DeviceProperties Device::properties() const {
    return DeviceProperties(*this);
}

int DeviceProperties::attribute(driver::CUdevice_attribute which) const {
    return entry(device_).attribute(which);
}

MemoryInfo Device::memory_info() const {
    const ScopedContext scope(context());
    const auto [free, total] = check(driver::cuMemGetInfo());
    return {free, total};
}

std::size_t Device::limit(driver::CUlimit which) const {
    return context().limit(which);
}

void Device::set_limit(driver::CUlimit which, std::size_t value) const {
    context().set_limit(which, value);
}

// ---- contexts ------------------------------------------------------------------------------------------------------------

ContextRef Device::set_current() const {
    return primary_context().set_current();
}

void Device::reset() const {
    entry(*this).reset();
    detail::destroy_ready_objects();  // those that waited for work of the context
}

ContextRef Device::primary_context() const {
    return entry(*this).primary_context();
}

ContextRef Device::context() const {
    detail::DeviceEntry& device = entry(*this);
    const ContextRef current = ContextRef::current();
    // The primary context may have been reset by other code.
    if (!current || device.is_primary(current.native_handle())) return device.primary_context();
    const auto [status, handle] = driver::cuCtxGetDevice();
    return status == driver::CUDA_SUCCESS && handle == handle_ ? current : ContextRef(device.primary_context());
}

void detail::DeviceScope::enter(Device device) {
    const ContextRef context = device.context();
    note_context(context.native_handle());
    scope_.emplace(context);
}

void Device::synchronize() const {
    context().synchronize();
}

Device ContextRef::device() const {
    const ScopedContext scope(*this);
    return Device(static_cast<int>(check(driver::cuCtxGetDevice())));
}

namespace {

unsigned int creation_flags(const ContextOptions& options) {
    unsigned int flags = static_cast<unsigned int>(options.scheduling);
    if (options.retain_local_memory) flags |= driver::CU_CTX_LMEM_RESIZE_TO_MAX;
    if (options.synchronize_memory_operations) flags |= driver::CU_CTX_SYNC_MEMOPS;
    return flags;
}

// Creates a context. The driver pushes it on the thread's stack of contexts, so the function pops it.
driver::CUcontext create(driver::CUdevice device, unsigned int flags) {
    const driver::CUcontext context = check(driver::cuCtxCreate_v2(flags, device));
    if (const auto popped = driver::cuCtxPopCurrent(); !popped.ok()) {
        (void)driver::cuCtxDestroy(context);
        detail::check_latest(popped);
    }
    detail::note_context(context);
    return context;
}

}  // namespace

Context::Context(Device device, const ContextOptions& options)
    : Owner(ContextRef(create(device.native_handle(), creation_flags(options)))) {}

}  // namespace CUBIND_NAMESPACE
