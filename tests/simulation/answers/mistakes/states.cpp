// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Objects in a state that does not allow a call, and memory that was freed.
#include "mistakes/groups.hpp"

namespace answers {

namespace {

void ask_about_events(CUstream stream) {
    const CUevent never = cuEventCreate(CU_EVENT_DEFAULT).value;
    const CUevent recorded = cuEventCreate(CU_EVENT_DEFAULT).value;
    const CUevent untimed = cuEventCreate(CU_EVENT_DISABLE_TIMING).value;
    ASK(cuEventRecord(recorded, stream));
    ASK(cuEventRecord(untimed, stream));
    ASK(cuStreamSynchronize(stream));
    ASK(cuEventQuery(never));
    ASK(cuEventSynchronize(never));
    ASK(cuStreamWaitEvent(stream, never, 0));
    ASK(cuEventElapsedTime(recorded, never));
    ASK(cuEventElapsedTime(never, recorded));
    ASK(cuEventElapsedTime(recorded, untimed));
    ASK(cuEventElapsedTime(recorded, nullptr));
    ASK(cuEventRecord(nullptr, stream));
    ASK(cuEventDestroy(nullptr));
}

// A graph whose memory is freed by no node of it.
void ask_about_graph_memory(CUstream stream) {
    CUDA_MEM_ALLOC_NODE_PARAMS parameters{};
    parameters.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    parameters.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    parameters.bytesize = 4096;
    const CUgraph graph = cuGraphCreate(0).value;
    const CUdeviceptr memory = cubind::get<2>(cuGraphAddMemAllocNode(graph, nullptr, 0, parameters)).dptr;
    ask("cuMemsetD8 of memory of a graph before a launch", [&] { return cuMemsetD8(memory, 0, 16); });
    ask("cuMemFree of memory of a graph before a launch", [&] { return cuMemFree(memory); });
    ask("cuMemFreeAsync of memory of a graph before a launch", [&] { return cuMemFreeAsync(memory, stream); });
    const CUgraphExec executable = ASK(cuGraphInstantiate(graph, 0)).value;
    ask("cuGraphInstantiate of a graph with memory again", [&] { return cuGraphInstantiate(graph, 0); });
    ASK(cuGraphLaunch(executable, stream));
    ask("cuGraphLaunch while its memory is allocated", [&] { return cuGraphLaunch(executable, stream); });
    ASK(cuStreamSynchronize(stream));
    ask("cuMemsetD8 of memory of a graph", [&] { return cuMemsetD8(memory, 0, 16); });
    ask("cuMemFreeAsync of memory of a graph", [&] { return cuMemFreeAsync(memory, stream); });
    ask("cuMemFreeAsync of memory of a graph again", [&] { return cuMemFreeAsync(memory, stream); });
    ask("cuGraphLaunch after its memory was freed", [&] { return cuGraphLaunch(executable, stream); });
    ask("cuGraphClone of a graph with memory", [&] { return cuGraphClone(graph); });
    ASK(cuStreamSynchronize(stream));
}

void ask_about_mappings() {
    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    const CUmemGenericAllocationHandle memory = cuMemCreate(unit, &properties, 0).value;
    const CUdeviceptr address = cuMemAddressReserve(unit, 0, 0, 0).value;
    const auto about = [&](const char* state) {
        const std::string where = std::string(" of ") + state;
        int host = 0;
        ask(("cuMemsetD8" + where).c_str(), [&] { return cuMemsetD8(address, 0, 16); });
        ask(("cuMemcpyDtoH" + where).c_str(), [&] { return cuMemcpyDtoH(&host, address, sizeof host); });
        ask(("cuMemcpyHtoD" + where).c_str(), [&] { return cuMemcpyHtoD(address, &host, sizeof host); });
        ask(("cuMemGetAddressRange" + where).c_str(), [&] { return cuMemGetAddressRange(address); });
        ask(("cuMemFree" + where).c_str(), [&] { return cuMemFree(address); });
    };
    const auto set_access = [&](CUmemAccess_flags flags) {
        const CUmemAccessDesc access{properties.location, flags};
        return cuMemSetAccess(address, unit, &access, 1);
    };
    about("reserved addresses");
    ask("cuMemSetAccess of reserved addresses", [&] { return set_access(CU_MEM_ACCESS_FLAGS_PROT_READWRITE); });
    ASK(cuMemMap(address, unit, 0, memory, 0));
    about("a mapping without access");
    ask("cuMemSetAccess for reads", [&] { return set_access(CU_MEM_ACCESS_FLAGS_PROT_READ); });
    about("a mapping for reads");
    ask("cuMemSetAccess for reads and writes", [&] { return set_access(CU_MEM_ACCESS_FLAGS_PROT_READWRITE); });
    ask("cuMemAddressFree of a mapping", [&] { return cuMemAddressFree(address, unit); });
    ASK(cuMemRelease(memory));
    ask("cuMemsetD8 of a mapping whose handle was released", [&] { return cuMemsetD8(address, 0, 16); });
    ASK(cuMemUnmap(address, unit));
    about("an ended mapping");
}

}  // namespace

void ask_about_wrong_states() {
    use_device();
    const CUstream stream = cuStreamCreate(CU_STREAM_NON_BLOCKING).value;
    ask_about_events(stream);
    ask_about_graph_memory(stream);
    ask_about_mappings();
    static char host[8192];
    ASK(cuMemHostUnregister(host));
    ASK(cuMemFreeHost(host));
    ASK(cuMemHostGetDevicePointer(host, 0));
    ASK(cuCtxDisablePeerAccess(cuCtxGetCurrent().value));
}

void ask_about_unfinished_work() {
    use_device();
    const CUstream stream = cuStreamCreate(CU_STREAM_NON_BLOCKING).value;
    const CUstream other = cuStreamCreate(CU_STREAM_NON_BLOCKING).value;
    const CUevent before = cuEventCreate(CU_EVENT_DEFAULT).value;
    const CUevent after = cuEventCreate(CU_EVENT_DEFAULT).value;
    const CUdeviceptr memory = cuMemAlloc(64).value;
    ASK(cuMemsetD32(memory, 0, 16));
    ASK(cuEventRecord(before, stream));
    ASK(cuStreamWaitValue32(stream, memory, 1, CU_STREAM_WAIT_VALUE_EQ));
    ASK(cuEventRecord(after, stream));
    ASK(cuStreamQuery(stream));
    ASK(cuEventQuery(after));
    ASK(cuEventElapsedTime(before, after));
    ASK(cuStreamQuery(other));
    ASK(cuStreamWriteValue32(other, memory, 1, 0));
    ASK(cuStreamSynchronize(stream));
    ASK(cuStreamQuery(stream));
    ASK(cuEventQuery(after));
    ASK(cuEventElapsedTime(before, after));
}

void ask_about_freed_memory() {
    use_device();
    const CUstream stream = cuStreamCreate(CU_STREAM_NON_BLOCKING).value;
    const auto about = [&](const char* kind, CUdeviceptr freed) {
        const std::string where = std::string(" of ") + kind;
        int host = 0;
        ask(("cuMemsetD8" + where).c_str(), [&] { return cuMemsetD8(freed, 0, 16); });
        ask(("cuMemsetD8Async" + where).c_str(), [&] { return cuMemsetD8Async(freed, 0, 16, stream); });
        ask(("cuMemcpyHtoD" + where).c_str(), [&] { return cuMemcpyHtoD(freed, &host, sizeof host); });
        ask(("cuMemcpyDtoH" + where).c_str(), [&] { return cuMemcpyDtoH(&host, freed, sizeof host); });
        ask(("cuMemcpyDtoHAsync" + where).c_str(), [&] { return cuMemcpyDtoHAsync(&host, freed, sizeof host, stream); });
        ask(("cuMemGetAddressRange" + where).c_str(), [&] { return cuMemGetAddressRange(freed); });
        ask(("cuStreamWriteValue32" + where).c_str(), [&] { return cuStreamWriteValue32(stream, freed, 1, 0); });
        ask(("cuMemFree" + where).c_str(), [&] { return cuMemFree(freed); });
        ask(("cuMemFreeAsync" + where).c_str(), [&] { return cuMemFreeAsync(freed, stream); });
        ask(("cuStreamSynchronize after calls" + where).c_str(), [&] { return cuStreamSynchronize(stream); });
    };
    const CUdeviceptr plain = cuMemAlloc(32 * unit).value;  // more than the driver keeps for small allocations
    ask("cuMemFree within an allocation", [&] { return cuMemFree(plain + 16); });
    ask("cuMemFreeHost of device memory", [&] { return cuMemFreeHost(reinterpret_cast<void*>(plain)); });
    ask("cuMemFreeAsync within an allocation", [&] { return cuMemFreeAsync(plain + 16, stream); });
    ASK(cuMemFree(plain));
    about("freed memory", plain);
    const CUdeviceptr managed = cuMemAllocManaged(32 * unit, CU_MEM_ATTACH_GLOBAL).value;
    ASK(cuMemFree(managed));
    about("freed managed memory", managed);
    const auto pitched = cuMemAllocPitch(1 << 16, 1 << 10, 4);
    ASK(cuMemFree(pitched.value1));
    about("freed pitched memory", pitched.value1);
    void* const pinned = cuMemHostAlloc(32 * unit, 0).value;
    const CUdeviceptr address = reinterpret_cast<CUdeviceptr>(pinned);
    ask("cuMemFree of pinned memory", [&] { return cuMemFree(address); });
    ask("cuMemHostUnregister of pinned memory", [&] { return cuMemHostUnregister(pinned); });
    ASK(cuMemFreeHost(pinned));
    ask("cuMemFreeHost of freed pinned memory", [&] { return cuMemFreeHost(pinned); });
    ask("cuMemsetD8 of freed pinned memory", [&] { return cuMemsetD8(address, 0, 16); });
    ask("cuMemHostGetDevicePointer of freed pinned memory", [&] { return cuMemHostGetDevicePointer(pinned, 0); });
    // Memory of a pool whose free is complete. The pool gives it back to the device.
    const CUdeviceptr of_pool = cuMemAllocAsync(32 * unit, stream).value;
    ASK(cuMemFreeAsync(of_pool, stream));
    ASK(cuStreamSynchronize(stream));
    ASK(cuMemPoolTrimTo(cuDeviceGetDefaultMemPool(0).value, 0));
    about("freed memory of a pool", of_pool);
}

}  // namespace answers
