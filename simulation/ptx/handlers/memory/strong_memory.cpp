// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Strong loads and stores, which other threads may observe at any time: those with .volatile, .mmio or an order. Each element is
// an atomic access of the host. The order is at least as strong as the one of the text, for all scopes.
#include "ptx/handlers/memory/kernel_memory.hpp"
#include "ptx/handlers/memory/locate.hpp"
#include "ptx/handlers/memory/memory_forms.hpp"
#include "ptx/handlers/vector_families.hpp"

namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS {

namespace {

template <class Type, class Value, int order>
const Instruction* load(Warp& warp, const Instruction* instruction) {
    warp.poll();
    const AccessKind kind = AccessKind::unpack(instruction->extra);
    const unsigned length = kind.vector_length;
    Location location;
    locate(warp, instruction, kind, slot_of(instruction, length), length * unsigned{sizeof(Type)}, location);
    for (unsigned item = 0; item < length; ++item) {
        const std::uint32_t slot = instruction->slots[item];
        for (std::uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
            const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
            const auto element = load_atomic<order, Type>(location.of(lane) + item * sizeof(Type));
            if (slot != no_slot) warp.to<Value>(slot)[lane] = static_cast<Value>(element);
        }
    }
    return instruction + 1;
}

template <class Type, class Value, int order>
const Instruction* store(Warp& warp, const Instruction* instruction) {
    const AccessKind kind = AccessKind::unpack(instruction->extra);
    const unsigned length = kind.vector_length;
    const unsigned first = kind.pointer_bytes != 0 ? 1 : 0;
    Location location;
    locate(warp, instruction, kind, instruction->slots[0], length * unsigned{sizeof(Type)}, location);
    for (unsigned item = 0; item < length; ++item) {
        const Value* const from = warp.from<Value>(slot_of(instruction, first + item));
        for (std::uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
            const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
            store_atomic<order, Type>(location.of(lane) + item * sizeof(Type), static_cast<Type>(from[lane]));
        }
    }
    return instruction + 1;
}

template <class Type, class Value>
struct Load {
    static constexpr Handler relaxed = load<Type, Value, __ATOMIC_RELAXED>;
    static constexpr Handler ordered = load<Type, Value, __ATOMIC_ACQUIRE>;
};
template <class Type, class Value>
struct Store {
    static constexpr Handler relaxed = store<Type, Value, __ATOMIC_RELAXED>;
    static constexpr Handler ordered = store<Type, Value, __ATOMIC_RELEASE>;
};

template <template <class, class> class Make, class Type, class Value>
Handler for_pair(bool is_ordered) {
    if constexpr (sizeof(Type) <= sizeof(Value)) {
        return is_ordered ? Make<Type, Value>::ordered : Make<Type, Value>::relaxed;
    } else {
        return nullptr;
    }
}

template <template <class, class> class Make, class Type>
Handler for_register(unsigned bytes, bool is_ordered) {
    switch (bytes) {
        case 2:
            return for_pair<Make, Type, std::uint16_t>(is_ordered);
        case 4:
            return for_pair<Make, Type, std::uint32_t>(is_ordered);
        case 8:
            return for_pair<Make, Type, std::uint64_t>(is_ordered);
        default:
            return nullptr;
    }
}

Handler select_load(Choice& choice) {
    choice.extra = AccessKind::of(choice, AccessAction::load).pack();
    const std::string_view type = choice.modifiers.type();
    const unsigned bytes = choice.bytes[0];
    const bool is_ordered = choice.modifiers.has(".acquire");
    if (type == ".s8") return for_register<Load, std::int8_t>(bytes, is_ordered);
    if (type == ".s16") return for_register<Load, std::int16_t>(bytes, is_ordered);
    if (type == ".s32") return for_register<Load, std::int32_t>(bytes, is_ordered);
    switch (bytes_of_type(type)) {
        case 1:
            return for_register<Load, std::uint8_t>(bytes, is_ordered);
        case 2:
            return for_register<Load, std::uint16_t>(bytes, is_ordered);
        case 4:
            return for_register<Load, std::uint32_t>(bytes, is_ordered);
        case 8:
            return for_register<Load, std::uint64_t>(bytes, is_ordered);
        case 16:
            return bytes == 16 ? for_pair<Load, Bits128, Bits128>(is_ordered) : nullptr;
        default:
            return nullptr;
    }
}

Handler select_store(Choice& choice) {
    choice.extra = AccessKind::of(choice, AccessAction::store).pack();
    const unsigned bytes = choice.bytes[choice.pointer_bytes != 0 ? 1 : 0];
    const bool is_ordered = choice.modifiers.has(".release");
    switch (bytes_of_type(choice.modifiers.type())) {
        case 1:
            return for_register<Store, std::uint8_t>(bytes, is_ordered);
        case 2:
            return for_register<Store, std::uint16_t>(bytes, is_ordered);
        case 4:
            return for_register<Store, std::uint32_t>(bytes, is_ordered);
        case 8:
            return for_register<Store, std::uint64_t>(bytes, is_ordered);
        case 16:
            return bytes == 16 ? for_pair<Store, Bits128, Bits128>(is_ordered) : nullptr;
        default:
            return nullptr;
    }
}

#define CUBIND_STRONG_SPACES "[.global|.shared|.shared::cta]"
#define CUBIND_SCOPES ".cta|.cluster|.gpu|.sys"

constexpr Form forms[] = {
    CUBIND_MEMORY_ROWS("ld", ".volatile " CUBIND_STRONG_SPACES, "=v m", select_load, 1000, 10),
    CUBIND_MEMORY_ROWS("ld", ".volatile .shared::cluster", "=v m", select_load, 7080, 90),
    CUBIND_MEMORY_ROWS("ld", ".relaxed|.acquire " CUBIND_SCOPES " .shared::cluster", "=v m", select_load, 7080, 90),
    CUBIND_MEMORY_ROWS("ld", ".volatile [.global] " CUBIND_L2_PREFETCH, "=v m", select_load, 7040, 75),
    CUBIND_MEMORY_ROWS("ld", ".relaxed|.acquire " CUBIND_SCOPES " " CUBIND_STRONG_SPACES, "=v m", select_load, 6000, 70),
    CUBIND_MEMORY_ROWS("ld", ".relaxed|.acquire " CUBIND_SCOPES " [.global] [" CUBIND_L1_PRIORITIES "] [" CUBIND_L2_PREFETCH "]",
                       "=v m", select_load, 7040, 70),
    CUBIND_MEMORY_ROWS(
        "ld", ".relaxed|.acquire " CUBIND_SCOPES " [.global] [" CUBIND_L1_PRIORITIES "] .L2::cache_hint [" CUBIND_L2_PREFETCH "]",
        "=v m b64", select_load, 7040, 80),
    CUBIND_WIDE_MEMORY_ROWS("ld", ".relaxed|.acquire " CUBIND_SCOPES " [.global]", "=v m", select_load),
    {"ld", ".mmio .relaxed .sys [.global] .b8|.u8|.s8|.b16|.u16|.s16|.b32|.u32|.s32|.f32|.b64|.u64|.s64|.f64", "=v m",
     select_load, Flow::none, 8020, 70},
    {"ld", ".mmio .relaxed .sys [.global] .b128", "=v m", select_load, Flow::none, 8030, 70},
    CUBIND_MEMORY_ROWS("st", ".volatile " CUBIND_STRONG_SPACES, "m v", select_store, 1000, 10),
    CUBIND_MEMORY_ROWS("st", ".volatile .shared::cluster", "m v", select_store, 7080, 90),
    CUBIND_MEMORY_ROWS("st", ".relaxed|.release " CUBIND_SCOPES " .shared::cluster", "m v", select_store, 7080, 90),
    CUBIND_MEMORY_ROWS("st", ".relaxed|.release " CUBIND_SCOPES " " CUBIND_STRONG_SPACES, "m v", select_store, 6000, 70),
    CUBIND_MEMORY_ROWS("st", ".relaxed|.release " CUBIND_SCOPES " [.global] " CUBIND_L1_PRIORITIES, "m v", select_store, 7040,
                       70),
    CUBIND_MEMORY_ROWS("st", ".relaxed|.release " CUBIND_SCOPES " [.global] [" CUBIND_L1_PRIORITIES "] .L2::cache_hint",
                       "m v b64", select_store, 7040, 80),
    CUBIND_WIDE_MEMORY_ROWS("st", ".relaxed|.release " CUBIND_SCOPES " [.global]", "m v", select_store),
    {"st", ".mmio .relaxed .sys [.global] .b8|.u8|.s8|.b16|.u16|.s16|.b32|.u32|.s32|.f32|.b64|.u64|.s64|.f64", "m v",
     select_store, Flow::none, 8020, 70},
    {"st", ".mmio .relaxed .sys [.global] .b128", "m v", select_store, Flow::none, 8030, 70},
};

}  // namespace

Forms strong_memory_forms() {
    return forms;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS
