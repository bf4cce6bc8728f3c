// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>

#include "groups.hpp"

namespace answers {

void ask_about_initialization() {
    ASK(cuDriverGetVersion());
    ASK(cuDeviceGetCount());
    ASK(cuDeviceGet(0));
    ASK(cuDeviceGetAttribute(CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0));
    ASK(cuCtxGetCurrent());
    ASK(cuCtxSynchronize());
    ASK(cuMemAlloc(64));
    ASK(cuStreamCreate(0));
    ASK(cuEventCreate(0));
    ASK(cuGraphCreate(0));
    ASK(cuMemHostAlloc(64, 0));
    ASK(cuModuleLoadData(ptx));
    ASK(cuDevicePrimaryCtxRetain(0));
    ASK(cuGetErrorName(CUDA_SUCCESS));
    ASK(cuMemFree(0));
    ASK(cuMemFreeHost(nullptr));
    ASK(cuCtxSetCurrent(nullptr));
    ASK(cuInit(1));
    ASK(cuInit(0));
    ASK(cuInit(0));
    ASK(cuDeviceGet(0));
    ASK(cuInit(2));
}

void ask_about_entries() {
    static const char* const exported[] = {"cuInit",
                                           "cuProfilerStart",
                                           "cuProfilerStop",
                                           "cuProfilerInitialize",
                                           "cuGLCtxCreate",
                                           "cuGLCtxCreate_v2",
                                           "cuGLInit",
                                           "cuGLGetDevices",
                                           "cuGLGetDevices_v2",
                                           "cuGLRegisterBufferObject",
                                           "cuGLMapBufferObject",
                                           "cuGLMapBufferObject_v2",
                                           "cuGLMapBufferObject_v2_ptds",
                                           "cuGLMapBufferObjectAsync",
                                           "cuGLMapBufferObjectAsync_v2",
                                           "cuGLMapBufferObjectAsync_v2_ptsz",
                                           "cuGLUnmapBufferObject",
                                           "cuGLUnmapBufferObjectAsync",
                                           "cuGLUnregisterBufferObject",
                                           "cuGLSetBufferObjectMapFlags",
                                           "cuGraphicsGLRegisterBuffer",
                                           "cuGraphicsGLRegisterImage",
                                           "cuEGLStreamConsumerConnect",
                                           "cuEGLStreamConsumerConnectWithFlags",
                                           "cuEGLStreamConsumerDisconnect",
                                           "cuEGLStreamConsumerAcquireFrame",
                                           "cuEGLStreamConsumerReleaseFrame",
                                           "cuEGLStreamProducerConnect",
                                           "cuEGLStreamProducerDisconnect",
                                           "cuEGLStreamProducerPresentFrame",
                                           "cuEGLStreamProducerReturnFrame",
                                           "cuEventCreateFromEGLSync",
                                           "cuGraphicsEGLRegisterImage",
                                           "cuGraphicsResourceGetMappedEglFrame",
                                           "cuVDPAUCtxCreate",
                                           "cuVDPAUCtxCreate_v2",
                                           "cuVDPAUGetDevice",
                                           "cuGraphicsVDPAURegisterVideoSurface",
                                           "cuGraphicsVDPAURegisterOutputSurface",
                                           "cuWGLGetDevice",
                                           "cuD3D9GetDevice",
                                           "cuNothing"};
    void* const library = ::dlopen("libcuda.so.1", RTLD_NOW);
    for (const char* const name : exported) report((std::string("dlsym ") + name).c_str(), ::dlsym(library, name));
    ASK(cuInit(0));
    ASK(cuGetProcAddress("cuMemAlloc", 12000, 0));
    ASK(cuGetProcAddress("cuMemAlloc", 2000, 0));
    ASK(cuGetProcAddress("cuMemAlloc", 1000, 0));
    ASK(cuGetProcAddress("cuMemAlloc_v2", 12000, 0));
    ASK(cuGetProcAddress("cuStreamSynchronize", 12000, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM));
    ASK(cuGetProcAddress("cuStreamSynchronize", 12000, CU_GET_PROC_ADDRESS_LEGACY_STREAM));
    ASK(cuGetProcAddress("cuStreamSynchronize", 12000, 3));
    ASK(cuGetProcAddress("cuStreamSynchronize", 12000, 8));
    ASK(cuGetProcAddress("cuNothing", 12000, 0));
    ASK(cuGetProcAddress("", 12000, 0));
    ASK(cuGetProcAddress(nullptr, 12000, 0));
    ASK(cuGetProcAddress("cuGreenCtxCreate", 12000, 0));
    ASK(cuGetProcAddress("cuGreenCtxCreate", 12040, 0));
    ASK(cuGetProcAddress("cuGraphAddNode", 12020, 0));
    ASK(cuGetProcAddress("cuProfilerStart", 12000, 0));
    ASK(cuGetProcAddress("cuGLGetDevices", 12000, 0));
    ASK(cuGetProcAddress("cuInit", 99000, 0));
    ASK(cuGetProcAddress("cuInit", -1, 0));
    ASK(cuGetProcAddress_v1("cuMemAlloc", 12000, 0));
    ASK(cuGetProcAddress_v1("cuNothing", 12000, 0));
    const CUuuid id{};
    ASK(cuGetExportTable(&id));
    ASK(cuGetExportTable(nullptr));
}

}  // namespace answers
