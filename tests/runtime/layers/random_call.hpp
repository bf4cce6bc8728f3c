// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <random>
#include <sys/mman.h>

#include "layers_test.hpp"
#include "values/arguments.hpp"

namespace cubind::testing {

/// Returns the end of a page that can be read, which is the start of a page that cannot be read.
inline std::byte* end_of_readable_memory() {
    static std::byte* const end = [] {
        constexpr std::size_t page = 1 << 16;
        void* const pages = mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        auto* const middle = static_cast<std::byte*>(pages) + page;
        mprotect(middle, page, PROT_NONE);
        middle[-1] = std::byte{'x'};
        return middle;
    }();
    return end;
}

/// A call of a function with random arguments. The target of a pointer has exactly the size that the spec states.
class RandomCall {
public:
    /// unreadable: pointers to memory that cannot be read, or of which only the first byte can be read; counts may be negative.
    enum class Pointers { valid, mixed, null, unreadable };

    RandomCall(const reflection::LibraryDescription& library, const reflection::Function& function, std::mt19937& random,
               Pointers pointers)
        : library_(library), function_(function), random_(random), pointers_(pointers) {
        for (const auto& parameter : function.parameters) values_.push_back(bytes_for(*parameter.type, is_length(parameter)));
        for (auto& each : values_) arguments_.push_back(each.get());
        arguments_.push_back(nullptr);
        returned_ = std::make_unique<std::byte[]>(std::max<std::size_t>(function.returns->size, 1));
        // Sets targets that are counts first, because the size of other targets depends on them.
        for (const bool lengths : {true, false}) point_all(lengths);
    }

    /// Makes the call through the interceptor, like a wrapper.
    void make() {
        (void)has(**(library_.entry_points().begin() + (&function_ - library_.functions.data())));
        cubind::Call{library_, function_, arguments_.data(), returned_.get(), function_.interceptor()}.proceed();
    }

    /// Writes random results, like a vendor's function.
    void answer(const cubind::Call& call) {
        for (std::size_t index = 0; index < memory_.size(); ++index) {
            const auto& parameter = function_.parameters[index];
            if (memory_[index] == nullptr || parameter.direction == reflection::Direction::in) continue;
            if (!is_length(parameter)) fill(*parameter.type->inner, memory_[index].get(), sizes_[index]);
        }
        if (call.returned != nullptr) fill(*function_.returns, static_cast<std::byte*>(call.returned), function_.returns->size);
        if (call.returns_status() && random_() % 2 == 0) call.status() = 0;
    }

    const std::byte* argument(std::size_t index) const { return values_[index].get(); }
    const std::byte* returned() const { return returned_.get(); }

private:
    using Memory = std::unique_ptr<std::byte[]>;

    bool is_length(const reflection::Parameter& parameter) const {
        const auto position = &parameter - function_.parameters.data();
        for (const auto& each : function_.parameters) {
            if (each.length.number > 0 && (each.length.first == position || each.length.second == position)) return true;
        }
        return false;
    }

    void randomize(std::byte* data, std::size_t size) {
        for (std::size_t index = 0; index < size; ++index) data[index] = static_cast<std::byte>(random_());
    }

    // Fills memory with random bytes. Pointers to texts are valid, because readers cannot detect invalid ones.
    void fill(const reflection::Type& type, std::byte* data, std::size_t size) {
        static const char* const texts[] = {"", "text \"quoted\"\n", "\xff\xe0\x80 no UTF-8 \xed\xa0\x80", nullptr};
        randomize(data, size);
        if (type.kind != reflection::Kind::pointer || type.inner->kind != reflection::Kind::character) return;
        for (std::size_t at = 0; at + sizeof(char*) <= size; at += sizeof(char*))
            std::memcpy(data + at, &texts[random_() % 4], sizeof(char*));
    }

    Memory bytes_for(const reflection::Type& type, bool is_count) {
        auto bytes = std::make_unique<std::byte[]>(std::max<std::size_t>(type.size, 1));
        randomize(bytes.get(), type.size);
        if (type.kind == reflection::Kind::boolean) bytes[0] &= std::byte{1};  // a bool has no other values
        if (is_count && type.kind != reflection::Kind::pointer) set_count(type, bytes.get());
        return bytes;
    }

    void set_count(const reflection::Type& type, std::byte* data) {
        const bool is_negative = pointers_ == Pointers::unreadable && random_() % 3 == 0;
        const unsigned long long count = is_negative ? ~0ull : random_() % 12;
        std::memcpy(data, &count, type.size);
    }

    void point_all(bool lengths) {
        memory_.resize(values_.size());
        sizes_.resize(values_.size());
        for (std::size_t index = 0; index < values_.size(); ++index) {
            const auto& parameter = function_.parameters[index];
            if (parameter.type->kind == reflection::Kind::pointer && is_length(parameter) == lengths) point(index);
        }
    }

    void point(std::size_t index) {
        const auto& parameter = function_.parameters[index];
        const reflection::Type& inner = *parameter.type->inner;
        if (pointers_ == Pointers::unreadable) {
            const std::byte* const wild = end_of_readable_memory() - random_() % 2;
            std::memcpy(values_[index].get(), &wild, sizeof wild);
            return;
        }
        const bool is_null = pointers_ == Pointers::null || (pointers_ == Pointers::mixed && random_() % 3 == 0);
        if (!is_null) {
            const cubind::Call call{library_, function_, arguments_.data(), nullptr, nullptr};
            unsigned long long length = 0;
            const bool is_stated = layers::length_of(call, parameter, length);
            const bool is_text = parameter.shape == reflection::Shape::string;
            sizes_[index] = parameter.shape == reflection::Shape::value   ? inner.size
                            : parameter.length.number == 0                ? 64
                            : !is_stated                                  ? 0
                            : parameter.shape == reflection::Shape::array ? length * inner.size
                                                                          : length;
            if (is_text && parameter.length.number == 0) sizes_[index] = 1 + random_() % 200;
            memory_[index] = std::make_unique<std::byte[]>(sizes_[index]);
            fill(inner, memory_[index].get(), sizes_[index]);
            if (is_text && parameter.length.number == 0) memory_[index][sizes_[index] - 1] = std::byte{0};
            if (is_length(parameter)) set_count(inner, memory_[index].get());
        }
        const void* const pointer = memory_[index].get();
        std::memcpy(values_[index].get(), &pointer, sizeof pointer);
    }

    const reflection::LibraryDescription& library_;
    const reflection::Function& function_;
    std::mt19937& random_;
    Pointers pointers_;
    std::vector<Memory> values_;
    std::vector<void*> arguments_;
    std::vector<Memory> memory_;
    std::vector<std::size_t> sizes_;
    Memory returned_;
};

}  // namespace cubind::testing
