// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <vector>

#include "groups.hpp"

namespace answers {

namespace {

void do_nothing_after_work(CUstream, CUresult, void*) {}

/// Makes the context current during its lifetime, and afterwards none, so that calls between the questions can create objects.
class With {
public:
    explicit With(CUcontext context) { (void)cuCtxSetCurrent(context); }
    With(const With&) = delete;
    With& operator=(const With&) = delete;
    ~With() { (void)cuCtxSetCurrent(nullptr); }
};

template <class Call>
auto in(CUcontext context, Call call) {
    const With scope(context);
    return call();
}

void ask_about_streams_and_events(CUcontext context) {
    const CUstream stream = in(context, [] { return cuStreamCreate(CU_STREAM_NON_BLOCKING).value; });
    const CUevent event = in(context, [] { return cuEventCreate(CU_EVENT_DEFAULT).value; });
    const CUevent shared = in(context, [] { return cuEventCreate(CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING).value; });
    ASK(cuStreamQuery(stream));
    ASK(cuStreamSynchronize(stream));
    ASK(cuStreamGetFlags(stream));
    ASK(cuStreamGetPriority(stream));
    ASK(cuStreamGetCtx(stream));
    ask("cuStreamGetId(stream)", [&] { return cubind::Result<CUresult>{cuStreamGetId(stream).status}; });
    ASK(cuStreamIsCapturing(stream));
    ASK(cuStreamGetCaptureInfo_v1(stream));
    ASK(cuStreamGetAttribute(stream, CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY));
    ASK(cuEventRecord(event, stream));
    ASK(cuEventRecord(shared, stream));
    ASK(cuEventQuery(event));
    ASK(cuEventSynchronize(event));
    ASK(cuEventElapsedTime(event, event));
    ASK(cuEventRecord(event, nullptr));
    ASK(cuStreamWaitEvent(stream, event, 0));
    ASK(cuStreamWaitEvent(nullptr, event, 0));
    ASK(cuLaunchHostFunc(stream, do_nothing, nullptr));
    ASK(cuStreamAddCallback(stream, do_nothing_after_work, nullptr, 0));
    ASK(cuStreamAddCallback(nullptr, do_nothing_after_work, nullptr, 0));
    const auto exported = ASK(cuIpcGetEventHandle(shared));
    const CUipcEventHandle& handle = exported.value;
    ASK(cuIpcOpenEventHandle(handle));
    const CUcontext another = cuCtxCreate_v2(0, 0).value;  // becomes current
    ASK(cuIpcGetEventHandle(shared));
    (void)cuCtxDestroy(another);
    ASK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
    ASK(cuStreamEndCapture(stream));
    ASK(cuStreamSynchronize(CU_STREAM_PER_THREAD));
    ASK(cuEventDestroy(event));
    ASK(cuEventDestroy(shared));
    ASK(cuStreamDestroy(stream));
}

void ask_about_memory_of_a_context(CUcontext context) {
    const CUstream stream = in(context, [] { return cuStreamCreate(CU_STREAM_NON_BLOCKING).value; });
    const CUdeviceptr memory = in(context, [] { return cuMemAlloc(1 << 21).value; });
    void* const pinned = in(context, [] { return cuMemHostAlloc(4096, CU_MEMHOSTALLOC_DEVICEMAP).value; });
    static std::uint32_t host[64] = {};
    ASK(cuMemcpyHtoD(memory, host, 64));
    ASK(cuMemcpyDtoH(host, memory, 64));
    ASK(cuMemcpyDtoD(memory, memory + 64, 64));
    ASK(cuMemcpy(memory, memory + 64, 64));
    ASK(cuMemcpyAsync(memory, memory + 64, 64, stream));
    ASK(cuMemcpyHtoDAsync(memory, pinned, 64, stream));
    ASK(cuMemcpyDtoHAsync(pinned, memory, 64, stream));
    ASK(cuMemcpyAsync(memory, memory + 64, 64, nullptr));
    ASK(cuMemsetD32Async(memory, 7, 16, stream));
    ASK(cuMemsetD32(memory, 7, 16));
    CUDA_MEMCPY2D plane{};
    plane.srcMemoryType = plane.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    plane.srcDevice = memory;
    plane.dstDevice = memory + 4096;
    plane.srcPitch = plane.dstPitch = 64;
    plane.WidthInBytes = 16;
    plane.Height = 4;
    ASK(cuMemcpy2DAsync(&plane, stream));
    ASK(cuMemcpy2D(&plane));
    ASK(cuMemcpy2DAsync(&plane, nullptr));
    CUDA_MEMCPY3D box{};
    box.srcMemoryType = box.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    box.srcDevice = memory;
    box.dstDevice = memory + 4096;
    box.srcPitch = box.dstPitch = 64;
    box.srcHeight = box.dstHeight = 4;
    box.WidthInBytes = 16;
    box.Height = 4;
    box.Depth = 2;
    ASK(cuMemcpy3DAsync(&box, stream));
    ASK(cuMemcpy3D(&box));
    ASK(cuMemsetD2D8Async(memory, 64, 7, 16, 4, stream));
    ASK(cuMemsetD2D8(memory, 64, 7, 16, 4));
    ASK(cuMemcpyPeerAsync(memory, context, memory + 4096, context, 64, stream));
    ASK(cuMemPrefetchAsync_v1(memory, 64, 0, stream));
    ASK(cuStreamWriteValue32(stream, memory, 1, 0));
    ASK(cuStreamWaitValue32(stream, memory, 1, CU_STREAM_WAIT_VALUE_EQ));
    unsigned int kind = 0;
    ASK(cuPointerGetAttribute(&kind, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, memory));
    ASK(cuMemGetAddressRange(memory));
    ASK(cuMemHostGetDevicePointer(pinned, 0));
    ASK(cuMemHostGetFlags(pinned));
    ASK(cuMemHostRegister(host, sizeof host, 0));
    ASK(cuMemHostUnregister(host));
    ASK(cuIpcGetMemHandle(memory));
    ASK(cuStreamSynchronize(stream));
    ASK(cuMemFreeHost(pinned));
    ASK(cuMemFree(memory));
    (void)cuStreamDestroy(stream);
}

void ask_about_pools_and_virtual_memory(CUcontext context) {
    const CUstream stream = in(context, [] { return cuStreamCreate(CU_STREAM_NON_BLOCKING).value; });
    CUmemPoolProps properties{};
    properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    const CUmemoryPool pool = ASK(cuMemPoolCreate(&properties)).value;
    std::uint64_t value = 0;
    ASK(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &value));
    ASK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &value));
    ASK(cuMemPoolGetAccess(pool, &properties.location));
    ASK(cuMemPoolTrimTo(pool, 0));
    ASK(cuDeviceGetDefaultMemPool(0));
    ASK(cuDeviceGetMemPool(0));
    const CUdeviceptr memory = ASK(cuMemAllocFromPoolAsync(256, pool, stream)).value;
    ASK(cuMemAllocFromPoolAsync(256, pool, nullptr));
    ASK(cuMemAllocAsync(256, stream));
    ASK(cuMemFreeAsync(memory, nullptr));
    ASK(cuMemFreeAsync(memory, stream));
    ASK(cuMemFree(in(context, [&] { return cuMemAllocFromPoolAsync(256, pool, stream).value; })));
    ASK(cuMemPoolDestroy(pool));
    CUmemAllocationProp physical{};
    physical.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    physical.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    ASK(cuMemGetAllocationGranularity(&physical, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    const CUmemGenericAllocationHandle allocation = ASK(cuMemCreate(2 << 20, &physical, 0)).value;
    const CUdeviceptr range = ASK(cuMemAddressReserve(2 << 20, 0, 0, 0)).value;
    ASK(cuMemMap(range, 2 << 20, 0, allocation, 0));
    CUmemAccessDesc access{};
    access.location = physical.location;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    ASK(cuMemSetAccess(range, 2 << 20, &access, 1));
    ASK(cuMemGetAccess(&access.location, range));
    ASK(cuMemGetAllocationPropertiesFromHandle(allocation));
    ASK(cuMemsetD8(range, 0, 64));
    ASK(cuMemUnmap(range, 2 << 20));
    ASK(cuMemRelease(allocation));
    ASK(cuMemAddressFree(range, 2 << 20));
    (void)cuStreamDestroy(stream);
}

void ask_about_arrays_and_textures(CUcontext context) {
    const CUDA_ARRAY3D_DESCRIPTOR shape{16, 16, 0, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_SURFACE_LDST};
    ASK(cuArray3DCreate(&shape));
    ASK(cuMipmappedArrayCreate(&shape, 2));
    const CUarray array = in(context, [&] { return cuArray3DCreate(&shape).value; });
    const CUmipmappedArray levels = in(context, [&] { return cuMipmappedArrayCreate(&shape, 2).value; });
    ASK(cuArray3DGetDescriptor(array));
    ASK(cuArrayGetDescriptor(array));
    ASK(cuMipmappedArrayGetLevel(levels, 1));
    ASK(cuMipmappedArrayGetLevel(levels, 7));
    float host[16] = {};
    CUDA_MEMCPY2D plane{};
    plane.srcMemoryType = CU_MEMORYTYPE_HOST;
    plane.srcHost = host;
    plane.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    plane.dstArray = array;
    plane.WidthInBytes = sizeof host;
    plane.Height = 1;
    ASK(cuMemcpy2D(&plane));
    CUDA_RESOURCE_DESC resource{};
    resource.resType = CU_RESOURCE_TYPE_ARRAY;
    resource.res.array.hArray = array;
    const CUDA_TEXTURE_DESC sampling{};
    ASK(cuTexObjectCreate(&resource, &sampling, nullptr));
    ASK(cuSurfObjectCreate(&resource));
    const CUtexObject texture = in(context, [&] { return cuTexObjectCreate(&resource, &sampling, nullptr).value; });
    const CUsurfObject surface = in(context, [&] { return cuSurfObjectCreate(&resource).value; });
    ASK(cuTexObjectGetResourceDesc(texture));
    ASK(cuTexObjectGetTextureDesc(texture));
    ASK(cuSurfObjectGetResourceDesc(surface));
    ASK(cuTexObjectDestroy(texture));
    ASK(cuSurfObjectDestroy(surface));
    ASK(cuMipmappedArrayDestroy(levels));
    ASK(cuArrayDestroy(array));
}

void ask_about_code(CUcontext context) {
    const CUstream stream = in(context, [] { return cuStreamCreate(CU_STREAM_NON_BLOCKING).value; });
    const CUmodule module = in(context, [] { return cuModuleLoadData(ptx).value; });
    ASK(cuModuleGetFunction(module, "nothing"));
    ASK(cuModuleGetGlobal(module, "counter"));
    ASK(cuModuleGetFunctionCount(module));
    const CUfunction function = in(context, [&] { return cuModuleGetFunction(module, "nothing").value; });
    ASK(cuFuncGetAttribute(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function));
    ASK(cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1024));
    ASK(cuFuncGetModule(function));
    ASK(cuFuncGetName(function));
    ASK(cuFuncGetParamInfo(function, 0));
    ASK(cuOccupancyMaxActiveBlocksPerMultiprocessor(function, 128, 0));
    ASK(cuOccupancyMaxPotentialBlockSize(function, nullptr, 0, 0));
    ASK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr));
    ASK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
    const CUlibrary library = ASK(cuLibraryLoadData(ptx, nullptr, nullptr, 0, nullptr, nullptr, 0)).value;
    const CUkernel kernel = ASK(cuLibraryGetKernel(library, "two")).value;
    ASK(cuLibraryGetKernelCount(library));
    ASK(cuLibraryGetGlobal(library, "counter"));
    ASK(cuLibraryGetModule(library));
    ASK(cuKernelGetFunction(kernel));
    ASK(cuKernelGetAttribute(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, kernel, 0));
    ASK(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1024, kernel, 0));
    ASK(cuKernelGetName(kernel));
    ASK(cuKernelGetParamInfo(kernel, 1));
    ASK(cuKernelGetLibrary(kernel));
    const auto as_function = reinterpret_cast<CUfunction>(kernel);
    ASK(cuOccupancyMaxActiveBlocksPerMultiprocessor(as_function, 128, 0));
    CUdeviceptr pointer = 0;
    unsigned int count = 0;
    void* arguments[] = {&pointer, &count};
    ASK(cuLaunchKernel(as_function, 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr));
    ASK(cuStreamSynchronize(stream));
    ASK(cuLibraryUnload(library));
    ASK(cuModuleUnload(module));
    (void)cuStreamDestroy(stream);
}

void ask_about_graphs_of_a_context(CUcontext context) {
    const CUstream stream = in(context, [] { return cuStreamCreate(CU_STREAM_NON_BLOCKING).value; });
    const CUdeviceptr memory = in(context, [] { return cuMemAlloc(4096).value; });
    const CUlibrary library = cuLibraryLoadData(ptx, nullptr, nullptr, 0, nullptr, nullptr, 0).value;
    const CUgraph graph = ASK(cuGraphCreate(0)).value;
    const CUDA_HOST_NODE_PARAMS call{do_nothing, nullptr};
    const CUgraphNode host = ASK(cuGraphAddHostNode(graph, nullptr, 0, &call)).value;
    CUDA_KERNEL_NODE_PARAMS launch{};
    launch.kern = cuLibraryGetKernel(library, "nothing").value;
    launch.gridDimX = launch.gridDimY = launch.gridDimZ = launch.blockDimX = launch.blockDimY = launch.blockDimZ = 1;
    const CUgraph of_no_context = ASK(cuGraphCreate(0)).value;
    ASK(cuGraphAddKernelNode(of_no_context, nullptr, 0, &launch));
    launch.ctx = context;
    const CUgraphNode kernel = ASK(cuGraphAddKernelNode(graph, nullptr, 0, &launch)).value;
    ASK(cuGraphInstantiate(of_no_context, 0));
    ASK(cuGraphKernelNodeGetParams(kernel));
    CUDA_MEMSET_NODE_PARAMS fill{};
    fill.dst = memory;
    fill.elementSize = 4;
    fill.width = 16;
    fill.height = 1;
    const CUgraph other = ASK(cuGraphCreate(0)).value;
    ASK(cuGraphAddMemsetNode(graph, nullptr, 0, &fill, context));
    ASK(cuGraphAddMemsetNode(other, nullptr, 0, &fill, nullptr));
    CUDA_MEMCPY3D copy{};
    copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.srcDevice = memory;
    copy.dstDevice = memory + 2048;
    copy.WidthInBytes = 64;
    copy.Height = copy.Depth = 1;
    ASK(cuGraphAddMemcpyNode(graph, nullptr, 0, &copy, context));
    ASK(cuGraphAddMemcpyNode(other, nullptr, 0, &copy, nullptr));
    CUDA_MEM_ALLOC_NODE_PARAMS allocation{};
    allocation.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    allocation.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    allocation.bytesize = 256;
    ASK(cuGraphAddMemAllocNode(other, nullptr, 0, allocation));
    ask("cuGraphConditionalHandleCreate(graph, nullptr, 0, 0)",
        [&] { return cubind::Result<CUresult>{cuGraphConditionalHandleCreate(graph, nullptr, 0, 0).status}; });
    ask("cuGraphConditionalHandleCreate(graph, context, 0, 0)",
        [&] { return cubind::Result<CUresult>{cuGraphConditionalHandleCreate(graph, context, 0, 0).status}; });
    ASK(cuGraphInstantiate(other, 0));
    ASK(cuGraphInstantiate(graph, 0));
    const CUgraphExec exec = in(context, [&] { return cuGraphInstantiate(graph, 0).value; });
    ASK(cuGraphUpload(exec, stream));
    ASK(cuGraphLaunch(exec, stream));
    ASK(cuGraphExecHostNodeSetParams(exec, host, &call));
    ASK(cuGraphExecKernelNodeSetParams(exec, kernel, &launch));
    ASK(cuGraphNodeSetEnabled(exec, kernel, 0));
    ASK(cuGraphExecUpdate(exec, graph));
    ASK(cuGraphClone(graph));
    const CUgraph with_handle = ASK(cuGraphCreate(0)).value;
    ASK(cuGraphClone(with_handle));
    ask("cuGraphConditionalHandleCreate(with_handle, context, 0, 0)",
        [&] { return cubind::Result<CUresult>{cuGraphConditionalHandleCreate(with_handle, context, 0, 0).status}; });
    ASK(cuGraphClone(with_handle));
    ASK(cuStreamSynchronize(stream));
    ASK(cuGraphExecDestroy(exec));
    ASK(cuGraphDestroy(graph));
    ASK(cuDeviceGraphMemTrim(0));
    std::uint64_t value = 0;
    ASK(cuDeviceGetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, &value));
    int object = 0;
    ASK(cuUserObjectCreate(&object, do_nothing, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
    (void)cuStreamDestroy(stream);
    const CUmodule module = in(context, [] { return cuModuleLoadData(ptx).value; });
    launch.kern = nullptr;
    launch.func = in(context, [&] { return cuModuleGetFunction(module, "nothing").value; });
    ASK(cuGraphAddKernelNode(of_no_context, nullptr, 0, &launch));
    launch.ctx = nullptr;
    ASK(cuGraphAddKernelNode(of_no_context, nullptr, 0, &launch));
}

}  // namespace

void ask_about_objects_without_context() {
    const CUcontext context = use_device();
    (void)cuCtxSetCurrent(nullptr);
    ask_about_streams_and_events(context);
    ask_about_memory_of_a_context(context);
    ask_about_pools_and_virtual_memory(context);
    ask_about_arrays_and_textures(context);
    ask_about_code(context);
    ask_about_graphs_of_a_context(context);
}

}  // namespace answers
