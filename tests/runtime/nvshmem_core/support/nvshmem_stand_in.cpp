// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "nvshmem_stand_in.hpp"

#include <cubind/substitute.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <string_view>
#include <utility>

#include "unlimited_memory.hpp"

namespace cubind::testing {

using namespace nvshmem;

namespace {

// A function has it, so that it exists before other variables of the program.
NvshmemStandIn& state() {
    static NvshmemStandIn only;
    return only;
}

using Functions = std::map<std::string, void*, std::less<>>;
using Size = std::size_t;
using Stream = cudaStream_t;
using Team = nvshmem_team_t;

template <class Function>
void add(Functions& functions, const char* symbol, Function function) {
    functions[symbol] = with_unlimited_memory(function, +function);
}

void log(const std::string& text) {
    state().log.push_back(text);
}

int record(const NvshmemCall& call) {
    state().calls.push_back(call);
    return static_cast<int>(state().status);
}

int begin(unsigned int flags, nvshmemx_init_attr_t* attributes) {
    NvshmemStandIn& own = state();
    own.flags = flags;
    own.attributes = *attributes;
    log("nvshmemx_hostlib_init_attr");
    if (own.status != NVSHMEMX_SUCCESS) return static_cast<int>(own.status);
    const bool has_id = flags == NVSHMEMX_INIT_WITH_UNIQUEID;
    if (has_id) own.id = *attributes->args.uid_args.id;
    own.pe = has_id ? attributes->args.uid_args.myrank : 1;
    own.size = has_id ? attributes->args.uid_args.nranks : 2;
    const auto heaps = driver::cuMemAlloc(NvshmemStandIn::heap_size * static_cast<Size>(own.size));
    if (!heaps.ok()) {
        own.size = 0;
        return static_cast<int>(NVSHMEMX_ERROR_OUT_OF_MEMORY);
    }
    own.memory = heaps.value;
    own.used = 0;
    std::vector<int> all(static_cast<Size>(own.size));
    for (int i = 0; i < own.size; ++i) all[static_cast<Size>(i)] = i;
    own.teams = {{NVSHMEM_TEAM_WORLD, all}, {NVSHMEM_TEAM_SHARED, all}, {NVSHMEMX_TEAM_NODE, all}};
    return 0;
}

void* address_at(const void* pointer, int pe) {
    const NvshmemStandIn& own = state();
    const auto address = reinterpret_cast<driver::CUdeviceptr>(pointer), base = own.heap_of(own.pe);
    if (own.size == 0 || address < base || address >= base + own.reach || pe == own.unreachable_pe) return nullptr;
    return reinterpret_cast<void*>(own.heap_of(pe) + (address - base));
}

void* allocate(Size alignment, Size size) {
    NvshmemStandIn& own = state();
    const Size begin = (own.used + alignment - 1) / alignment * alignment;
    if (begin + size > NvshmemStandIn::heap_size) return nullptr;
    own.used = begin + size;
    return reinterpret_cast<void*>(own.heap_of(own.pe) + begin);
}

int index_in(const std::vector<int>& team, int world_pe) {
    const auto found = std::ranges::find(team, world_pe);
    return found == team.end() ? -1 : static_cast<int>(found - team.begin());
}

Team split(const std::vector<int>& pes) {
    if (index_in(pes, state().pe) < 0) return NVSHMEM_TEAM_INVALID;
    const Team made = std::max(NVSHMEM_TEAMS_MIN - 1, static_cast<int>(state().teams.rbegin()->first)) + 1;
    state().teams[made] = pes;
    return made;
}

void add_session(Functions& all) {
    add(all, "nvshmemx_get_uniqueid", [](nvshmemx_uniqueid_t* id) -> int {
        for (Size i = 0; i < sizeof id->internal; ++i) id->internal[i] = static_cast<char>(i + 1);
        return 0;
    });
    add(all, "nvshmemx_set_attr_uniqueid_args",
        [](int pe, int size, const nvshmemx_uniqueid_t* id, nvshmemx_init_attr_t* attributes) -> int {
            attributes->args.uid_args.id = const_cast<nvshmemx_uniqueid_t*>(id);
            attributes->args.uid_args.myrank = pe;
            attributes->args.uid_args.nranks = size;
            return 0;
        });
    add(all, "nvshmemx_set_attr_mpi_comm_args", [](void* communicator, nvshmemx_init_attr_t* attributes) -> int {
        attributes->mpi_comm = communicator;
        return 0;
    });
    add(all, "nvshmemx_hostlib_init_attr",
        [](unsigned int flags, nvshmemx_init_attr_t* attributes) -> int { return begin(flags, attributes); });
    add(all, "nvshmemx_hostlib_finalize", [] {
        log("nvshmemx_hostlib_finalize");
        (void)driver::cuMemFree(state().memory);
        state().size = 0;
    });
    add(all, "nvshmemx_vendor_get_version_info", [](int* major, int* minor, int* patch) {
        *major = state().version[0];
        *minor = state().version[1];
        *patch = state().version[2];
    });
    add(all, "nvshmemx_init_status",
        []() -> int { return state().size == 0 ? state().init_status : static_cast<int>(NVSHMEM_STATUS_IS_INITIALIZED); });
    add(all, "nvshmem_my_pe", []() -> int { return state().pe; });
    add(all, "nvshmem_n_pes", []() -> int { return state().size; });
    add(all, "nvshmem_quiet", [] { log("nvshmem_quiet"); });
    add(all, "nvshmem_fence", [] { log("nvshmem_fence"); });
    add(all, "nvshmemx_culibrary_init", [](CUlibrary) -> int {
        log("nvshmemx_culibrary_init");
        if (state().status == NVSHMEMX_SUCCESS) ++state().codes;
        return static_cast<int>(state().status);
    });
    add(all, "nvshmemx_culibrary_finalize", [](CUlibrary) -> int {
        log("nvshmemx_culibrary_finalize");
        --state().codes;
        return 0;
    });
}

void add_memory(Functions& all) {
    add(all, "nvshmem_align", [](Size alignment, Size size) -> void* {
        void* const made = allocate(alignment, size);
        if (made != nullptr) ++state().allocated;
        return made;
    });
    add(all, "nvshmem_free", [](void*) {
        log("nvshmem_free");
        if (--state().allocated == 0 && state().registered == 0) state().used = 0;
    });
    add(all, "nvshmem_ptr", [](const void* pointer, int pe) -> void* { return address_at(pointer, pe); });
    add(all, "nvshmemx_mc_ptr", [](Team team, const void* pointer) -> void* {
        return team == NVSHMEM_TEAM_WORLD ? const_cast<void*>(pointer) : nullptr;
    });
    add(all, "nvshmemx_buffer_register", [](void*, Size size) -> int {
        ++state().registered;
        log("nvshmemx_buffer_register " + std::to_string(size));
        return 0;
    });
    add(all, "nvshmemx_buffer_unregister", [](void*) -> int {
        --state().registered;
        log("nvshmemx_buffer_unregister");
        return 0;
    });
    add(all, "nvshmemx_buffer_register_symmetric", [](void*, Size size, int flags) -> void* {
        log("nvshmemx_buffer_register_symmetric " + std::to_string(size) + " " + std::to_string(flags));
        if (state().refuses_registrations) return nullptr;
        ++state().registered;
        return allocate(4096, size);
    });
    add(all, "nvshmemx_buffer_unregister_symmetric", [](void*, Size size) -> int {
        --state().registered;
        log("nvshmemx_buffer_unregister_symmetric " + std::to_string(size));
        return 0;
    });
}

void add_teams(Functions& all) {
    add(all, "nvshmem_team_my_pe", [](Team team) -> int { return index_in(state().teams.at(team), state().pe); });
    add(all, "nvshmem_team_n_pes", [](Team team) -> int { return static_cast<int>(state().teams.at(team).size()); });
    add(all, "nvshmem_team_translate_pe", [](Team from, int pe, Team to) -> int {
        return index_in(state().teams.at(to), state().teams.at(from)[static_cast<Size>(pe)]);
    });
    add(all, "nvshmem_team_split_strided",
        [](Team parent, int first, int stride, int size, const nvshmem_team_config_t*, long, Team* made) -> int {
            std::vector<int> pes;
            for (int i = 0; i < size; ++i) {
                const int at = first + i * stride;
                pes.push_back(state().teams.at(parent)[static_cast<Size>(at)]);
            }
            *made = split(pes);
            return 0;
        });
    add(all, "nvshmem_team_split_2d",
        [](Team parent, int row_length, const nvshmem_team_config_t*, long, Team* row, const nvshmem_team_config_t*, long,
           Team* column) -> int {
            const std::vector<int> pes = state().teams.at(parent);
            const int own = index_in(pes, state().pe);
            std::vector<int> in_row, in_column;
            for (int i = 0; i < static_cast<int>(pes.size()); ++i) {
                if (i / row_length == own / row_length) in_row.push_back(pes[static_cast<Size>(i)]);
                if (i % row_length == own % row_length) in_column.push_back(pes[static_cast<Size>(i)]);
            }
            *row = split(in_row);
            *column = split(in_column);
            return 0;
        });
    add(all, "nvshmem_team_destroy", [](Team team) {
        log("nvshmem_team_destroy");
        state().teams.erase(team);
    });
    add(all, "nvshmem_barrier", [](Team) -> int { return log("nvshmem_barrier"), 0; });
    add(all, "nvshmem_team_sync", [](Team) -> int { return log("nvshmem_team_sync"), 0; });
    add(all, "nvshmemx_barrier_on_stream", [](Team team, Stream stream) -> int {
        return record({.function = "nvshmemx_barrier_on_stream", .team = team, .stream = stream});
    });
    add(all, "nvshmemx_team_sync_on_stream", [](Team team, Stream stream) -> int {
        return record({.function = "nvshmemx_team_sync_on_stream", .team = team, .stream = stream});
    });
}

// ---- functions that differ by name only: each has a slot, whose function knows the name ------------------------------------

template <class Signature, Size slot>
struct Slot;

/// The names of the functions with this signature.
template <class Signature>
std::vector<std::string>& names() {
    static std::vector<std::string> all;
    return all;
}

using Collective = int(Team, void*, const void*, Size, Stream);
template <Size slot>
struct Slot<Collective, slot> {
    static int call(Team team, void* to, const void* from, Size count, Stream stream) {
        return record({.function = names<Collective>()[slot],
                       .destination = to,
                       .source = from,
                       .count = count,
                       .team = team,
                       .stream = stream});
    }
};
using Broadcast = int(Team, void*, const void*, Size, int, Stream);
template <Size slot>
struct Slot<Broadcast, slot> {
    static int call(Team team, void* to, const void* from, Size count, int root, Stream stream) {
        return record({names<Broadcast>()[slot], to, from, count, root, team, stream});
    }
};
using Transfer = void(void*, const void*, Size, int, Stream);
template <Size slot>
struct Slot<Transfer, slot> {
    static void call(void* to, const void* from, Size size, int pe, Stream stream) {
        record(
            {.function = names<Transfer>()[slot], .destination = to, .source = from, .count = size, .pe = pe, .stream = stream});
    }
};
using Strided = void(void*, const void*, std::ptrdiff_t, std::ptrdiff_t, Size, int, Stream);
template <Size slot>
struct Slot<Strided, slot> {
    static void call(void* to, const void* from, std::ptrdiff_t to_stride, std::ptrdiff_t from_stride, Size count, int pe,
                     Stream stream) {
        record({names<Strided>()[slot], to, from, count, pe, -1, stream, 0, -1, to_stride, from_stride});
    }
};
using PutSignal = void(void*, const void*, Size, std::uint64_t*, std::uint64_t, int, int, Stream);
template <Size slot>
struct Slot<PutSignal, slot> {
    static void call(void* to, const void* from, Size size, std::uint64_t*, std::uint64_t value, int operation, int pe,
                     Stream stream) {
        record({names<PutSignal>()[slot], to, from, size, pe, -1, stream, value, operation});
    }
};
template <class Value>
using Wait = void(Value*, int, Value, Stream);
template <class Value, Size slot>
struct Slot<Wait<Value>, slot> {
    static void call(Value* variable, int comparison, Value value, Stream stream) {
        record({names<Wait<Value>>()[slot], variable, nullptr, 1, -1, -1, stream, static_cast<std::uint64_t>(value), comparison});
    }
};

template <class Signature, Size slot>
struct Unlimited;
template <class Returned, class... Arguments, Size slot>
struct Unlimited<Returned(Arguments...), slot> {
    static Returned call(Arguments... arguments) {
        const UnlimitedMemory memory;
        return Slot<Returned(Arguments...), slot>::call(arguments...);
    }
};

template <class Signature, Size... slots>
void* function_of_slot(Size slot, std::index_sequence<slots...>) {
    static constexpr Signature* all[] = {Unlimited<Signature, slots>::call...};
    return reinterpret_cast<void*>(all[slot]);
}

template <class Signature, Size slot_count = 8>
void* named(std::string_view symbol) {
    auto& known = names<Signature>();
    auto found = std::ranges::find(known, symbol);
    if (found == known.end()) found = known.insert(known.end(), std::string(symbol));
    return function_of_slot<Signature>(static_cast<Size>(found - known.begin()), std::make_index_sequence<slot_count>());
}

void* find_named(std::string_view symbol) {
    if (!symbol.ends_with("_on_stream")) return nullptr;
    const auto has = [&](std::string_view part) { return symbol.find(part) != symbol.npos; };
    if (has("_reduce_") || has("_reducescatter_") || has("fcollect") || has("alltoall")) return named<Collective, 200>(symbol);
    if (has("broadcast")) return named<Broadcast>(symbol);
    if (has("putmem_signal")) return named<PutSignal>(symbol);
    if (has("_iput") || has("_iget")) return named<Strided, 16>(symbol);
    if (has("putmem") || has("getmem")) return named<Transfer>(symbol);
    if (has("_int32_wait")) return named<Wait<std::int32_t>>(symbol);
    if (has("_uint32_wait")) return named<Wait<std::uint32_t>>(symbol);
    if (has("_int64_wait")) return named<Wait<std::int64_t>>(symbol);
    if (has("_uint64_wait") || has("signal_wait")) return named<Wait<std::uint64_t>>(symbol);
    return nullptr;
}

void add_operations(Functions& all) {
    add(all, "nvshmemx_signal_op_on_stream",
        [](std::uint64_t* variable, std::uint64_t value, int operation, int pe, Stream stream) {
            record({"nvshmemx_signal_op_on_stream", variable, nullptr, 1, pe, -1, stream, value, operation});
        });
    add(all, "nvshmemx_quiet_on_stream",
        [](Stream stream) { record({.function = "nvshmemx_quiet_on_stream", .stream = stream}); });
    add(all, "nvshmemx_flush_on_stream",
        [](Stream stream) { record({.function = "nvshmemx_flush_on_stream", .stream = stream}); });
}

Functions& functions() {
    static Functions all;
    return all;
}

void* find(const char* symbol) noexcept {
    const UnlimitedMemory memory;
    if (state().missing.contains(symbol)) return nullptr;
    const auto found = functions().find(symbol);
    return found == functions().end() ? find_named(symbol) : found->second;
}

constexpr Substitute stand_in{.path = "a stand-in", .found_via = "a test", .find = find};

}  // namespace

long NvshmemStandIn::count(const std::string& function) const {
    return std::ranges::count(log, function);
}

NvshmemStandIn& nvshmem_stand_in() {
    return state();
}

ScopedNvshmemStandIn::ScopedNvshmemStandIn() {
    state() = {};
    add_session(functions());
    add_memory(functions());
    add_teams(functions());
    add_operations(functions());
    substitute(nvshmem::library(), nvshmem::all_entry_points(), &stand_in);
}

ScopedNvshmemStandIn::~ScopedNvshmemStandIn() {
    substitute(nvshmem::library(), nvshmem::all_entry_points(), nullptr);
}

}  // namespace cubind::testing
