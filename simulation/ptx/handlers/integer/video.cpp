// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Instructions for video with parts of registers. ptxas emits several instructions of sm_90 for each of them. For the forms here,
// these instructions compute the low 32 bits of the exact result. The forms with .sat, .min, .max, .shr7 and .shr15 are not
// supported, because ptxas treats their intermediate results with other signs than the types have.
#include "ptx/handlers/integer/video.hpp"

#include "ptx/run/warp.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

namespace {

enum class Operation : std::uint8_t { add, subtract, difference, least, greatest, shift_left, shift_right, compare, multiply };
enum class Comparison : std::uint8_t { equal, not_equal, less, less_equal, greater, greater_equal };
enum class Third : std::uint8_t { none, merged, added };  ///< how the third source changes the result

/// The contents of Instruction::extra.
struct Video {
    Operation operation;
    Comparison comparison = Comparison::equal;
    Third third = Third::none;
    bool is_first_signed = false;
    bool is_second_signed = false;
    bool has_wrapped_count = false;
    bool has_one_more = false;
    bool is_product_negated = false;
    bool is_third_negated = false;
    std::uint8_t destination_part = 0;
    std::uint8_t first_part = 0;
    std::uint8_t second_part = 0;

    std::uint32_t pack() const noexcept {
        std::uint32_t extra = 0;
        unsigned at = 0;
        const auto add = [&](auto value, unsigned bits) {
            extra |= static_cast<std::uint32_t>(value) << at;
            at += bits;
        };
        add(operation, 4), add(comparison, 3), add(third, 2), add(is_first_signed, 1), add(is_second_signed, 1);
        add(has_wrapped_count, 1), add(has_one_more, 1), add(is_product_negated, 1), add(is_third_negated, 1);
        add(destination_part, 3), add(first_part, 3), add(second_part, 3);
        return extra;
    }
    static Video unpack(std::uint32_t extra) noexcept {
        const auto take = [&](unsigned bits) {
            const std::uint32_t value = extra & ((1u << bits) - 1);
            extra >>= bits;
            return static_cast<std::uint8_t>(value);
        };
        Video video{static_cast<Operation>(take(4))};
        video.comparison = static_cast<Comparison>(take(3));
        video.third = static_cast<Third>(take(2));
        for (bool* const flag : {&video.is_first_signed, &video.is_second_signed, &video.has_wrapped_count, &video.has_one_more,
                                 &video.is_product_negated, &video.is_third_negated})
            *flag = take(1) != 0;
        for (std::uint8_t* const part : {&video.destination_part, &video.first_part, &video.second_part}) *part = take(3);
        return video;
    }
};

struct Bits {
    unsigned first;
    unsigned count;
    std::uint32_t mask() const noexcept { return count == 32 ? ~0u : (1u << count) - 1; }
};
constexpr Bits parts[] = {{0, 32}, {0, 8}, {8, 8}, {16, 8}, {24, 8}, {0, 16}, {16, 16}};

std::int64_t extract(std::uint32_t word, std::uint8_t part, bool is_signed) noexcept {
    const Bits bits = parts[part];
    const std::int64_t value = word >> bits.first & bits.mask();
    return is_signed && (value >> (bits.count - 1) & 1) != 0 ? value - (std::int64_t{1} << bits.count) : value;
}

bool compare(Comparison comparison, std::int64_t a, std::int64_t b) noexcept {
    switch (comparison) {
        case Comparison::equal:
            return a == b;
        case Comparison::not_equal:
            return a != b;
        case Comparison::less:
            return a < b;
        case Comparison::less_equal:
            return a <= b;
        case Comparison::greater:
            return a > b;
        default:
            return a >= b;
    }
}

// Returns the low bits of the result of the first two sources.
std::uint32_t compute(const Video& video, std::int64_t a, std::int64_t b) noexcept {
    constexpr std::int64_t most = 32;
    const std::int64_t count = video.has_wrapped_count ? b % most : b > most ? most : b;
    switch (video.operation) {
        case Operation::add:
            return static_cast<std::uint32_t>(a + b);
        case Operation::subtract:
            return static_cast<std::uint32_t>(a - b);
        case Operation::difference:
            return static_cast<std::uint32_t>(a < b ? b - a : a - b);
        case Operation::least:
            return static_cast<std::uint32_t>(a < b ? a : b);
        case Operation::greatest:
            return static_cast<std::uint32_t>(a < b ? b : a);
        case Operation::shift_left:
            return static_cast<std::uint32_t>(static_cast<std::uint64_t>(a) << count);
        case Operation::shift_right:
            return static_cast<std::uint32_t>(a >> count);
        case Operation::compare:
            return compare(video.comparison, a, b) ? 1 : 0;
        default: {
            const auto product = static_cast<std::uint32_t>(a) * static_cast<std::uint32_t>(b);
            return (video.is_product_negated ? 0 - product : product) + (video.has_one_more ? 1 : 0);
        }
    }
}

std::uint32_t combine(const Video& video, std::uint32_t result, std::uint32_t third) noexcept {
    if (video.third == Third::none) return result;
    if (video.third == Third::added) return video.is_third_negated ? result - third : result + third;
    const Bits bits = parts[video.destination_part];
    const std::uint32_t mask = bits.mask() << bits.first;
    // In the code of ptxas 13.0, the upper half of a destination receives the upper half of the result.
    const bool is_upper_half = bits.first == 16 && bits.mask() == 0xffff;
    return (third & ~mask) | ((is_upper_half ? result : result << bits.first) & mask);
}

const Instruction* run_video(Warp& warp, const Instruction* instruction) {
    const Video video = Video::unpack(instruction->extra);
    std::uint32_t* const to = warp.to<std::uint32_t>(instruction->slots[0]);
    const std::uint32_t* const first = warp.from<std::uint32_t>(instruction->slots[1]);
    const std::uint32_t* const second = warp.from<std::uint32_t>(instruction->slots[2]);
    const std::uint32_t* const third = video.third == Third::none ? first : warp.from<std::uint32_t>(instruction->slots[3]);
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        if ((warp.mask >> lane & 1) == 0) continue;
        const std::uint32_t result = compute(video, extract(first[lane], video.first_part, video.is_first_signed),
                                             extract(second[lane], video.second_part, video.is_second_signed));
        to[lane] = combine(video, result, third[lane]);
    }
    return instruction + 1;
}

