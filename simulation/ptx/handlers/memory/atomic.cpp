// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Atomic operations and reductions.
#include "ptx/handlers/memory/atomic_values.hpp"
#include "ptx/handlers/memory/locate.hpp"
#include "ptx/handlers/vector_families.hpp"
#include "ptx/run/block.hpp"

namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS {

namespace {

/// The active threads in the order of their operations. The seed of the launch selects the first.
class LaneOrder {
public:
    explicit LaneOrder(const Warp& warp) : mask_(warp.mask) {
        const std::uint64_t seed = warp.block.grid->request.seed;
        if (seed != 0) first_ = static_cast<unsigned>((seed ^ warp.block.linear_index ^ warp.index) * 0x9e3779b97f4a7c15u >> 59);
    }
    template <class Call>
    void for_each(Call call) const {
        for (std::uint32_t rest = std::rotr(mask_, static_cast<int>(first_)); rest != 0; rest &= rest - 1) {
            call((static_cast<unsigned>(__builtin_ctz(rest)) + first_) % warp_size);
        }
    }

private:
    std::uint32_t mask_;
    unsigned first_ = 0;
};

/// The sources of an operation, and where the old values of the memory go.
template <class Type>
struct Operands {
    const Type* first;
    const Type* second;
    Type* old;
};

template <class Operation, class Type>
Type update_atomically(std::uintptr_t address, Type first, Type second) {
    if constexpr (requires { Operation::fetch(address, first); }) {
        return Operation::fetch(address, first);
    } else {
        auto old = load_atomic<__ATOMIC_RELAXED, Type>(address);
        while (!compare_exchange(address, old, Operation::apply(old, first, second, true))) {
        }
        return old;
    }
}

// The threads of a warp that update one element do so one after the other, and no other thread comes between them.
template <class Operation, class Type>
void update_one(const LaneOrder& lanes, std::uintptr_t address, const Operands<Type>& operands) {
    auto old = load_atomic<__ATOMIC_RELAXED, Type>(address);
    Type value;
    do {
        value = old;
        lanes.for_each([&](unsigned lane) {
            operands.old[lane] = value;
            value = Operation::apply(value, operands.first[lane], operands.second[lane], true);
        });
    } while (!compare_exchange(address, old, value));
}

template <class Operation, class Type>
void update_each(const LaneOrder& lanes, const Location& location, std::uintptr_t offset, const Operands<Type>& operands) {
    lanes.for_each([&](unsigned lane) {
        const std::uintptr_t address = location.of(lane) + offset;
        if ((location.global_lanes >> lane & 1) != 0) {
            operands.old[lane] = update_atomically<Operation>(address, operands.first[lane], operands.second[lane]);
            return;
        }
        // One thread of the simulation runs all threads of a block, which share this memory.
        Element<Type>* const element = element_at<Type>(address);
        operands.old[lane] = element->value;
        element->value = Operation::apply(element->value, operands.first[lane], operands.second[lane], false);
    });
}

template <class Operation, bool is_reduction>
const Instruction* update(Warp& warp, const Instruction* instruction) {
    using Type = typename Operation::Type;
    if constexpr (!is_reduction) warp.poll();
    constexpr unsigned max_length = sizeof(Type) == 2 ? 8 : sizeof(Type) == 4 ? 4 : 1;
    const AccessKind kind = AccessKind::unpack(instruction->extra);
    const unsigned length = kind.vector_length;
    unsigned next = is_reduction ? 0 : length;
    Location location;
    locate(warp, instruction, kind, slot_of(instruction, next), length * unsigned{sizeof(Type)}, location);
    if (kind.pointer_bytes != 0) ++next;
    const bool is_one = location.is_regular && location.stride == 0 && location.global_lanes != 0;
    const LaneOrder lanes(warp);
    // A destination may be a source of another element.
    alignas(64) Type old[max_length][warp_size];
    for (unsigned item = 0; item < length; ++item) {
        const Type* const first = warp.from<Type>(slot_of(instruction, next + item));
        constexpr bool has_second = std::is_same_v<Operation, CompareAndSwap<Type>>;
        const Operands<Type> operands{first, has_second ? warp.from<Type>(slot_of(instruction, next + 1)) : first, old[item]};
        if (is_one) {
            update_one<Operation>(lanes, location.begin + item * sizeof(Type), operands);
        } else {
            update_each<Operation>(lanes, location, item * sizeof(Type), operands);
        }
    }
    for (unsigned item = 0; !is_reduction && item < length; ++item) {
        if (instruction->slots[item] == no_slot) continue;
        Type* const to = warp.to<Type>(instruction->slots[item]);
        lanes.for_each([&](unsigned lane) { to[lane] = old[item][lane]; });
    }
    return instruction + 1;
}

template <class Operation>
Handler select_operation(const Choice& choice) {
    const bool is_reduction = (choice.extra >> 31) != 0;
    return is_reduction ? update<Operation, true> : update<Operation, false>;
}

template <template <class> class Make>
Handler select_bits(Choice& choice) {
    return bytes_of_type(choice.modifiers.type()) == 4 ? select_operation<Make<std::uint32_t>>(choice)
                                                       : select_operation<Make<std::uint64_t>>(choice);
}

template <template <class> class Make>
Handler select_number(Choice& choice) {
    const std::string_view type = choice.modifiers.type();
    if (type == ".s32") return select_operation<Make<std::int32_t>>(choice);
    if (type == ".s64") return select_operation<Make<std::int64_t>>(choice);
    return select_bits<Make>(choice);
}

template <template <class> class Make>
Handler select_half(Choice& choice) {
    const std::string_view type = choice.modifiers.type();
    if (type == ".f16") return select_operation<Make<Half>>(choice);
    if (type == ".bf16") return select_operation<Make<Bfloat16>>(choice);
    if (type == ".f16x2") return select_operation<Packed<Make<Half>>>(choice);
    if (type == ".bf16x2") return select_operation<Packed<Make<Bfloat16>>>(choice);
    return nullptr;
}

// Selects by the operation and the type, whether the text has a result or not.
Handler select_any(Choice& choice) {
    const Modifiers& modifiers = choice.modifiers;
    const std::string_view type = modifiers.type();
    const int bytes = bytes_of_type(type);
    if (modifiers.has(".noftz")) {
        if (modifiers.has(".add")) return select_half<AddHalf>(choice);
        return modifiers.has(".min") ? select_half<MinimumHalf>(choice) : select_half<MaximumHalf>(choice);
    }
    if (modifiers.has(".add")) {
        if (type == ".f32") return select_operation<AddSingle>(choice);
        if (type == ".f64") return select_operation<AddDouble>(choice);
        return select_bits<Add>(choice);
    }
    if (modifiers.has(".min")) return select_number<Minimum>(choice);
    if (modifiers.has(".max")) return select_number<Maximum>(choice);
    if (modifiers.has(".inc")) return select_operation<Increment>(choice);
    if (modifiers.has(".dec")) return select_operation<Decrement>(choice);
    if (modifiers.has(".and")) return select_bits<And>(choice);
    if (modifiers.has(".or")) return select_bits<Or>(choice);
    if (modifiers.has(".xor")) return select_bits<Xor>(choice);
    if (modifiers.has(".exch")) {
        return bytes == 16 ? select_operation<Exchange<Bits128>>(choice) : select_bits<Exchange>(choice);
    }
    if (bytes == 2) return select_operation<CompareAndSwap<std::uint16_t>>(choice);
    return bytes == 16 ? select_operation<CompareAndSwap<Bits128>>(choice) : select_bits<CompareAndSwap>(choice);
}

template <bool is_reduction>
Handler select(Choice& choice) {
    const std::uint32_t kind = AccessKind::of(choice, AccessAction::update).pack();
    choice.extra = kind | std::uint32_t{is_reduction} << 31;
    const Handler handler = select_any(choice);
    choice.extra = kind;
    return handler;
}

#define CUBIND_SCOPES "[.cta|.cluster|.gpu|.sys]"
#define CUBIND_ATOM "[.relaxed|.acquire|.release|.acq_rel] " CUBIND_SCOPES " "
#define CUBIND_RED "[.relaxed|.release] " CUBIND_SCOPES " "
#define CUBIND_SPACES "[.global|.shared|.shared::cta] "

// Rows of one operation: atomic operations and reductions, with a policy for the cache and without.
#define CUBIND_ROWS(spaces, operation, type, value, isa, target)                                                        \
    {"atom", CUBIND_ATOM spaces operation " " type, "=" value " m " value, select<false>, Flow::none, isa, target},     \
        {"red", CUBIND_RED spaces operation " " type, "m " value, select<true>, Flow::none, isa, target},               \
        {"atom",                                                                                                        \
         CUBIND_ATOM "[.global] " operation " .L2::cache_hint " type,                                                   \
         "=" value " m " value " b64",                                                                                  \
         select<false>,                                                                                                 \
         Flow::none,                                                                                                    \
         (isa) > 7040 ? (isa) : 7040,                                                                                   \
         (target) > 80 ? (target) : 80},                                                                                \
    {                                                                                                                   \
        "red", CUBIND_RED "[.global] " operation " .L2::cache_hint " type, "m " value " b64", select<true>, Flow::none, \
            (isa) > 7040 ? (isa) : 7040, (target) > 80 ? (target) : 80                                                  \
    }

// Rows of one operation on the shared memory of the cluster.
#define CUBIND_CLUSTER_ROWS(operation, type)                                                                       \
    {"atom", CUBIND_ATOM ".shared::cluster " operation " " type, "=t m t", select<false>, Flow::none, 7080, 90}, { \
        "red", CUBIND_RED ".shared::cluster " operation " " type, "m t", select<true>, Flow::none, 7080, 90        \
    }

constexpr Form forms[] = {
    CUBIND_ROWS(CUBIND_SPACES, ".add", ".u32|.s32|.u64|.f32", "t", 2000, 20),
    {"atom", CUBIND_ATOM CUBIND_SPACES ".cas .b32|.b64", "=t m t t", select<false>, Flow::none, 2000, 20},
    {"atom", CUBIND_ATOM CUBIND_SPACES ".exch .b32|.b64", "=t m t", select<false>, Flow::none, 2000, 20},
    {"atom", CUBIND_ATOM "[.global] .exch .L2::cache_hint .b32|.b64", "=t m t b64", select<false>, Flow::none, 7040, 80},
    CUBIND_ROWS(CUBIND_SPACES, ".min|.max", ".u32|.s32|.u64|.s64", "t", 2000, 20),
    CUBIND_ROWS(CUBIND_SPACES, ".and|.or|.xor", ".b32|.b64", "t", 2000, 20),
    CUBIND_ROWS(CUBIND_SPACES, ".inc|.dec", ".u32", "t", 2000, 20),
    CUBIND_ROWS(CUBIND_SPACES, ".add", ".f64", "t", 5000, 60),
    CUBIND_ROWS(CUBIND_SPACES, ".add .noftz", ".f16x2", "t", 6020, 60),
    CUBIND_ROWS(CUBIND_SPACES, ".add .noftz", ".f16", "t", 6030, 70),
    CUBIND_ROWS(CUBIND_SPACES, ".add .noftz", ".bf16|.bf16x2", "t", 7080, 90),
    {"atom", CUBIND_ATOM CUBIND_SPACES ".cas .b16", "=t m t t", select<false>, Flow::none, 6030, 70},
    {"atom", CUBIND_ATOM CUBIND_SPACES ".cas .b128", "=t m t t", select<false>, Flow::none, 8030, 90},
    {"atom", CUBIND_ATOM CUBIND_SPACES ".exch .b128", "=t m t", select<false>, Flow::none, 8030, 90},
    {"atom", CUBIND_ATOM "[.global] .exch .L2::cache_hint .b128", "=t m t b64", select<false>, Flow::none, 8030, 90},
    CUBIND_CLUSTER_ROWS(".add", ".u32|.s32|.u64|.f32|.f64"),
    CUBIND_CLUSTER_ROWS(".min|.max", ".u32|.s32|.u64|.s64"),
    CUBIND_CLUSTER_ROWS(".and|.or|.xor", ".b32|.b64"),
    CUBIND_CLUSTER_ROWS(".inc|.dec", ".u32"),
    CUBIND_CLUSTER_ROWS(".add .noftz", ".f16|.f16x2|.bf16|.bf16x2"),
    {"atom", CUBIND_ATOM ".shared::cluster .cas .b16|.b32|.b64", "=t m t t", select<false>, Flow::none, 7080, 90},
    {"atom", CUBIND_ATOM ".shared::cluster .cas .b128", "=t m t t", select<false>, Flow::none, 8030, 90},
    {"atom", CUBIND_ATOM ".shared::cluster .exch .b32|.b64", "=t m t", select<false>, Flow::none, 7080, 90},
    {"atom", CUBIND_ATOM ".shared::cluster .exch .b128", "=t m t", select<false>, Flow::none, 8030, 90},
    CUBIND_ROWS("[.global] ", ".add", ".v2|.v4 .f32", "v", 8010, 90),
    CUBIND_ROWS("[.global] ", ".add|.min|.max .noftz", ".v2|.v4|.v8 .f16|.bf16", "v", 8010, 90),
    CUBIND_ROWS("[.global] ", ".add|.min|.max .noftz", ".v2|.v4 .f16x2|.bf16x2", "v", 8010, 90),
};

}  // namespace

Forms atomic_forms() {
    return forms;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS
