// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "nccl_stand_in.hpp"

#include <cubind/substitute.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

#include "unlimited_memory.hpp"

struct ncclComm {
    int rank;
    int size;
    int device;
};

namespace cubind::testing {

using namespace nccl;

namespace {

// A function has it, so that it exists before other variables of the program.
NcclStandIn& state() {
    static NcclStandIn only;
    return only;
}

using Functions = std::map<std::string, void*, std::less<>>;

ncclComm_t create(int rank, int size, int device) {
    ++state().living;
    return new ncclComm{rank, size, device};
}

ncclResult_t end(const char* function, ncclComm_t communicator) {
    state().log.push_back(function);
    --state().living;
    delete communicator;
    return ncclSuccess;
}

// Operations fail without a communicator, and then the group fails, as those of NCCL do.
ncclResult_t record(const NcclCall& call) {
    if (call.communicator == nullptr) {
        state().has_failed_call = state().depth > 0;
        return ncclInvalidArgument;
    }
    state().calls.push_back(call);
    return state().status;
}

ncclResult_t logged(const char* function) {
    state().log.push_back(function);
    return ncclSuccess;
}

// Copies the fields that the caller's struct has.
void take(const ncclConfig_t* config) {
    state().config = {};
    if (config != nullptr) std::memcpy(&state().config, config, std::min(config->size, sizeof state().config));
}

template <class Function>
void add(Functions& functions, const std::string& symbol, Function function) {
    functions[symbol] = with_unlimited_memory(function, +function);
}

// Adds a collective, and the function of the same parameters and settings.
template <class Function, class... Arguments>
void add_with_config(Functions& functions, const std::string& symbol, Function, ncclResult_t (*)(Arguments...)) {
    add(functions, symbol + "Config", [](Arguments... arguments, const ncclCollConfig_t* config) -> ncclResult_t {
        state().collective = *config;
        return Function()(arguments...);
    });
}
template <class Function>
void add_collective(Functions& functions, const std::string& symbol, Function function) {
    add(functions, symbol, function);
    add_with_config(functions, symbol, function, +function);
}

void add_communicators(Functions& all) {
    add(all, "ncclGetUniqueId", [](ncclUniqueId* id) -> ncclResult_t {
        for (std::size_t i = 0; i < sizeof id->internal; ++i) id->internal[i] = static_cast<char>(i + 1);
        return ncclSuccess;
    });
    add(all, "ncclCommInitAll", [](ncclComm_t* communicators, int count, const int* devices) -> ncclResult_t {
        for (int i = 0; i < count; ++i) communicators[i] = create(i, count, devices[i]);
        return logged("ncclCommInitAll");
    });
    add(all, "ncclCommInitRankConfig",
        [](ncclComm_t* made, int size, ncclUniqueId id, int rank, ncclConfig_t* config) -> ncclResult_t {
            take(config);
            state().log.push_back("ncclCommInitRankConfig " + std::to_string(id.internal[0]));
            if (state().status == ncclSuccess || state().status == ncclInProgress) *made = create(rank, size, 0);
            return state().status;
        });
    add(all, "ncclCommInitRankScalable",
        [](ncclComm_t* made, int size, int rank, int count, ncclUniqueId* ids, ncclConfig_t*) -> ncclResult_t {
            state().log.push_back("ncclCommInitRankScalable " + std::to_string(ids[count - 1].internal[0]));
            *made = create(rank, size, 0);
            return ncclSuccess;
        });
    add(all, "ncclCommSplit", [](ncclComm_t parent, int color, int key, ncclComm_t* made, ncclConfig_t* config) -> ncclResult_t {
        take(config);
        *made = color < 0 ? nullptr : create(key, 7, parent->device);
        return logged("ncclCommSplit");
    });
    add(all, "ncclCommShrink",
        [](ncclComm_t parent, int* ranks, int count, ncclComm_t* made, ncclConfig_t*, int flags) -> ncclResult_t {
            *made = create(0, parent->size - count, parent->device);
            state().log.push_back("ncclCommShrink " + std::to_string(ranks[0]) + " " + std::to_string(flags));
            return ncclSuccess;
        });
    add(all, "ncclCommGetUniqueId", [](ncclComm_t, ncclUniqueId* id) -> ncclResult_t {
        std::memset(id->internal, 42, sizeof id->internal);
        return ncclSuccess;
    });
    add(all, "ncclCommGrow",
        [](ncclComm_t parent, int size, const ncclUniqueId* id, int rank, ncclComm_t* made, ncclConfig_t*) -> ncclResult_t {
            *made = create(parent == nullptr ? rank : parent->rank, size, 0);
            state().log.push_back("ncclCommGrow " + std::to_string(id == nullptr ? 0 : id->internal[0]) + " " +
                                  std::to_string(rank));
            return ncclSuccess;
        });
    add(all, "ncclCommDestroy", [](ncclComm_t communicator) -> ncclResult_t { return end("ncclCommDestroy", communicator); });
    add(all, "ncclCommAbort", [](ncclComm_t communicator) -> ncclResult_t { return end("ncclCommAbort", communicator); });
    add(all, "ncclCommFinalize", [](ncclComm_t) -> ncclResult_t { return logged("ncclCommFinalize"); });
    add(all, "ncclCommRevoke", [](ncclComm_t, int) -> ncclResult_t { return logged("ncclCommRevoke"); });
    add(all, "ncclCommSuspend", [](ncclComm_t, int) -> ncclResult_t { return logged("ncclCommSuspend"); });
    add(all, "ncclCommResume", [](ncclComm_t) -> ncclResult_t { return logged("ncclCommResume"); });
    add(all, "ncclCommGetAsyncError", [](ncclComm_t, ncclResult_t* error) -> ncclResult_t {
        state().log.push_back("ncclCommGetAsyncError");
        *error = state().asynchronous;
        return ncclSuccess;
    });
    add(all, "ncclCommUserRank", [](ncclComm_t communicator, int* value) -> ncclResult_t {
        *value = communicator->rank;
        return ncclSuccess;
    });
    add(all, "ncclCommCount", [](ncclComm_t communicator, int* value) -> ncclResult_t {
        *value = communicator->size;
        return ncclSuccess;
    });
    add(all, "ncclCommCuDevice", [](ncclComm_t communicator, int* value) -> ncclResult_t {
        *value = communicator->device;
        return ncclSuccess;
    });
    add(all, "ncclCommMemStats", [](ncclComm_t, ncclCommMemStat_t stat, std::uint64_t* value) -> ncclResult_t {
        *value = 1000u + stat;
        return ncclSuccess;
    });
    add(all, "ncclGetLastError", [](ncclComm_t) -> const char* { return "the text of the stand-in"; });
}

void add_memory(Functions& all) {
    add(all, "ncclCommRegister", [](ncclComm_t, void* buffer, std::size_t size, void** handle) -> ncclResult_t {
        ++state().registered;
        state().log.push_back("ncclCommRegister " + std::to_string(size));
        *handle = buffer;
        return ncclSuccess;
    });
    add(all, "ncclCommDeregister", [](ncclComm_t, void*) -> ncclResult_t {
        --state().registered;
        return logged("ncclCommDeregister");
    });
    add(all, "ncclCommWindowRegister",
        [](ncclComm_t, void* buffer, std::size_t size, ncclWindow_t* window, int flags) -> ncclResult_t {
            ++state().registered;
            state().log.push_back("ncclCommWindowRegister " + std::to_string(size) + " " + std::to_string(flags));
            *window = static_cast<ncclWindow_t>(buffer);
            return ncclSuccess;
        });
    add(all, "ncclCommWindowDeregister", [](ncclComm_t, ncclWindow_t) -> ncclResult_t {
        --state().registered;
        return logged("ncclCommWindowDeregister");
    });
    add(all, "ncclMemAlloc", [](void** made, std::size_t size) -> ncclResult_t {
        constexpr std::size_t page = 4096;
        *made = std::aligned_alloc(page, (size + page - 1) / page * page);
        ++state().allocated;
        return ncclSuccess;
    });
    add(all, "ncclMemFree", [](void* pointer) -> ncclResult_t {
        std::free(pointer);
        --state().allocated;
        return ncclSuccess;
    });
    add(all, "ncclRedOpCreatePreMulSum",
        [](ncclRedOp_t* op, void* scale, ncclDataType_t, ncclScalarResidence_t residence, ncclComm_t) -> ncclResult_t {
            if (residence == ncclScalarHostImmediate) state().scale = *static_cast<float*>(scale);
            *op = static_cast<ncclRedOp_t>(ncclNumOps + static_cast<unsigned int>(state().operators++));
            return ncclSuccess;
        });
    add(all, "ncclRedOpDestroy", [](ncclRedOp_t, ncclComm_t) -> ncclResult_t {
        --state().operators;
        return ncclSuccess;
    });
}

void add_operations(Functions& all) {
    using Type = ncclDataType_t;
    using Comm = ncclComm_t;
    using Stream = cudaStream_t;
    using Size = std::size_t;
    add_collective(all, "ncclAllReduce",
                   [](const void* s, void* d, Size n, Type t, ncclRedOp_t op, Comm c, Stream at) -> ncclResult_t {
                       return record({"ncclAllReduce", s, d, n, t, static_cast<int>(op), -1, c, at});
                   });
    add_collective(all, "ncclReduce",
                   [](const void* s, void* d, Size n, Type t, ncclRedOp_t op, int root, Comm c, Stream at) -> ncclResult_t {
                       return record({"ncclReduce", s, d, n, t, static_cast<int>(op), root, c, at});
                   });
    add_collective(all, "ncclBroadcast", [](const void* s, void* d, Size n, Type t, int root, Comm c, Stream at) -> ncclResult_t {
        return record({"ncclBroadcast", s, d, n, t, -1, root, c, at});
    });
    add_collective(all, "ncclAllGather", [](const void* s, void* d, Size n, Type t, Comm c, Stream at) -> ncclResult_t {
        return record({"ncclAllGather", s, d, n, t, -1, -1, c, at});
    });
    add_collective(all, "ncclReduceScatter",
                   [](const void* s, void* d, Size n, Type t, ncclRedOp_t op, Comm c, Stream at) -> ncclResult_t {
                       return record({"ncclReduceScatter", s, d, n, t, static_cast<int>(op), -1, c, at});
                   });
    add_collective(all, "ncclAlltoAll", [](const void* s, void* d, Size n, Type t, Comm c, Stream at) -> ncclResult_t {
        return record({"ncclAlltoAll", s, d, n, t, -1, -1, c, at});
    });
    add_collective(all, "ncclGather", [](const void* s, void* d, Size n, Type t, int root, Comm c, Stream at) -> ncclResult_t {
        return record({"ncclGather", s, d, n, t, -1, root, c, at});
    });
    add_collective(all, "ncclScatter", [](const void* s, void* d, Size n, Type t, int root, Comm c, Stream at) -> ncclResult_t {
        return record({"ncclScatter", s, d, n, t, -1, root, c, at});
    });
    add(all, "ncclSend", [](const void* s, Size n, Type t, int peer, Comm c, Stream at) -> ncclResult_t {
        return record({"ncclSend", s, nullptr, n, t, -1, peer, c, at});
    });
    add(all, "ncclRecv", [](void* d, Size n, Type t, int peer, Comm c, Stream at) -> ncclResult_t {
        return record({"ncclRecv", nullptr, d, n, t, -1, peer, c, at});
    });
    using Wait = ncclWaitSignalDesc_t;
    add(all, "ncclPutSignal",
        [](const void* s, Size n, Type t, int peer, ncclWindow_t window, Size offset, int index, int context, unsigned int,
           Comm c, Stream at) -> ncclResult_t {
            return record({"ncclPutSignal", s, nullptr, n, t, -1, peer, c, at, window, offset, {{1, peer, index, context}}});
        });
    add(all, "ncclSignal", [](int peer, int index, int context, unsigned int, Comm c, Stream at) -> ncclResult_t {
        return record(
            {"ncclSignal", nullptr, nullptr, 0, ncclNumTypes, -1, peer, c, at, nullptr, 0, {{1, peer, index, context}}});
    });
    add(all, "ncclWaitSignal", [](int count, Wait* waits, Comm c, Stream at) -> ncclResult_t {
        return record({"ncclWaitSignal", nullptr, nullptr, 0, ncclNumTypes, -1, -1, c, at, nullptr, 0, {waits, waits + count}});
    });
    add(all, "ncclGroupStart", []() -> ncclResult_t {
        ++state().depth;
        return ncclSuccess;
    });
    add(all, "ncclGroupEnd", []() -> ncclResult_t {
        state().log.push_back(state().has_failed_call ? "ncclGroupEnd, failed" : "ncclGroupEnd");
        const bool has_failed = state().has_failed_call;
        if (--state().depth == 0) state().has_failed_call = false;
        return has_failed ? ncclInvalidArgument : ncclSuccess;
    });
}

Functions& functions() {
    static Functions all;
    return all;
}

void* find(const char* symbol) noexcept {
    const UnlimitedMemory memory;
    const auto found = functions().find(symbol);
    return found == functions().end() || state().missing.contains(symbol) ? nullptr : found->second;
}

constexpr Substitute stand_in{.path = "a stand-in", .found_via = "a test", .find = find};

}  // namespace

long NcclStandIn::count(const std::string& function) const {
    return std::ranges::count(log, function);
}

NcclStandIn& nccl_stand_in() {
    return state();
}

ScopedNcclStandIn::ScopedNcclStandIn() {
    state() = {};
    add_communicators(functions());
    add_memory(functions());
    add_operations(functions());
    substitute(nccl::library(), nccl::all_entry_points(), &stand_in);
}

ScopedNcclStandIn::~ScopedNcclStandIn() {
    substitute(nccl::library(), nccl::all_entry_points(), nullptr);
}

}  // namespace cubind::testing