template <Operation operation>
Handler select(Choice& choice) {
    const Modifiers& modifiers = choice.modifiers;
    const bool is_product = operation == Operation::multiply;
    const bool has_third = choice.slots == 4;
    Video video{operation};
    const bool has_count = operation == Operation::shift_left || operation == Operation::shift_right;
    video.is_second_signed = !has_count && modifiers.type() == ".s32";
    video.is_first_signed = modifiers.type(1) == ".s32";
    video.has_wrapped_count = modifiers.has(".wrap");
    video.has_one_more = modifiers.has(".po");
    static constexpr std::string_view comparisons[] = {".eq", ".ne", ".lt", ".le", ".gt", ".ge"};
    for (const std::string_view& each : comparisons) {
        if (modifiers.has(each)) video.comparison = static_cast<Comparison>(&each - comparisons);
    }
    video.destination_part = choice.parts[0].number;
    video.first_part = choice.parts[1].number;
    video.second_part = choice.parts[2].number;
    video.is_product_negated = choice.parts[1].is_negated != choice.parts[2].is_negated;
    video.is_third_negated = choice.parts[3].is_negated;
    const bool is_added = is_product || modifiers.has(".add");
    video.third = !has_third ? Third::none : is_added ? Third::added : Third::merged;
    // ptxas rejects the following combinations.
    bool is_negated = choice.parts[0].is_negated;
    for (const OperandPart& each : choice.parts) is_negated |= each.is_negated;
    if (choice.parts[0].is_negated || choice.parts[3].number != 0 || (is_negated && (!is_product || video.has_one_more)))
        return nullptr;
    if (video.is_third_negated && (choice.parts[1].is_negated || choice.parts[2].is_negated)) return nullptr;
    if ((video.third == Third::merged) != (video.destination_part != 0)) return nullptr;
    choice.extra = video.pack();
    return run_video;
}

#define CUBIND_TYPES ".u32|.s32 .u32|.s32 .u32|.s32"
#define CUBIND_ARITHMETIC(opcode, operation)                                                                      \
    {opcode, CUBIND_TYPES, "=u u u", select<operation>}, {opcode, CUBIND_TYPES, "=u u u u", select<operation>}, { \
        opcode, CUBIND_TYPES " .add", "=u u u u", select<operation>                                               \
    }
#define CUBIND_COMPARISON ".u32|.s32 .u32|.s32 .eq|.ne|.lt|.le|.gt|.ge"
#define CUBIND_SHIFT(opcode, operation)                                                     \
    {opcode, ".u32|.s32 .u32|.s32 .u32 .clamp|.wrap", "=u u u", select<operation>},         \
        {opcode, ".u32|.s32 .u32|.s32 .u32 .clamp|.wrap", "=u u u u", select<operation>}, { \
        opcode, ".u32|.s32 .u32|.s32 .u32 .clamp|.wrap .add", "=u u u u", select<operation> \
    }

constexpr Form forms[] = {
    CUBIND_ARITHMETIC("vadd", Operation::add),
    CUBIND_ARITHMETIC("vsub", Operation::subtract),
    CUBIND_ARITHMETIC("vabsdiff", Operation::difference),
    CUBIND_ARITHMETIC("vmin", Operation::least),
    CUBIND_ARITHMETIC("vmax", Operation::greatest),
    CUBIND_SHIFT("vshl", Operation::shift_left),
    CUBIND_SHIFT("vshr", Operation::shift_right),
    {"vset", CUBIND_COMPARISON, "=u u u", select<Operation::compare>},
    {"vset", CUBIND_COMPARISON, "=u u u u", select<Operation::compare>},
    {"vset", CUBIND_COMPARISON " .add", "=u u u u", select<Operation::compare>},
    {"vmad", CUBIND_TYPES " [.po]", "=u u u u", select<Operation::multiply>},
};

}  // namespace

Forms video_forms() {
    return forms;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx
