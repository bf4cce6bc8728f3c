// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "state/call.hpp"

namespace CUBIND_NAMESPACE::sim::cudart {

namespace {

constexpr unsigned int device_flags =
    cudaDeviceScheduleMask | cudaDeviceMapHost | cudaDeviceLmemResizeToMax | cudaDeviceSyncMemops;

bool is_device(int device) noexcept {
    return device >= 0 && device < device_count();
}

// Returns the driver's flags, which have the same values. cudaDeviceMapHost is always enabled, and is not passed to the driver.
unsigned int context_flags(unsigned int flags) noexcept {
    return flags & ~static_cast<unsigned int>(cudaDeviceMapHost);
}

cudaError_t set_flags(int device, unsigned int flags) {
    const unsigned int schedule = flags & cudaDeviceScheduleMask;
    if ((flags & ~device_flags) != 0 || (schedule & (schedule - 1)) != 0) return cudaErrorInvalidValue;
    return call(cuDevicePrimaryCtxSetFlags_v2, device, context_flags(flags));
}

}  // namespace

extern "C" {

cudaError_t sim_cudaGetDeviceCount(int* count) {
    if (count == nullptr) return cudaErrorInvalidValue;
    *count = 0;
    return call(cuDeviceGetCount, count);
}

cudaError_t sim_cudaGetDevice(int* device) {
    if (device == nullptr) return cudaErrorInvalidValue;
    return current_device(*device);
}

cudaError_t sim_cudaSetDevice(int device) {
    if (const cudaError_t status = initialize()) return status;
    return is_device(device) ? bind_device(device) : cudaErrorInvalidDevice;
}

// Unknown flags are ignored. The context of the thread's device becomes current, those of other devices do not.
cudaError_t sim_cudaInitDevice(int device, unsigned int deviceFlags, unsigned int flags) {
    if (const cudaError_t status = initialize()) return status;
    if (!is_device(device)) return cudaErrorInvalidDevice;
    if ((flags & cudaInitDeviceFlagsAreValid) != 0) {
        if (const cudaError_t status = set_flags(device, deviceFlags)) return status;
    }
    CUcontext context = nullptr;
    const bool is_selected = cuCtxGetCurrent(&context) == CUDA_SUCCESS && context == nullptr && device == thread_state.device;
    return is_selected ? bind_device(device) : retain_primary(device, context);
}

cudaError_t sim_cudaSetDeviceFlags(unsigned int flags) {
    int device = 0;
    if (const cudaError_t status = current_device(device)) return status;
    return set_flags(device, flags);
}

// As in NVIDIA's library, cudaDeviceMapHost is missing while another context or a destroyed context is current.
cudaError_t sim_cudaGetDeviceFlags(unsigned int* flags) {
    int device = 0;
    int is_active = 0;
    if (flags == nullptr) return cudaErrorInvalidValue;
    if (const cudaError_t status = current_device(device)) return status;
    const cudaError_t status = call(cuDevicePrimaryCtxGetState, device, flags, &is_active);
    if (status == cudaSuccess && uses_primary_context(device)) *flags |= cudaDeviceMapHost;
    return status;
}

// A simulated device is never busy, so the first device of the list is always usable. It is selected at once.
cudaError_t sim_cudaSetValidDevices(int* device_arr, int len) {
    if (const cudaError_t status = initialize()) return status;
    if (len < 0 || len > device_count()) return cudaErrorInvalidValue;
    if (len == 0 || device_arr == nullptr) {
        thread_state.device = 0;
        return len == 0 ? cudaSuccess : cudaErrorInvalidValue;
    }
    for (int index = 0; index < len; ++index) {
        if (!is_device(device_arr[index])) return cudaErrorInvalidDevice;
    }
    thread_state.device = device_arr[0];
    return cudaSuccess;
}

// All simulated devices have the same properties, so device 0 always matches best.
cudaError_t sim_cudaChooseDevice(int* device, const cudaDeviceProp* prop) {
    if (device == nullptr || prop == nullptr) return cudaErrorInvalidValue;
    *device = 0;
    return initialize();
}

cudaError_t sim_cudaDeviceReset() {
    int device = 0;
    if (const cudaError_t status = current_device(device)) return status;
    return reset_device(device);
}

cudaError_t sim_cudaDeviceSynchronize() {
    return call_in_context(cuCtxSynchronize);
}

cudaError_t sim_cudaDeviceGetByPCIBusId(int* device, const char* pciBusId) {
    return call(cuDeviceGetByPCIBusId, device, pciBusId);
}

cudaError_t sim_cudaDeviceGetPCIBusId(char* pciBusId, int len, int device) {
    return call(cuDeviceGetPCIBusId, pciBusId, len, device);
}

cudaError_t sim_cudaDeviceCanAccessPeer(int* canAccessPeer, int device, int peerDevice) {
    return call(cuDeviceCanAccessPeer, canAccessPeer, device, peerDevice);
}

cudaError_t sim_cudaDeviceEnablePeerAccess(int peerDevice, unsigned int flags) {
    CUcontext peer = nullptr;
    if (const cudaError_t status = bind_context()) return status;
    if (const cudaError_t status = retain_primary(peerDevice, peer)) return status;
    return status_of(cuCtxEnablePeerAccess(peer, flags));
}

cudaError_t sim_cudaDeviceDisablePeerAccess(int peerDevice) {
    if (const cudaError_t status = bind_context()) return status;
    CUcontext peer = nullptr;
    if (const cudaError_t status = retain_primary(peerDevice, peer)) return status;
    return status_of(cuCtxDisablePeerAccess(peer));
}

cudaError_t sim_cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attr, int srcDevice, int dstDevice) {
    return call(cuDeviceGetP2PAttribute, value, attr, srcDevice, dstDevice);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim::cudart
