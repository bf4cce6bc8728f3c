// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/device/device.hpp"

#include <cubind/driver/strings.hpp>

#include <cstdio>
#include <cstring>
#include <new>

#include "support/report.hpp"

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

Device::Device(int own_index, CUdevice own_ordinal, const Options& options)
    : index(own_index),
      ordinal(own_ordinal),
      memory(options.memory),
      major(options.major),
      minor(options.minor),
      allows_peer_memory(options.allows_peer_memory),
      allows_undefined_functions(options.allows_undefined_functions) {}

bool Device::charge(std::size_t bytes) noexcept {
    std::size_t used = used_.load(std::memory_order_relaxed);
    do {
        if (bytes > memory - used) return false;
    } while (!used_.compare_exchange_weak(used, used + bytes, std::memory_order_relaxed));
    return true;
}

void Device::set_fault(CUresult fault, const char* subject, const char* name, const char* reason) noexcept {
    const std::lock_guard lock(fault_mutex_);
    if (this->fault() != CUDA_SUCCESS) return;
    try {
        fault_text_ = failure_text(subject, name, to_string(fault), reason);
    } catch (const std::bad_alloc&) {  // the fault has no text
    }
    fault_.store(fault, std::memory_order_release);
}

std::string Device::fault_text() const {
    const std::lock_guard lock(fault_mutex_);
    return fault_text_;
}

std::string Device::name() const {
    return "cubind simulated device";
}

CUuuid Device::uuid_of(int index) noexcept {
    CUuuid uuid;
    std::memcpy(uuid.bytes, "cubind simulated", sizeof uuid.bytes);
    uuid.bytes[15] = static_cast<char>(index);
    return uuid;
}

std::string Device::pci_bus_id() const {
    char text[32];
    std::snprintf(text, sizeof text, "0000:%02X:00.0", static_cast<unsigned>(index + 1) & 0xffu);
    return text;
}

Device* find_device(const Devices& devices, CUdevice ordinal) noexcept {
    const bool exists = ordinal >= 0 && static_cast<std::size_t>(ordinal) < devices.size();
    return exists ? devices[static_cast<std::size_t>(ordinal)].get() : nullptr;
}

}  // namespace CUBIND_NAMESPACE::sim
