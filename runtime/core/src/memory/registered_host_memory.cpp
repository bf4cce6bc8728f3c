// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/device/device.hpp>
#include <cubind/core/memory/pointer_attributes.hpp>
#include <cubind/core/memory/registered_host_memory.hpp>
#include <cubind/driver/constants.hpp>
#include <cubind/driver/memory.hpp>

#include <algorithm>
#include <memory>

#include "calls/driver.hpp"
#include "device/context_guard.hpp"
#include "device/context_object.hpp"
#include "device/device_table.hpp"
#include "lifetime/relaxed_capture_mode.hpp"
#include "memory/refusals.hpp"

namespace CUBIND_NAMESPACE {
namespace detail {
namespace {

// The driver requires a current context, and accepts any. None is current if making the object's context current has failed.
Result<driver::CUresult> unregister(unsigned long long address) {
    void* const memory = reinterpret_cast<void*>(address);
    const auto unregistered = driver::cuMemHostUnregister(memory);
    if (unregistered.status != driver::CUDA_ERROR_INVALID_CONTEXT) return unregistered;
    const ContextGuard context;
    return driver::cuMemHostUnregister(memory);
}

}  // namespace

/// The registration. Its handle is the address, or 0 if there are no bytes.
class Registration : public ContextObject {
public:
    Registration(ContextRef context, void* own_address, std::size_t own_size, const RegisteredHostMemoryOptions& own_options)
        : ContextObject(context, unregister, "unregister host memory"),
          address(own_address),
          size(own_size),
          options(own_options) {}

    void* const address;
    const std::size_t size;
    const RegisteredHostMemoryOptions options;
    driver::CUdeviceptr device_address = 0;
};

MemoryView memory_view_of(const RegisteredHostMemory& memory) {
    const bool is_mapped = memory.options().mapped;
    return {is_mapped ? memory.native_handle() : reinterpret_cast<driver::CUdeviceptr>(memory.data()), memory.size(), nullptr};
}

namespace {

unsigned int flags_of(const RegisteredHostMemoryOptions& options) {
    unsigned int flags = 0;
    if (options.portable) flags |= driver::CU_MEMHOSTREGISTER_PORTABLE;
    if (options.mapped) flags |= driver::CU_MEMHOSTREGISTER_DEVICEMAP;
    if (options.read_only) flags |= driver::CU_MEMHOSTREGISTER_READ_ONLY;
    if (options.io_memory) flags |= driver::CU_MEMHOSTREGISTER_IOMEMORY;
    return flags;
}

// Returns a description of memory of the driver that overlaps the memory; empty if none is found. Samples the memory, since the
// driver does not report which part is in use.
std::string overlapped_memory(driver::CUdeviceptr begin, std::size_t size) {
    constexpr std::size_t max_samples = 65536;
    const std::size_t step = std::max<std::size_t>(16, size / max_samples);
    const auto look = [](driver::CUdeviceptr address) -> std::string {
        const auto found = PointerAttributes::of(address);
        if (found.kind == MemoryType::unregistered) return {};
        const bool is_host = found.kind == MemoryType::host;
        return concat(is_host                             ? "registered or pinned"
                      : found.kind == MemoryType::managed ? "managed"
                                                          : "device",
                      " memory, ", bytes_at(found.allocation_size, found.allocation));
    };
    try {
        for (std::size_t offset = 0; offset < size; offset += step) {
            if (std::string text = look(begin + offset); !text.empty()) return text;
        }
        return look(begin + size - 1);
    } catch (const std::exception&) {
        return {};
    }
}

std::string advice_on_registration(Result<driver::CUresult> failure, const Registration& registration) {
    const auto address = reinterpret_cast<driver::CUdeviceptr>(registration.address);
    const std::string text = concat(bytes_at(registration.size, address), " cannot be registered");
    switch (failure.status) {
        case driver::CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED:
        case driver::CUDA_ERROR_INVALID_VALUE: {
            const std::string other = overlapped_memory(address, registration.size);
            if (other.empty()) return text;
            return concat(text, ": they overlap ", other,
                          "; register memory once, and only memory that the driver did not allocate");
        }
        case driver::CUDA_ERROR_NOT_SUPPORTED:
        case driver::CUDA_ERROR_NOT_PERMITTED:
            if (registration.options.io_memory) return concat(text, " as I/O memory by this system, or by this user");
            return text;
        default:
            return text;
    }
}

// Checks the feature before its use, so that no call of the driver fails.
void check_options(ContextRef context, bool is_constant, const RegisteredHostMemoryOptions& options) {
    if (is_constant && !options.read_only) {
        throw_misuse("constant memory can be registered only with the option read_only, so that no device writes to it");
    }
    if (!options.read_only) return;
    const Device device = context.device();
    if (DeviceTable::get().at(device.ordinal()).attribute(driver::CU_DEVICE_ATTRIBUTE_READ_ONLY_HOST_REGISTER_SUPPORTED) != 0) {
        return;
    }
    throw_misuse("the option read_only requires the attribute READ_ONLY_HOST_REGISTER_SUPPORTED, which device ", device.ordinal(),
                 " does not have");
}

}  // namespace
}  // namespace detail

RegisteredHostMemory::RegisteredHostMemory(ContextRef context, const detail::MemoryView& memory, bool is_constant,
                                           const RegisteredHostMemoryOptions& options) {
    const std::size_t size = memory.size;
    void* const address = size == 0 ? nullptr : reinterpret_cast<void*>(memory.address);
    (void)Device::count();  // initializes the driver
    const ContextRef registering = context ? context : detail::context_of_foreign_object();
    detail::check_options(registering, is_constant, options);
    const auto made = std::make_shared<detail::Registration>(registering, address, size, options);
    if (size == 0) {
        registration_ = detail::ContextObject::own(made, 0);
        return;
    }
    const ScopedContext scope(registering);
    const detail::RelaxedCaptureMode mode;
    const auto registered = driver::cuMemHostRegister(address, size, detail::flags_of(options));
    if (!registered.ok()) detail::throw_with_advice(registered, detail::advice_on_registration(registered, *made));
    registration_ = detail::ContextObject::own(made, reinterpret_cast<unsigned long long>(address));
    if (!options.mapped) return;
    try {
        made->device_address = check(driver::cuMemHostGetDevicePointer(address, 0));
    } catch (...) {
        reset();
        throw;
    }
}

RegisteredHostMemory& RegisteredHostMemory::operator=(RegisteredHostMemory&& other) noexcept {
    if (this != &other) {
        reset();
        registration_ = std::exchange(other.registration_, nullptr);
    }
    return *this;
}

void* RegisteredHostMemory::data() const {
    return registration().address;
}

std::size_t RegisteredHostMemory::size() const {
    return registration().size;
}

RegisteredHostMemoryOptions RegisteredHostMemory::options() const {
    return registration().options;
}

driver::CUdeviceptr RegisteredHostMemory::native_handle() const {
    const detail::Registration& made = registration();
    if (!made.options.mapped) {
        detail::throw_misuse(
            "registered memory that is not mapped has no address for devices: register it with the option mapped");
    }
    return made.device_address;
}

void RegisteredHostMemory::close() {
    if (registration_ != nullptr) std::exchange(registration_, nullptr)->close();
}

void RegisteredHostMemory::reset() noexcept {
    if (registration_ != nullptr) std::exchange(registration_, nullptr)->drop();
}

const detail::Registration& RegisteredHostMemory::registration() const {
    if (registration_ == nullptr) [[unlikely]]
        detail::throw_moved_from("RegisteredHostMemory");
    return *registration_;
}

}  // namespace CUBIND_NAMESPACE
