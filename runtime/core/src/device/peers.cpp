// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/device/device.hpp>
#include <cubind/core/device/device_luid.hpp>
#include <cubind/core/device/peer_attributes.hpp>
#include <cubind/driver/context.hpp>
#include <cubind/driver/device.hpp>
#include <cubind/driver/peer_access.hpp>

#include <cstring>

#include "calls/availability.hpp"
#include "calls/driver.hpp"

namespace CUBIND_NAMESPACE {

bool Device::can_access_peer(Device peer) const {
    return check(driver::cuDeviceCanAccessPeer(handle_, peer.handle_)) != 0;
}

std::vector<Device> Device::peers() const {
    std::vector<Device> found;
    for (const Device each : all()) {
        if (each != *this && can_access_peer(each)) found.push_back(each);
    }
    return found;
}

PeerAttributes Device::p2p_attribute(Device peer) const {
    if (peer == *this) detail::throw_misuse("device ", ordinal_, " is no peer of itself: name another device");
    const auto query = [&](driver::CUdevice_P2PAttribute which) {
        return driver::cuDeviceGetP2PAttribute(which, handle_, peer.handle_);
    };
    PeerAttributes found;
    found.performance_rank = check(query(driver::CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK));
    found.access_supported = check(query(driver::CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED)) != 0;
    found.native_atomics_supported = check(query(driver::CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED)) != 0;
    found.array_access_supported = check(query(driver::CU_DEVICE_P2P_ATTRIBUTE_CUDA_ARRAY_ACCESS_SUPPORTED)) != 0;
    if (detail::is_available(driver::cuDeviceGetP2PAtomicCapabilities)) {  // CUDA 13.0 added this function and the attribute
        found.only_partial_native_atomics_supported =
            check(query(driver::CU_DEVICE_P2P_ATTRIBUTE_ONLY_PARTIAL_NATIVE_ATOMIC_SUPPORTED)) != 0;
    }
    return found;
}

AtomicCapabilities Device::peer_atomics(Device peer, driver::CUatomicOperation operation) const {
    if (peer == *this) detail::throw_misuse("device ", ordinal_, " is no peer of itself: name another device");
    AtomicCapabilities found;
    check(driver::cuDeviceGetP2PAtomicCapabilities(&found.flags, &operation, 1, handle_, peer.handle_));
    return found;
}

AtomicCapabilities Device::host_atomics(driver::CUatomicOperation operation) const {
    AtomicCapabilities found;
    check(driver::cuDeviceGetHostAtomicCapabilities(&found.flags, &operation, 1, handle_));
    return found;
}

DeviceLuid Device::luid() const {
    DeviceLuid found;
    char bytes[8] = {};
    const auto [status, node_mask] = driver::cuDeviceGetLuid(bytes, handle_);
    if (status != driver::CUDA_SUCCESS) {
        detail::throw_with_advice({status},
                                  "Only devices of Windows have a LUID; uuid() and pci_bus_id() identify a device "
                                  "on every system");
    }
    std::memcpy(found.luid.data(), bytes, sizeof bytes);
    found.node_mask = node_mask;
    return found;
}

void Device::enable_peer_access(Device peer) const {
    const driver::CUcontext peer_context = peer.primary_context().native_handle();
    const ScopedContext scope(context());
    const auto enabled = driver::cuCtxEnablePeerAccess(peer_context, 0);
    if (enabled.status != driver::CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED) detail::check_latest(enabled);
}

void Device::disable_peer_access(Device peer) const {
    const driver::CUcontext peer_context = peer.primary_context().native_handle();
    const ScopedContext scope(context());
    const auto disabled = driver::cuCtxDisablePeerAccess(peer_context);
    if (disabled.status != driver::CUDA_ERROR_PEER_ACCESS_NOT_ENABLED) detail::check_latest(disabled);
}

}  // namespace CUBIND_NAMESPACE
