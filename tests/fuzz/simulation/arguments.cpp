// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "arguments.hpp"

#include "host_memory.hpp"

namespace cubind::fuzz {

namespace {

constexpr std::uint64_t small_sizes[] = {0,  1,   2,   3,   4,   5,   8,    12,   16,    31,      32,
                                         64, 100, 256, 511, 512, 513, 1024, 4096, 65536, 1 << 20, 2 << 20};
// Sizes that exceed any available memory. Sizes between these and the small sizes could exhaust the memory of the host.
constexpr std::uint64_t huge_sizes[] = {1ull << 43, 1ull << 47,  1ull << 62, (1ull << 63) - 1,
                                        1ull << 63, ~0ull - 511, ~0ull - 1,  ~0ull};
constexpr std::uint64_t words[] = {0,   1,   2,   3,    4,    5,     6,     8,          16,         32,         64,
                                   128, 255, 256, 1024, 4096, 65535, 65536, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff};
constexpr std::uint64_t wrong_handles[] = {1, 2, 3, 16, 0xdead0000, 0x100008, ~0ull - 15, ~0ull};
constexpr double reals[] = {0, 1, -1, 0.5, 1e300, -1e-300, __builtin_nan(""), __builtin_inf()};
constexpr std::uint64_t max_elements = 256;
constexpr std::size_t max_kernel_arguments = 64;

template <class Value, std::size_t Count>
Value pick_one(const Value (&values)[Count], Choices& choices) {
    return values[choices.below(Count)];
}

void write_address(std::byte* at, const void* address) {
    std::memcpy(at, &address, sizeof address);
}

}  // namespace

std::uint64_t read_number(const std::byte* at, std::size_t size) {
    std::uint64_t value = 0;
    std::memcpy(&value, at, size);
    return value;
}

void write_number(std::byte* at, std::size_t size, std::uint64_t value) {
    std::memcpy(at, &value, size);
}

bool is_present(const std::byte* record, const Field& field, std::uint64_t selector) {
    if (field.tag_offset == -1) return true;
    if (field.tag_offset < -1)
        return selector % static_cast<std::uint64_t>(-1 - field.tag_offset) == static_cast<std::uint64_t>(field.tag_value);
    int tag = 0;
    std::memcpy(&tag, record + field.tag_offset, sizeof tag);
    return tag == field.tag_value;
}

std::byte* Arguments::allocate(std::size_t bytes) {
    return allocations_.emplace_back(std::make_unique<std::byte[]>(bytes)).get();
}

std::byte* Arguments::copy_of(const void* data, std::size_t bytes) {
    std::byte* const copy = allocate(bytes);
    std::memcpy(copy, data, bytes);
    return copy;
}

std::byte* Arguments::array(const Type& element, std::uint64_t count, bool is_filled) {
    if (count > max_elements || choices_.one_in(32)) return nullptr;
    std::byte* const first = allocate(count * element.size);
    for (std::size_t index = 0; is_filled && index < count; ++index) fill(first + index * element.size, element);
    return first;
}

std::byte* Arguments::bytes(std::uint64_t size) {
    if (!limits_.is_tame || size > host_memory::max_bytes || choices_.one_in(32)) return nullptr;
    return host_memory::address(choices_);
}

std::byte* Arguments::kernel_arguments() {
    if (choices_.one_in(8)) return nullptr;
    std::byte* const pointers = allocate(max_kernel_arguments * sizeof(void*));
    for (std::size_t index = 0; index < max_kernel_arguments; ++index) {
        write_address(pointers + index * sizeof(void*), host_memory::address(choices_));
    }
    return pointers;
}

std::byte* Arguments::kernel_extra() {
    if (!choices_.one_in(4)) return nullptr;
    // A list of keys, each followed by its value: 1 and the buffer, 2 and the size of the buffer. A null key ends the list.
    const std::uint64_t size = choices_.below(256);
    const void* const list[] = {reinterpret_cast<void*>(std::uintptr_t{1}), host_memory::address(choices_),
                                reinterpret_cast<void*>(std::uintptr_t{2}), copy_of(&size, sizeof size), nullptr};
    const std::size_t skipped = choices_.one_in(8) ? 2 : 0;
    return copy_of(list + skipped, sizeof list - skipped * sizeof *list);
}

std::uint64_t Arguments::address() {
    const std::uint64_t choice = choices_.below(16);
    if (choice == 0) return 0;
    if (choice == 1) return reinterpret_cast<std::uintptr_t>(bytes(0));
    if (choice == 2 && limits_.may_be_any_address) return pick_one(wrong_handles, choices_);
    std::uint64_t value = 0;
    pools_.pick(address_pool, reinterpret_cast<std::byte*>(&value), sizeof value, choices_);
    constexpr std::uint64_t offsets[] = {0, 0, 0, 0, 1, 4, 16, 512};
    value += pick_one(offsets, choices_);
    // Some calls return an address that an earlier call received and that was invented. No memory has such a low or high address.
    const bool is_invented = value < std::uint64_t{1} << 32 || value >= std::uint64_t{1} << 47;
    const bool is_host_memory = host_memory::contains(value);
    return is_invented || (is_host_memory && !limits_.is_tame) ? 0 : value;
}

std::uint64_t Arguments::handle(const Type& type) {
    if (type.first == address_pool) {
        const std::uint64_t picked = address();
        // The 32-bit addresses of the first versions of functions cannot hold 64-bit addresses.
        return type.size == 8 || limits_.may_be_any_address ? picked : 0;
    }
    const std::uint64_t choice = choices_.below(32);
    if (choice == 0) return 0;
    if (choice == 1) return pick_one(wrong_handles, choices_);
    std::uint64_t value = 0;
    const std::size_t pool = choice == 2 ? choices_.below(pool_count()) : type.first;
    pools_.pick(pool, reinterpret_cast<std::byte*>(&value), type.size, choices_);
    return value;
}

std::uint64_t Arguments::number(std::size_t size, std::size_t max_value) {
    // 0 and 1 are valid in combination with most other arguments.
    const bool is_plain = choices_.one_in(2);
    if (max_value != 0 && (limits_.is_tame || !choices_.one_in(4)))
        return is_plain ? choices_.below(2) : choices_.below(max_value + 1);
    if (size <= 2) return choices_.below(0x10000);
    if (size == 4) return is_plain ? 1 : choices_.one_in(2) ? choices_.below(3) : pick_one(words, choices_);
    return !limits_.is_tame && choices_.one_in(2) ? pick_one(huge_sizes, choices_) : pick_one(small_sizes, choices_);
}

void Arguments::fill(std::byte* at, const Type& type, std::size_t max_value) {
    switch (type.kind) {
        case Kind::number:
            return write_number(at, type.size, number(type.size, max_value));
        case Kind::handle:
            return write_number(at, type.size, handle(type));
        case Kind::callback:
            return write_address(at, choices_.one_in(8) ? nullptr : callback_at(type.first));
        case Kind::pointer:
            return write_address(at, type.size == sizeof(void*) ? bytes(0) : nullptr);
        case Kind::record:
            return fill_record(at, type);
        case Kind::enumerator: {
            const auto values = values_of(type);
            const bool is_valid = !values.empty() && !choices_.one_in(16);
            return write_number(
                at, type.size,
                is_valid ? static_cast<std::uint64_t>(values[choices_.below(values.size())]) : pick_one(words, choices_));
        }
        case Kind::real: {
            const double value = pick_one(reals, choices_);
            const float narrow = static_cast<float>(value);
            std::memcpy(at, type.size == sizeof value ? static_cast<const void*>(&value) : &narrow, type.size);
            return;
        }
        case Kind::array: {
            const Type& element = type_at(type.first);
            // Text and reserved fields are usually zero, as in most programs.
            if (element.kind == Kind::number && !choices_.one_in(16)) return;
            for (std::size_t index = 0; index < type.count; ++index) fill(at + index * element.size, element, max_value);
            return;
        }
    }
}

void Arguments::fill_record(std::byte* record, const Type& type) {
    if (choices_.one_in(4)) return pools_.pick(type.pool, record, type.size, choices_);
    const std::uint64_t selector = choices_.below(64);
    // Fills values first, because they determine the lengths of arrays and which fields are present.
    for (const Field& field : fields_of(type)) {
        if (field.passing == Passing::value && is_present(record, field, selector))
            fill(record + field.offset, type_at(field.type), field.max_value);
    }
    for (const Field& field : fields_of(type)) {
        if (field.passing != Passing::value && is_present(record, field, selector)) fill_pointer(record, field);
    }
}

void Arguments::fill_pointer(std::byte* record, const Field& field) {
    std::byte* const at = record + field.offset;
    switch (field.passing) {
        case Passing::bytes:
            return write_address(at, bytes(0));
        case Passing::kernel_arguments:
            return write_address(at, kernel_arguments());
        case Passing::kernel_extra:
            return write_address(at, kernel_extra());
        case Passing::array: {
            if (depth_ == 4) return;
            ++depth_;
            const std::uint64_t count =
                field.length_offset == -1 ? 1 : read_number(record + field.length_offset, field.length_size);
            write_address(at, array(type_at(field.type), count, true));
            --depth_;
            return;
        }
        default:
            return;
    }
}

}  // namespace cubind::fuzz
