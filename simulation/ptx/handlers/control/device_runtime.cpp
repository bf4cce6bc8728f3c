// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// The functions of the device runtime.
#include "ptx/handlers/control/device_runtime.hpp"

#include <cubind/driver/constants.hpp>

#include <cstring>

#include "ptx/run/device_runtime.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

namespace {

constexpr std::uint64_t per_thread_stream = 2;

/// A call with the runtime of its grid.
class RuntimeCall : public BuiltinCall {
public:
    using BuiltinCall::BuiltinCall;

    DeviceRuntime& runtime() const {
        DeviceRuntime* const found = warp.block.grid->request.runtime;
        if (found != nullptr) return *found;
        fail(driver::CUDA_ERROR_NOT_SUPPORTED, "function " + warp.call().program->name + " needs a launch by the driver");
    }
    CallingThread thread() const { return {warp.block.linear_index, warp.index * warp_size + lane}; }
    std::string kernel() const { return warp.block.grid->request.kernel->name; }

    Extent3 extent(std::size_t offset) const {
        return {parameter<std::uint32_t>(offset), parameter<std::uint32_t>(offset + 4), parameter<std::uint32_t>(offset + 8)};
    }
    /// Returns the stream parameter at this offset. If `is_per_thread`, the null stream is the default stream of the thread.
    std::uint64_t stream(std::size_t offset, bool is_per_thread) const {
        const auto handle = parameter<std::uint64_t>(offset);
        return handle == 0 && is_per_thread ? per_thread_stream : handle;
    }
    void set_error(DeviceError error) const { set_result(static_cast<std::int32_t>(runtime().set_error(thread(), error))); }
    /// Writes a value to the address that the parameter at `offset` has, and returns success.
    template <class Value>
    void write_output(std::size_t offset, Value value) const {
        const auto address = parameter<std::uint64_t>(offset);
        if (address == 0) return set_error(DeviceError::invalid_value);
        write(address, value);
        set_error(DeviceError::none);
    }
};

/// The handler that calls a function for each thread.
template <std::size_t parameters, std::size_t result, void (*function)(const RuntimeCall&)>
const Instruction* run(Warp& warp, const Instruction*) {
    return for_each_thread<RuntimeCall>(warp, parameters, result, function);
}

/// The same for functions that submit work. The block pauses, so that the work can run before the block continues.
template <std::size_t parameters, void (*function)(const RuntimeCall&)>
const Instruction* submit(Warp& warp, const Instruction*) {
    const Instruction* const next = for_each_thread<RuntimeCall>(warp, parameters, 4, function);
    warp.block.give_way();
    return warp.pause(next);
}

// void* GetParameterBufferV2(void* kernel, dim3 grid, dim3 block, unsigned shared)
void prepare(const RuntimeCall& call) {
    call.set_result(call.runtime().prepare(call.thread(), call.parameter<std::uint64_t>(0), call.extent(8), call.extent(20),
                                           call.parameter<std::uint32_t>(32)));
}

// void* GetParameterBuffer(size_t alignment, size_t bytes)
void prepare_bytes(const RuntimeCall& call) {
    constexpr std::uint64_t max_alignment = 64;  // of the memory
    const auto alignment = call.parameter<std::uint64_t>(0);
    const auto bytes = alignment <= max_alignment ? call.parameter<std::uint64_t>(8) : ~std::uint64_t{0};
    call.set_result(call.runtime().prepare(call.thread(), static_cast<std::size_t>(bytes)));
}

// cudaError_t LaunchDeviceV2(void* buffer, cudaStream_t stream)
template <bool is_per_thread>
void launch(const RuntimeCall& call) {
    call.set_error(call.runtime().launch(call.thread(), call.parameter<std::uint64_t>(0), call.stream(8, is_per_thread)));
}

// cudaError_t LaunchDevice(void* kernel, void* buffer, dim3 grid, dim3 block, unsigned shared, cudaStream_t stream)
template <bool is_per_thread>
void launch_kernel(const RuntimeCall& call) {
    const auto buffer = call.parameter<std::uint64_t>(8);
    DeviceError error = call.runtime().set_kernel(call.thread(), buffer, call.parameter<std::uint64_t>(0), call.extent(16),
                                                  call.extent(28), call.parameter<std::uint32_t>(40));
    if (error == DeviceError::none) error = call.runtime().launch(call.thread(), buffer, call.stream(48, is_per_thread));
    call.set_error(error);
}

// cudaError_t GetLastError(), cudaError_t PeekAtLastError()
template <bool is_reset>
void last_error(const RuntimeCall& call) {
    call.set_result(static_cast<std::int32_t>(call.runtime().last_error(call.thread(), is_reset)));
}

// const char* GetErrorName(cudaError_t error)
template <const char* (*text_of)(DeviceError)>
void error_text(const RuntimeCall& call) {
    call.set_result(reinterpret_cast<std::uint64_t>(text_of(static_cast<DeviceError>(call.parameter<std::int32_t>(0)))));
}

// cudaError_t StreamCreateWithFlags(cudaStream_t* stream, unsigned flags), cudaError_t EventCreateWithFlags(...)
template <DeviceError (DeviceRuntime::*create_object)(const CallingThread&, unsigned, std::uint64_t&)>
void create(const RuntimeCall& call) {
    std::uint64_t handle = 0;
    const DeviceError error = (call.runtime().*create_object)(call.thread(), call.parameter<std::uint32_t>(8), handle);
    if (error != DeviceError::none) return call.set_error(error);
    call.write_output(0, handle);
}

// cudaError_t StreamDestroy(cudaStream_t stream), cudaError_t EventDestroy(cudaEvent_t event)
template <DeviceError (DeviceRuntime::*destroy_object)(const CallingThread&, std::uint64_t)>
void destroy(const RuntimeCall& call) {
    call.set_error((call.runtime().*destroy_object)(call.thread(), call.parameter<std::uint64_t>(0)));
}

// cudaError_t EventRecord(cudaEvent_t event, cudaStream_t stream)
template <bool is_per_thread>
void record(const RuntimeCall& call) {
    call.set_error(call.runtime().record(call.thread(), call.parameter<std::uint64_t>(0), call.stream(8, is_per_thread)));
}

// cudaError_t StreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
template <bool is_per_thread>
void wait(const RuntimeCall& call) {
    call.set_error(call.runtime().wait(call.thread(), call.stream(0, is_per_thread), call.parameter<std::uint64_t>(8)));
}

// cudaError_t Malloc(void** address, size_t bytes)
void allocate(const RuntimeCall& call) {
    const std::uint64_t address = call.warp.block.grid->heap().allocate(call.parameter<std::uint64_t>(8));
    if (address == 0) return call.set_error(DeviceError::memory_allocation);
    call.write_output(0, address);
}

// cudaError_t Free(void* address)
void release(const RuntimeCall& call) {
    const auto address = call.parameter<std::uint64_t>(0);
    const bool is_valid = address == 0 || call.warp.block.grid->heap().free(address);
    call.set_error(is_valid ? DeviceError::none : DeviceError::invalid_value);
}

/// Rows of bytes in global memory.
struct Rows {
    std::uint64_t begin = 0;
    std::uint64_t pitch = 0;
};

/// An operation on memory that a stream runs.
struct MemoryOperation {
    GlobalMemory* memory;
    std::string what;  ///< for messages
    Rows to;
    Rows from;
    bool is_fill = false;
    int value = 0;
    std::uint64_t width = 0;
    std::uint64_t height = 1;

