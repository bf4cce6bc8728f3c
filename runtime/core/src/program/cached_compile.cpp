// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "program/cached_compile.hpp"

#include <cstdint>
#include <cstring>
#include <string_view>

namespace CUBIND_NAMESPACE::detail {
namespace {

// The stored bytes are the code, then texts that are each preceded by their length, and then the length of the code.
using Length = std::uint64_t;

void add_number(std::string& out, std::size_t number) {
    const Length length = number;
    out.append(reinterpret_cast<const char*>(&length), sizeof length);
}

void add_text(std::string& out, const std::string& text) {
    add_number(out, text.size());
    out.append(text);
}

/// Reads from the front of the remaining bytes, and records whether there were too few.
class Reader {
public:
    explicit Reader(std::string_view left) : left_(left) {}

    bool is_at_end() const { return left_.empty() || has_failed_; }
    bool has_failed() const { return has_failed_; }

    std::string text() {
        Length length = 0;
        const std::string_view number = take(sizeof length);
        if (has_failed_) return {};
        std::memcpy(&length, number.data(), sizeof length);
        return std::string(take(length));
    }

private:
    std::string_view take(std::size_t size) {
        has_failed_ = has_failed_ || size > left_.size();
        if (has_failed_) return {};
        const std::string_view taken = left_.substr(0, size);
        left_.remove_prefix(size);
        return taken;
    }

    std::string_view left_;
    bool has_failed_ = false;
};

}  // namespace

Bytes pack(const Compiled& compiled) {
    std::string text(reinterpret_cast<const char*>(compiled.code.data()), compiled.code.size());
    add_text(text, compiled.log);
    for (const auto& [expression, symbol] : compiled.symbol_mapping) {
        add_text(text, expression);
        add_text(text, symbol);
    }
    add_number(text, compiled.code.size());
    return Bytes::copy_of(text.data(), text.size());
}

std::optional<Compiled> unpack(const Bytes& packed) {
    Length code_size = 0;
    if (packed.size() < sizeof code_size) return {};
    const std::size_t end = packed.size() - sizeof code_size;
    std::memcpy(&code_size, packed.data() + end, sizeof code_size);
    if (code_size == 0 || code_size > end) return {};
    const auto owner = std::make_shared<const Bytes>(packed);
    Compiled compiled;
    compiled.code = Bytes(std::shared_ptr<const std::byte[]>(owner, packed.data()), code_size);
    Reader reader({reinterpret_cast<const char*>(packed.data()) + code_size, end - code_size});
    compiled.log = reader.text();
    while (!reader.is_at_end()) {
        std::string expression = reader.text();
        compiled.symbol_mapping.emplace_back(std::move(expression), reader.text());
    }
    if (reader.has_failed()) return {};
    return compiled;
}

Compiled compile_cached(ProgramCache& cache, const CacheKey& key, const std::function<Compiled()>& compile,
                        const std::function<CacheKey()>& current_key) {
    struct InputsChanged {};
    std::optional<Compiled> compiled;
    const auto compile_now = [&] {
        compiled = compile();
        if (current_key() != key) throw InputsChanged();
        return pack(*compiled);
    };
    try {
        const Bytes cached = cache.get_or_compile(key, compile_now);
        if (compiled) return std::move(*compiled);
        if (auto found = unpack(cached)) return std::move(*found);
        // A user-defined cache may return any bytes. They are replaced.
        cache.put(key, compile_now());
    } catch (const InputsChanged&) {
        // The cache stores nothing. A thread that waits for this result compiles the program itself.
    }
    return std::move(*compiled);
}

}  // namespace CUBIND_NAMESPACE::detail
