// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "cufile_stand_in.hpp"

#include <cubind/driver/execution.hpp>
#include <cubind/substitute.hpp>

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <functional>
#include <memory>
#include <unistd.h>

#include "unlimited_memory.hpp"

namespace cubind::testing {

using namespace cufile;

namespace {

// A function has it, so that it exists before other variables of the program.
CufileStandIn& state() {
    static CufileStandIn only;
    return only;
}

using Functions = std::map<std::string, void*, std::less<>>;

Functions& functions() {
    static Functions all;
    return all;
}

// A file that was registered. Its own descriptor accepts memory that is not aligned.
struct Handle {
    int descriptor;
};

struct Batch {
    std::vector<CUfileIOEvents_t> events;  // that were not reported
    std::size_t held = 0;
};

constexpr CUfileError_t success{CU_FILE_SUCCESS, driver::CUDA_SUCCESS};

CUfileError_t logged(const std::string& text) {
    const std::lock_guard lock(state().mutex);
    state().log.push_back(text);
    return success;
}

CUfileError_t failure() {
    return {state().failure, driver::CUDA_SUCCESS};
}

// A function that changes a setting.
CUfileError_t set(const std::string& function, std::size_t value) {
    return state().fails(function) ? failure() : logged(function + " " + std::to_string(value));
}

ssize_t transfer(bool is_read, void* handle, void* base, std::size_t size, off_t file_offset, off_t memory_offset) {
    {
        const std::lock_guard lock(state().mutex);
        if (!state().next.empty()) {
            const long returned = state().next.front();
            state().next.erase(state().next.begin());
            errno = state().next_errno;
            return returned;
        }
        if (!state().transfers) return static_cast<ssize_t>(size);
    }
    const int file = static_cast<Handle*>(handle)->descriptor;
    std::byte* const memory = static_cast<std::byte*>(base) + memory_offset;
    return is_read ? ::pread(file, memory, size, file_offset) : ::pwrite(file, memory, size, file_offset);
}

void record(const CufileCall& call) {
    const std::lock_guard lock(state().mutex);
    state().calls.push_back(call);
}

// The parameters are read when the stream reaches the call, as those of cuFile are.
struct Asynchronous {
    bool is_read;
    void* handle;
    void* base;
    std::size_t* size;
    off_t* file_offset;
    off_t* memory_offset;
    ssize_t* done;
};

CUfileError_t submit(const Asynchronous& call, CUstream stream) {
    record({call.is_read ? "cuFileReadAsync" : "cuFileWriteAsync", call.handle, call.base, *call.size, *call.file_offset,
            *call.memory_offset, stream});
    if (state().fails(call.is_read ? "cuFileReadAsync" : "cuFileWriteAsync")) return failure();
    auto data = std::make_unique<Asynchronous>(call);
    const auto launched = driver::cuLaunchHostFunc(
        stream,
        [](void* self) {
            const std::unique_ptr<Asynchronous> own(static_cast<Asynchronous*>(self));
            const ssize_t done =
                transfer(own->is_read, own->handle, own->base, *own->size, *own->file_offset, *own->memory_offset);
            *own->done = done == -1 ? -errno : done;
        },
        data.get());
    if (!launched.ok()) return {CU_FILE_CUDA_DRIVER_ERROR, launched.status};
    (void)data.release();
    return success;
}

template <class Function>
void add(const char* symbol, Function function) {
    functions()[symbol] = with_unlimited_memory(function, +function);
}

void add_driver() {
    functions()["cubindSimulation"] = &functions();
    add("cuFileDriverOpen", []() -> CUfileError_t {
        if (state().fails("cuFileDriverOpen")) return failure();
        ++state().open;
        return logged("cuFileDriverOpen");
    });
    add("cuFileDriverClose_v2", []() -> CUfileError_t {
        --state().open;
        return state().fails("cuFileDriverClose_v2") ? failure() : logged("cuFileDriverClose");
    });
    add("cuFileGetVersion", [](int* version) -> CUfileError_t {
        *version = 1200;
        return state().fails("cuFileGetVersion") ? failure() : success;
    });
    add("cuFileDriverGetProperties", [](CUfileDrvProps_t* properties) -> CUfileError_t {
        *properties = state().properties;
        return state().fails("cuFileDriverGetProperties") ? failure() : success;
    });
    add("cuFileSetParameterBool", [](CUFileBoolConfigParameter_t which, bool value) -> CUfileError_t {
        return state().fails("cuFileSetParameterBool")
                   ? failure()
                   : logged("cuFileSetParameterBool " + std::to_string(which) + " " + std::to_string(value));
    });
    add("cuFileDriverSetPollMode", [](bool poll, size_t size) -> CUfileError_t {
        return state().fails("cuFileDriverSetPollMode")
                   ? failure()
                   : logged("cuFileDriverSetPollMode " + std::to_string(poll) + " " + std::to_string(size));
    });
    add("cuFileDriverSetMaxDirectIOSize",
        [](size_t size) -> CUfileError_t { return set("cuFileDriverSetMaxDirectIOSize", size); });
    add("cuFileDriverSetMaxCacheSize", [](size_t size) -> CUfileError_t { return set("cuFileDriverSetMaxCacheSize", size); });
    add("cuFileDriverSetMaxPinnedMemSize",
        [](size_t size) -> CUfileError_t { return set("cuFileDriverSetMaxPinnedMemSize", size); });
}

void add_registrations() {
    add("cuFileHandleRegister", [](CUfileHandle_t* made, CUfileDescr_t* description) -> CUfileError_t {
        if (state().fails("cuFileHandleRegister")) return failure();
        const int file = description->handle.fd, flags = ::fcntl(file, F_GETFL);
        const std::string path = "/proc/self/fd/" + std::to_string(file);
        *made = new Handle{::open(path.c_str(), (flags & O_ACCMODE) | O_CLOEXEC)};
        ++state().handles;
        return logged((flags & O_DIRECT) != 0 ? "cuFileHandleRegister direct" : "cuFileHandleRegister");
    });
    add("cuFileHandleDeregister", [](CUfileHandle_t handle) {
        ::close(static_cast<Handle*>(handle)->descriptor);
        delete static_cast<Handle*>(handle);
        --state().handles;
        logged("cuFileHandleDeregister");
    });
    add("cuFileBufRegister", [](const void* memory, size_t size, int) -> CUfileError_t {
        if (state().fails("cuFileBufRegister")) return failure();
        if (!state().registered.emplace(memory, size).second) {
            return {CU_FILE_MEMORY_ALREADY_REGISTERED, driver::CUDA_SUCCESS};
        }
        return logged("cuFileBufRegister " + std::to_string(size));
    });
    add("cuFileBufDeregister", [](const void* memory) -> CUfileError_t {
        state().registered.erase(memory);
        return state().fails("cuFileBufDeregister") ? failure() : logged("cuFileBufDeregister");
    });
}

void add_transfers() {
    add("cuFileRead", [](CUfileHandle_t file, void* base, size_t size, off_t offset, off_t memory_offset) -> ssize_t {
        record({"cuFileRead", file, base, size, offset, memory_offset});
        if (state().fails("cuFileRead")) return -static_cast<ssize_t>(state().failure);
        return transfer(true, file, base, size, offset, memory_offset);
    });
    add("cuFileWrite", [](CUfileHandle_t file, const void* base, size_t size, off_t offset, off_t memory_offset) -> ssize_t {
        record({"cuFileWrite", file, const_cast<void*>(base), size, offset, memory_offset});
        if (state().fails("cuFileWrite")) return -static_cast<ssize_t>(state().failure);
        return transfer(false, file, const_cast<void*>(base), size, offset, memory_offset);
    });
    add("cuFileReadAsync",
        [](CUfileHandle_t file, void* base, size_t* size, off_t* offset, off_t* memory_offset, ssize_t* done,
           CUstream stream) -> CUfileError_t {
            return submit({true, file, base, size, offset, memory_offset, done}, stream);
        });
    add("cuFileWriteAsync",
        [](CUfileHandle_t file, void* base, size_t* size, off_t* offset, off_t* memory_offset, ssize_t* done,
           CUstream stream) -> CUfileError_t {
            return submit({false, file, base, size, offset, memory_offset, done}, stream);
        });
}

void add_batches() {
    add("cuFileBatchIOSetUp", [](CUfileBatchHandle_t* made, unsigned int count) -> CUfileError_t {
        if (state().fails("cuFileBatchIOSetUp")) return failure();
        *made = new Batch;
        ++state().batches;
        return logged("cuFileBatchIOSetUp " + std::to_string(count));
    });
    add("cuFileBatchIODestroy", [](CUfileBatchHandle_t batch) {
        delete static_cast<Batch*>(batch);
        --state().batches;
        logged("cuFileBatchIODestroy");
    });
    add("cuFileBatchIOSubmit",
        [](CUfileBatchHandle_t batch, unsigned int count, CUfileIOParams_t* parameters, unsigned int) -> CUfileError_t {
            if (state().fails("cuFileBatchIOSubmit")) return failure();
            auto& own = *static_cast<Batch*>(batch);
            for (const CUfileIOParams_t* each = parameters; each != parameters + count; ++each) {
                const auto& part = each->u.batch;
                const bool is_read = each->opcode == CUFILE_READ;
                record({is_read ? "batch read" : "batch write", each->fh, part.devPtr_base, part.size, part.file_offset,
                        part.devPtr_offset});
                if (own.held < state().held) {
                    ++own.held;
                    continue;
                }
                const ssize_t done =
                    transfer(is_read, each->fh, part.devPtr_base, part.size, part.file_offset, part.devPtr_offset);
                own.events.push_back(
                    {each->cookie, done < 0 ? CUFILE_FAILED : CUFILE_COMPLETE, static_cast<size_t>(done == -1 ? -errno : done)});
            }
            return logged("cuFileBatchIOSubmit " + std::to_string(count));
        });
    add("cuFileBatchIOGetStatus",
        [](CUfileBatchHandle_t batch, unsigned int, unsigned int* count, CUfileIOEvents_t* events,
           ::timespec* timeout) -> CUfileError_t {
            if (state().fails("cuFileBatchIOGetStatus")) return failure();
            auto& own = *static_cast<Batch*>(batch);
            *count = static_cast<unsigned>(std::min<std::size_t>(*count, own.events.size()));
            std::copy_n(own.events.begin(), *count, events);
            own.events.erase(own.events.begin(), own.events.begin() + *count);
            if (*count == 0) ::nanosleep(timeout, nullptr);
            return success;
        });
    add("cuFileBatchIOCancel", [](CUfileBatchHandle_t) -> CUfileError_t {
        return state().fails("cuFileBatchIOCancel") ? failure() : logged("cuFileBatchIOCancel");
    });
}

void* find(const char* symbol) noexcept {
    const UnlimitedMemory memory;
    const auto found = functions().find(symbol);
    return found == functions().end() ? nullptr : found->second;
}

constexpr Substitute stand_in{.path = "a stand-in", .found_via = "a test", .find = find};

}  // namespace

long CufileStandIn::count(const std::string& function) {
    const std::lock_guard lock(mutex);
    return std::ranges::count(log, function) + std::ranges::count(calls, function, &CufileCall::function);
}

void CufileStandIn::fail(const std::string& function, CUfileOpError status) {
    failing_function = function;
    failure = status;
}

bool CufileStandIn::fails(const std::string& function) {
    const std::lock_guard lock(mutex);
    if (++statuses != failing && function != failing_function) return false;
    failed = function;
    failing_function.clear();
    return true;
}

CufileStandIn& cufile_stand_in() {
    return state();
}

ScopedCufileStandIn::ScopedCufileStandIn() {
    CufileStandIn& own = state();
    own.calls.clear();
    own.log.clear();
    own.next.clear();
    own.registered.clear();
    own.open = own.handles = own.batches = own.next_errno = own.statuses = own.failing = 0;
    own.failing_function.clear();
    own.failed.clear();
    own.failure = CU_FILE_INTERNAL_ERROR;
    own.transfers = true;
    own.held = 0;
    own.properties = {};
    own.properties.nvfs.major_version = 2;
    own.properties.nvfs.dstatusflags = 1U << CU_FILE_NVME_SUPPORTED;
    own.properties.fflags = 1U << CU_FILE_BATCH_IO_SUPPORTED | 1U << CU_FILE_STREAMS_SUPPORTED;
    own.properties.max_batch_io_size = 128;
    add_driver();
    add_registrations();
    add_transfers();
    add_batches();
    substitute(cufile::library(), cufile::all_entry_points(), &stand_in);
}

ScopedCufileStandIn::~ScopedCufileStandIn() {
    substitute(cufile::library(), cufile::all_entry_points(), nullptr);
}

}  // namespace cubind::testing