    GridResult operator()() const {
        for (std::uint64_t row = 0; width != 0 && row < height; ++row) {
            const std::uint64_t target = to.begin + row * to.pitch;
            const std::uint64_t source = from.begin + row * from.pitch;
            if (!is_valid(target, true)) return refuse(target);
            if (!is_fill && !is_valid(source, false)) return refuse(source);
            if (is_fill) {
                std::memset(reinterpret_cast<void*>(target), value, static_cast<std::size_t>(width));
            } else {
                std::memmove(reinterpret_cast<void*>(target), reinterpret_cast<const void*>(source),
                             static_cast<std::size_t>(width));
            }
        }
        return {};
    }

private:
    bool is_valid(std::uint64_t address, bool is_write) const {
        MemoryRange range;
        return memory->find(address, range) && range.contains(address, width) && !(is_write && range.is_read_only);
    }
    GridResult refuse(std::uint64_t address) const {
        char text[64];
        std::snprintf(text, sizeof text, " at address 0x%llx", static_cast<unsigned long long>(address));
        MemoryRange range;
        const bool is_read_only = memory->find(address, range) && range.contains(address, width);
        const std::string why = is_read_only ? " writes to memory that is read-only" : memory->describe(address);
        return {driver::CUDA_ERROR_ILLEGAL_ADDRESS, what + text + why};
    }
};

MemoryOperation operation_of(const RuntimeCall& call, const char* name, Rows to, Rows from, std::uint64_t width,
                             std::uint64_t height) {
    return {.memory = call.warp.block.grid->request.memory,
            .what = std::string(name) + " of kernel " + call.kernel(),
            .to = to,
            .from = from,
            .width = width,
            .height = height};
}

void submit_operation(const RuntimeCall& call, MemoryOperation operation, std::uint64_t stream) {
    call.set_error(call.runtime().submit(call.thread(), std::move(operation), stream));
}

// cudaMemcpyHostToHost is the only kind of copy that an H200 rejects.
bool is_host_to_host(const RuntimeCall& call, std::uint32_t offset) {
    constexpr std::int32_t host_to_host = 0;
    return call.parameter<std::int32_t>(offset) == host_to_host;
}

// cudaError_t MemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream)
template <bool is_per_thread>
void copy(const RuntimeCall& call) {
    if (is_host_to_host(call, 24)) return call.set_error(DeviceError::invalid_memcpy_direction);
    submit_operation(call,
                     operation_of(call, "cudaMemcpyAsync", {call.parameter<std::uint64_t>(0), 0},
                                  {call.parameter<std::uint64_t>(8), 0}, call.parameter<std::uint64_t>(16), 1),
                     call.stream(32, is_per_thread));
}

// cudaError_t Memcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
//                           cudaMemcpyKind kind, cudaStream_t stream)
template <bool is_per_thread>
void copy_rows(const RuntimeCall& call) {
    const Rows to{call.parameter<std::uint64_t>(0), call.parameter<std::uint64_t>(8)};
    const Rows from{call.parameter<std::uint64_t>(16), call.parameter<std::uint64_t>(24)};
    const auto width = call.parameter<std::uint64_t>(32);
    if (is_host_to_host(call, 48)) return call.set_error(DeviceError::invalid_memcpy_direction);
    if (width > to.pitch || width > from.pitch) return call.set_error(DeviceError::invalid_value);
    submit_operation(call, operation_of(call, "cudaMemcpy2DAsync", to, from, width, call.parameter<std::uint64_t>(40)),
                     call.stream(56, is_per_thread));
}

// cudaError_t MemsetAsync(void* to, int value, size_t bytes, cudaStream_t stream)
template <bool is_per_thread>
void fill(const RuntimeCall& call) {
    MemoryOperation operation =
        operation_of(call, "cudaMemsetAsync", {call.parameter<std::uint64_t>(0), 0}, {}, call.parameter<std::uint64_t>(16), 1);
    operation.is_fill = true;
    operation.value = call.parameter<std::int32_t>(8);
    submit_operation(call, std::move(operation), call.stream(24, is_per_thread));
}

// cudaError_t Memset2DAsync(void* to, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream)
template <bool is_per_thread>
void fill_rows(const RuntimeCall& call) {
    const Rows to{call.parameter<std::uint64_t>(0), call.parameter<std::uint64_t>(8)};
    const auto width = call.parameter<std::uint64_t>(24);
    if (width > to.pitch) return call.set_error(DeviceError::invalid_value);
    MemoryOperation operation = operation_of(call, "cudaMemset2DAsync", to, {}, width, call.parameter<std::uint64_t>(32));
    operation.is_fill = true;
    operation.value = call.parameter<std::int32_t>(16);
    submit_operation(call, std::move(operation), call.stream(40, is_per_thread));
}

// cudaError_t DeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device)
void get_attribute(const RuntimeCall& call) {
    const auto device = call.parameter<std::int32_t>(12);
    if (device < 0 || device >= call.runtime().host().device_count()) return call.set_error(DeviceError::invalid_device);
    const auto value = call.runtime().host().find_attribute(device, call.parameter<std::int32_t>(8));
    if (!value) return call.set_error(DeviceError::invalid_value);
    call.write_output(0, *value);
}

// cudaError_t DeviceGetLimit(size_t* value, cudaLimit limit)
void get_limit(const RuntimeCall& call) {
    const auto value = call.runtime().host().find_limit(call.parameter<std::int32_t>(8));
    if (!value) return call.set_error(DeviceError::invalid_value);
    call.write_output(0, std::uint64_t{*value});
}

// cudaError_t GetDevice(int* device), cudaError_t GetDeviceCount(int* count)
template <int (DeviceRuntimeHost::*get)() const>
void get_number(const RuntimeCall& call) {
    call.write_output(0, (call.runtime().host().*get)());
}

// cudaError_t GraphLaunch(cudaGraphExec_t graph, cudaStream_t stream)
void launch_graph(const RuntimeCall& call) {
    const auto stream = static_cast<GraphStream>(call.parameter<std::uint64_t>(8));
    const auto error = call.runtime().host().launch_graph(call.parameter<std::uint64_t>(0), stream);
    if (!error) {
        call.fail(driver::CUDA_ERROR_NOT_SUPPORTED, "cudaGraphLaunch of kernel " + call.kernel() +
                                                        " needs a launch of the kernel by a graph, but a stream launched it");
    }
    if (*error == DeviceError::illegal_address) {
        call.fail(driver::CUDA_ERROR_ILLEGAL_ADDRESS,
                  "cudaGraphLaunch of kernel " + call.kernel() +
                      " got a handle of no graph that kernels can launch; a graph must exist, and must "
                      "be instantiated with CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH");
    }
    call.set_error(*error);
}

const Instruction* refuse(Warp& warp, const Instruction*) {
    throw Fault{driver::CUDA_ERROR_NOT_SUPPORTED,
                "function " + warp.call().program->name + " of the device runtime is not supported by the simulation", -1};
}

constexpr Builtin all[] = {
    {"__cudaCDP2GetParameterBufferV2", run<36, 8, prepare>},
    {"__cudaCDP2GetParameterBuffer", run<16, 8, prepare_bytes>},
    {"__cudaCDP2LaunchDeviceV2", submit<16, launch<false>>},
    {"__cudaCDP2LaunchDeviceV2_ptsz", submit<16, launch<true>>},
    {"__cudaCDP2LaunchDevice", submit<56, launch_kernel<false>>},
    {"__cudaCDP2LaunchDevice_ptsz", submit<56, launch_kernel<true>>},
    {"__cudaCDP2GetLastError", run<0, 4, last_error<true>>},
    {"__cudaCDP2PeekAtLastError", run<0, 4, last_error<false>>},
    {"__cudaCDP2GetErrorName", run<4, 8, error_text<name_of>>},
    {"__cudaCDP2GetErrorString", run<4, 8, error_text<describe>>},
    {"__cudaCDP2StreamCreateWithFlags", run<12, 4, create<&DeviceRuntime::create_stream>>},
    {"__cudaCDP2StreamDestroy", run<8, 4, destroy<&DeviceRuntime::destroy_stream>>},
    {"__cudaCDP2StreamWaitEvent", run<20, 4, wait<false>>},
    {"__cudaCDP2StreamWaitEvent_ptsz", run<20, 4, wait<true>>},
    {"__cudaCDP2EventCreateWithFlags", run<12, 4, create<&DeviceRuntime::create_event>>},
    {"__cudaCDP2EventRecord", run<16, 4, record<false>>},
    {"__cudaCDP2EventRecord_ptsz", run<16, 4, record<true>>},
    {"__cudaCDP2EventRecordWithFlags", run<20, 4, record<false>>},
    {"__cudaCDP2EventRecordWithFlags_ptsz", run<20, 4, record<true>>},
    {"__cudaCDP2EventDestroy", run<8, 4, destroy<&DeviceRuntime::destroy_event>>},
    {"__cudaCDP2Malloc", run<16, 4, allocate>},
    {"__cudaCDP2Free", run<8, 4, release>},
    {"__cudaCDP2MemcpyAsync", submit<40, copy<false>>},
    {"__cudaCDP2MemcpyAsync_ptsz", submit<40, copy<true>>},
    {"__cudaCDP2Memcpy2DAsync", submit<64, copy_rows<false>>},
    {"__cudaCDP2Memcpy2DAsync_ptsz", submit<64, copy_rows<true>>},
    {"__cudaCDP2MemsetAsync", submit<32, fill<false>>},
    {"__cudaCDP2MemsetAsync_ptsz", submit<32, fill<true>>},
    {"__cudaCDP2Memset2DAsync", submit<48, fill_rows<false>>},
    {"__cudaCDP2Memset2DAsync_ptsz", submit<48, fill_rows<true>>},
    {"__cudaCDP2DeviceGetAttribute", run<16, 4, get_attribute>},
    {"__cudaCDP2DeviceGetLimit", run<12, 4, get_limit>},
    {"__cudaCDP2GetDevice", run<8, 4, get_number<&DeviceRuntimeHost::device>>},
    {"__cudaCDP2GetDeviceCount", run<8, 4, get_number<&DeviceRuntimeHost::device_count>>},
    {"__cudaCDP2DeviceGetCacheConfig", refuse},
    {"__cudaCDP2DeviceGetSharedMemConfig", refuse},
    {"__cudaCDP2FuncGetAttributes", refuse},
    {"__cudaCDP2Memcpy3DAsync", refuse},
    {"__cudaCDP2Memcpy3DAsync_ptsz", refuse},
    {"__cudaCDP2Memset3DAsync", refuse},
    {"__cudaCDP2Memset3DAsync_ptsz", refuse},
    {"__cudaCDP2OccupancyMaxActiveBlocksPerMultiprocessor", refuse},
    {"__cudaCDP2OccupancyMaxActiveBlocksPerMultiprocessorWithFlags", refuse},
    {"__cudaCDP2RuntimeGetVersion", refuse},
    {"cudaGraphKernelNodeSetEnabled", refuse},
    {"cudaGraphKernelNodeSetGridDim", refuse},
    {"cudaGraphKernelNodeSetParam", refuse},
    {"cudaGraphKernelNodeUpdatesApply", refuse},
    {"cudaGraphLaunch", run<16, 4, launch_graph>},
};

}  // namespace

std::span<const Builtin> device_runtime_builtins() noexcept {
    return all;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx
