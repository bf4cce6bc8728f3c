// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Weak loads and stores: no other thread may access the same memory at the same time, unless both read it.
#include "ptx/handlers/lanes.hpp"
#include "ptx/handlers/memory/kernel_memory.hpp"
#include "ptx/handlers/memory/locate.hpp"
#include "ptx/handlers/memory/memory_forms.hpp"
#include "ptx/handlers/vector_families.hpp"

namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS {

namespace {

// Threads of a full warp that access elements which follow one another are the common case.
template <class Type, class Value>
CUBIND_KERNEL_MEMORY void load_contiguous(const Warp& warp, Value* to, std::uintptr_t address) {
    const Element<Type>* const from = element_at<Type>(address);
    if (warp.is_full()) {
        CUBIND_FOR_LANES(lane) to[lane] = static_cast<Value>(from[lane].value);
    } else {
        const std::uint32_t mask = warp.mask;
        CUBIND_FOR_LANES(lane) if ((mask & lane_bits[lane]) != 0) to[lane] = static_cast<Value>(from[lane].value);
    }
}

template <class Type, class Value>
CUBIND_KERNEL_MEMORY void load_uniform(const Warp& warp, Value* to, std::uintptr_t address) {
    const auto value = static_cast<Value>(element_at<Type>(address)->value);
    const std::uint32_t mask = warp.mask;
    if (warp.is_full()) {
        CUBIND_FOR_LANES(lane) to[lane] = value;
    } else {
        CUBIND_FOR_LANES(lane) to[lane] = (mask & lane_bits[lane]) != 0 ? value : to[lane];
    }
}

template <class Type, class Value>
CUBIND_KERNEL_MEMORY void load_scattered(const Warp& warp, Value* to, const std::uintptr_t* addresses, std::uintptr_t offset) {
    if (warp.is_full()) {
        for (unsigned lane = 0; lane < warp_size; ++lane) {
            to[lane] = static_cast<Value>(element_at<Type>(addresses[lane] + offset)->value);
        }
        return;
    }
    for (std::uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
        to[lane] = static_cast<Value>(element_at<Type>(addresses[lane] + offset)->value);
    }
}

template <class Type, class Value>
CUBIND_KERNEL_MEMORY void store_contiguous(const Warp& warp, const Value* from, std::uintptr_t address) {
    Element<Type>* const to = element_at<Type>(address);
    if (warp.is_full()) {
        CUBIND_FOR_LANES(lane) to[lane].value = static_cast<Type>(from[lane]);
    } else {
        const std::uint32_t mask = warp.mask;
        CUBIND_FOR_LANES(lane) if ((mask & lane_bits[lane]) != 0) to[lane].value = static_cast<Type>(from[lane]);
    }
}

// Of several threads that store to one address, the last counts.
template <class Type, class Value>
CUBIND_KERNEL_MEMORY void store_scattered(const Warp& warp, const Value* from, const std::uintptr_t* addresses,
                                          std::uintptr_t offset) {
    if (warp.is_full()) {
        for (unsigned lane = 0; lane < warp_size; ++lane) {
            element_at<Type>(addresses[lane] + offset)->value = static_cast<Type>(from[lane]);
        }
        return;
    }
    for (std::uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
        element_at<Type>(addresses[lane] + offset)->value = static_cast<Type>(from[lane]);
    }
}

// Loads a vector of each thread of a full warp; the vectors follow one another.
template <unsigned length, class Type>
CUBIND_KERNEL_MEMORY void load_vectors(Warp& warp, const Instruction* instruction, std::uintptr_t address) {
    alignas(64) Type unused[warp_size];
    Type* to[length];
    for (unsigned item = 0; item < length; ++item) {
        const std::uint32_t slot = instruction->slots[item];
        to[item] = slot != no_slot ? warp.to<Type>(slot) : unused;
    }
    const Element<Type>* const from = element_at<Type>(address);
    CUBIND_FOR_LANES(lane) {
        for (unsigned item = 0; item < length; ++item) to[item][lane] = from[lane * length + item].value;
    }
}

template <unsigned length, class Type>
CUBIND_KERNEL_MEMORY void store_vectors(const Warp& warp, const std::uint32_t* slots, std::uintptr_t address) {
    const Type* from[length];
    for (unsigned item = 0; item < length; ++item) from[item] = warp.from<Type>(slots[item]);
    Element<Type>* const to = element_at<Type>(address);
    CUBIND_FOR_LANES(lane) {
        for (unsigned item = 0; item < length; ++item) to[lane * length + item].value = from[item][lane];
    }
}

inline void scatter(Location& location) {
    CUBIND_FOR_LANES(lane) location.lane[lane] = location.begin + lane * location.stride;
}

template <class Type, class Value>
constexpr bool has_fast_vectors = sizeof(Type) == sizeof(Value) && (sizeof(Type) == 4 || sizeof(Type) == 8);

/// Loads elements, and extends them to the registers.
template <class Type, class Value>
const Instruction* load(Warp& warp, const Instruction* instruction) {
    const AccessKind kind = AccessKind::unpack(instruction->extra);
    const unsigned length = kind.vector_length;
    Location location;
    locate(warp, instruction, kind, slot_of(instruction, length), length * unsigned{sizeof(Type)}, location);
    if (location.is_regular) {
        if (location.stride == length * sizeof(Type)) {
            if (length == 1) {
                if (instruction->slots[0] != no_slot)
                    load_contiguous<Type>(warp, warp.to<Value>(instruction->slots[0]), location.begin);
                return instruction + 1;
            }
            if constexpr (has_fast_vectors<Type, Value>) {
                if (warp.is_full() && length <= 4) {
                    if (length == 2) load_vectors<2, Value>(warp, instruction, location.begin);
                    if (length == 4) load_vectors<4, Value>(warp, instruction, location.begin);
                    return instruction + 1;
                }
            }
        }
        if (location.stride != 0) scatter(location);
    }
    const bool is_uniform = location.is_regular && location.stride == 0;
    for (unsigned item = 0; item < length; ++item) {
        if (instruction->slots[item] == no_slot) continue;
        Value* const to = warp.to<Value>(instruction->slots[item]);
        if (is_uniform) {
            load_uniform<Type>(warp, to, location.begin + item * sizeof(Type));
        } else {
            load_scattered<Type>(warp, to, location.lane, item * sizeof(Type));
        }
    }
    return instruction + 1;
}

/// Stores the lower bits of registers.
template <class Type, class Value>
const Instruction* store(Warp& warp, const Instruction* instruction) {
    const AccessKind kind = AccessKind::unpack(instruction->extra);
    const unsigned length = kind.vector_length;
    const unsigned first = kind.pointer_bytes != 0 ? 1 : 0;
    Location location;
    locate(warp, instruction, kind, instruction->slots[0], length * unsigned{sizeof(Type)}, location);
    if (location.is_regular) {
        if (location.stride == length * sizeof(Type)) {
            if (length == 1) {
                store_contiguous<Type>(warp, warp.from<Value>(instruction->slots[first]), location.begin);
                return instruction + 1;
            }
            if constexpr (has_fast_vectors<Type, Value>) {
                if (warp.is_full() && length <= 4) {
                    if (length == 2) store_vectors<2, Value>(warp, instruction->slots + first, location.begin);
                    if (length == 4) store_vectors<4, Value>(warp, instruction->slots + first, location.begin);
                    return instruction + 1;
                }
            }
        }
        scatter(location);
    }
    for (unsigned item = 0; item < length; ++item) {
        store_scattered<Type>(warp, warp.from<Value>(slot_of(instruction, first + item)), location.lane, item * sizeof(Type));
    }
    return instruction + 1;
}

template <template <class, class> class Make, class Type>
Handler for_register(unsigned bytes) {
    switch (bytes) {
        case 2:
            return Make<Type, std::uint16_t>::handler;
        case 4:
            return Make<Type, std::uint32_t>::handler;
        case 8:
            return Make<Type, std::uint64_t>::handler;
        default:
            return nullptr;
    }
}

template <class Type, class Value>
struct Load {
    static constexpr Handler handler = sizeof(Type) <= sizeof(Value) ? load<Type, Value> : nullptr;
};
template <class Type, class Value>
struct Store {
    static constexpr Handler handler = sizeof(Type) <= sizeof(Value) ? store<Type, Value> : nullptr;
};

Handler select_load(Choice& choice) {
    choice.extra = AccessKind::of(choice, AccessAction::load).pack();
    const std::string_view type = choice.modifiers.type();
    const unsigned bytes = choice.bytes[0];
    if (type == ".s8") return for_register<Load, std::int8_t>(bytes);
    if (type == ".s16") return for_register<Load, std::int16_t>(bytes);
    if (type == ".s32") return for_register<Load, std::int32_t>(bytes);
    switch (bytes_of_type(type)) {
        case 1:
            return for_register<Load, std::uint8_t>(bytes);
        case 2:
            return for_register<Load, std::uint16_t>(bytes);
        case 4:
            return for_register<Load, std::uint32_t>(bytes);
        case 8:
            return for_register<Load, std::uint64_t>(bytes);
        case 16:
            return bytes == 16 ? load<Bits128, Bits128> : nullptr;
        default:
            return nullptr;
    }
}

Handler select_store(Choice& choice) {
    choice.extra = AccessKind::of(choice, AccessAction::store).pack();
    const unsigned bytes = choice.bytes[choice.pointer_bytes != 0 ? 1 : 0];
    switch (bytes_of_type(choice.modifiers.type())) {
        case 1:
            return for_register<Store, std::uint8_t>(bytes);
        case 2:
            return for_register<Store, std::uint16_t>(bytes);
        case 4:
            return for_register<Store, std::uint32_t>(bytes);
        case 8:
            return for_register<Store, std::uint64_t>(bytes);
        case 16:
            return bytes == 16 ? store<Bits128, Bits128> : nullptr;
        default:
            return nullptr;
    }
}

#define CUBIND_LOAD_SPACES "[.global|.shared|.shared::cta|.local|.const|.param|.param::entry|.param::func]"
#define CUBIND_STORE_SPACES "[.global|.shared|.shared::cta|.local|.param|.param::func]"
#define CUBIND_LOAD_CACHES ".ca|.cg|.cs|.lu|.cv"
#define CUBIND_STORE_CACHES ".wb|.cg|.cs|.wt"

constexpr Form forms[] = {
    CUBIND_MEMORY_ROWS("ld", "[.weak] " CUBIND_LOAD_SPACES " [" CUBIND_LOAD_CACHES "]", "=v m", select_load, 1000, 10),
    CUBIND_MEMORY_ROWS("ld", ".volatile .local", "=v m", select_load, 9010, 10),  // no other thread observes the memory
    CUBIND_MEMORY_ROWS("ld", "[.weak] .shared::cluster [" CUBIND_LOAD_CACHES "]", "=v m", select_load, 7080, 90),
    CUBIND_MEMORY_ROWS("ld", ".global .nc [.ca|.cg|.cs] [" CUBIND_L2_PREFETCH "]", "=v m", select_load, 3010, 32),
    CUBIND_MEMORY_ROWS("ld", ".global .nc " CUBIND_L1_PRIORITIES " [" CUBIND_L2_PREFETCH "]", "=v m", select_load, 7040, 70),
    CUBIND_MEMORY_ROWS("ld", "[.weak] [.global] [" CUBIND_LOAD_CACHES "] " CUBIND_L2_PREFETCH, "=v m", select_load, 7040, 75),
    CUBIND_MEMORY_ROWS("ld", "[.weak] [.global] " CUBIND_L1_PRIORITIES " [" CUBIND_L2_PREFETCH "]", "=v m", select_load, 7040,
                       70),
    CUBIND_MEMORY_ROWS("ld", "[.weak] [.global] [" CUBIND_LOAD_CACHES "] .L2::cache_hint [" CUBIND_L2_PREFETCH "]", "=v m b64",
                       select_load, 7040, 80),
    CUBIND_MEMORY_ROWS("ld", "[.weak] [.global] " CUBIND_L1_PRIORITIES " .L2::cache_hint [" CUBIND_L2_PREFETCH "]", "=v m b64",
                       select_load, 7040, 80),
    CUBIND_MEMORY_ROWS("ld", ".global .nc [.ca|.cg|.cs] .L2::cache_hint [" CUBIND_L2_PREFETCH "]", "=v m b64", select_load, 7040,
                       80),
    CUBIND_MEMORY_ROWS("ld", ".global .nc " CUBIND_L1_PRIORITIES " .L2::cache_hint [" CUBIND_L2_PREFETCH "]", "=v m b64",
                       select_load, 7040, 80),
    CUBIND_WIDE_MEMORY_ROWS("ld", "[.weak] [.global]", "=v m", select_load),
    CUBIND_WIDE_MEMORY_ROWS("ld", ".global .nc", "=v m", select_load),
    {"ldu", "[.global] [.v2|.v4] .b8|.u8|.s8|.b16|.u16|.s16|.b32|.u32|.s32|.f32", "=v m", select_load, Flow::none, 2000, 20},
    {"ldu", "[.global] [.v2] .b64|.u64|.s64|.f64", "=v m", select_load, Flow::none, 2000, 20},
    {"ldu", "[.global] .b128", "=v m", select_load, Flow::none, 8030, 70},
    CUBIND_MEMORY_ROWS("st", "[.weak] " CUBIND_STORE_SPACES " [" CUBIND_STORE_CACHES "]", "m v", select_store, 1000, 10),
    CUBIND_MEMORY_ROWS("st", ".volatile .local", "m v", select_store, 9010, 10),
    CUBIND_MEMORY_ROWS("st", "[.weak] .shared::cluster [" CUBIND_STORE_CACHES "]", "m v", select_store, 7080, 90),
    CUBIND_MEMORY_ROWS("st", "[.weak] [.global] " CUBIND_L1_PRIORITIES, "m v", select_store, 7040, 70),
    CUBIND_MEMORY_ROWS("st", "[.weak] [.global] [" CUBIND_STORE_CACHES "] .L2::cache_hint", "m v b64", select_store, 7040, 80),
    CUBIND_MEMORY_ROWS("st", "[.weak] [.global] " CUBIND_L1_PRIORITIES " .L2::cache_hint", "m v b64", select_store, 7040, 80),
    CUBIND_WIDE_MEMORY_ROWS("st", "[.weak] [.global]", "m v", select_store),
};

}  // namespace

Forms memory_forms() {
    return forms;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS
