// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <simulation/functions.hpp>

#include "machine/check.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

constexpr int partial_atomics_release = 13000;

// Answers a query of the atomic operations between a device and other memory: none is native.
CUresult report_no_atomics(unsigned* capabilities, const CUatomicOperation* operations, unsigned count) {
    if (capabilities == nullptr || operations == nullptr || count == 0) return CUDA_ERROR_INVALID_VALUE;
    std::fill_n(capabilities, count, 0u);  // also if it refuses an operation
    const bool are_known = std::all_of(operations, operations + count, [](auto each) { return each < CU_ATOMIC_OPERATION_MAX; });
    return are_known ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

}  // namespace

extern "C" {

// All devices can access each other's memory. A device is no peer of itself.
CUresult sim_cuDeviceCanAccessPeer(int* canAccessPeer, CUdevice dev, CUdevice peerDev) {
    const Valid<DeviceCheck> device(dev);
    if (find_device(peerDev) == nullptr) return CUDA_ERROR_INVALID_DEVICE;
    return write_output(canAccessPeer, dev != peerDev ? 1 : 0);
}

CUresult sim_cuDeviceGetP2PAttribute(int* value, CUdevice_P2PAttribute attrib, CUdevice srcDevice, CUdevice dstDevice) {
    const Valid<DeviceCheck> device(srcDevice);
    if (find_device(dstDevice) == nullptr || srcDevice == dstDevice) return CUDA_ERROR_INVALID_DEVICE;
    switch (attrib) {
        case CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK:
            return write_output(value, 0);
        case CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED:
        case CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED:
        case CU_DEVICE_P2P_ATTRIBUTE_CUDA_ARRAY_ACCESS_SUPPORTED:
            return write_output(value, 1);
        case CU_DEVICE_P2P_ATTRIBUTE_ONLY_PARTIAL_NATIVE_ATOMIC_SUPPORTED:
            return machine().release >= partial_atomics_release ? write_output(value, 0) : CUDA_ERROR_INVALID_VALUE;
        default:
            return CUDA_ERROR_INVALID_VALUE;
    }
}

// A device cannot access host memory atomically, see CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED.
CUresult sim_cuDeviceGetHostAtomicCapabilities(unsigned int* capabilities, const CUatomicOperation* operations,
                                               unsigned int count, CUdevice dev) {
    const Valid<DeviceCheck> device(dev);
    return report_no_atomics(capabilities, operations, count);
}

// No operation, as the driver of CUDA 13.0 says for two H200 that NVLink connects, although it says that atomic operations are
// native, see CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED.
CUresult sim_cuDeviceGetP2PAtomicCapabilities(unsigned int* capabilities, const CUatomicOperation* operations, unsigned int count,
                                              CUdevice srcDevice, CUdevice dstDevice) {
    const Valid<DeviceCheck> device(srcDevice);
    if (find_device(dstDevice) == nullptr || srcDevice == dstDevice) return CUDA_ERROR_INVALID_DEVICE;
    return report_no_atomics(capabilities, operations, count);
}

CUresult sim_cuCtxEnablePeerAccess(CUcontext peerContext, unsigned int Flags) {
    const Valid<CurrentCheck> context;
    const ContextCheck peer(peerContext);
    if (peer.failed()) return CUDA_ERROR_INVALID_CONTEXT;
    if (Flags != 0) return CUDA_ERROR_INVALID_VALUE;
    if (&peer->device == &context->device) return CUDA_ERROR_PEER_ACCESS_UNSUPPORTED;
    const std::lock_guard lock(context->settings_mutex);
    return context->peers.insert(peer->id).second ? CUDA_SUCCESS : CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
}

CUresult sim_cuCtxDisablePeerAccess(CUcontext peerContext) {
    const Valid<CurrentCheck> context;
    const ContextCheck peer(peerContext);
    if (peer.failed()) return CUDA_ERROR_INVALID_CONTEXT;
    const std::lock_guard lock(context->settings_mutex);
    return context->peers.erase(peer->id) != 0 ? CUDA_SUCCESS : CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
