// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// The formatting of printf() in device code. The conversions are those of the host.
#include <algorithm>
#include <cstdio>
#include <limits>

#include "ptx/handlers/control/builtins.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

namespace {

// The limit of the text of one call: the default size of a GPU's buffer for all of them (CU_LIMIT_PRINTF_FIFO_SIZE). An H200
// (driver 580.159.04) writes 2 GB for a width of two billions, which would exhaust the memory of the host.
constexpr std::size_t max_printed = 8650752;

// Of an H200: it writes later conversions as they are, and returns at most 32 as their number.
constexpr int max_conversions = 64;
constexpr int max_count = 32;

/// The size of an integer argument as the letters before the conversion give it.
enum class Length { byte, half, word, wide };

/// Reads the arguments that device code has stored in a structure, each at its own alignment.
class Arguments {
public:
    Arguments(const BuiltinCall& call, std::uint64_t address) : call_(call), address_(address) {}

    template <class Value>
    Value take() {
        address_ = (address_ + sizeof(Value) - 1) / sizeof(Value) * sizeof(Value);
        const Value value = call_.read<Value>(address_);
        address_ += sizeof(Value);
        ++count_;
        return value;
    }
    std::string text_at(std::uint64_t address) const { return call_.read_text(address); }
    int count() const noexcept { return count_; }

private:
    const BuiltinCall& call_;
    std::uint64_t address_;
    int count_ = 0;
};

constexpr bool is_digit(char c) noexcept {
    return c >= '0' && c <= '9';
}

template <class Value>
void append(std::string& text, const std::string& conversion, Value value) {
    char buffer[128];
    const int size = std::snprintf(buffer, sizeof buffer, conversion.c_str(), value);
    if (size < 0) return;
    const auto length = static_cast<std::size_t>(size);
    if (length < sizeof buffer) {
        text.append(buffer, length);
        return;
    }
    const std::size_t begin = text.size();
    text.resize(begin + length + 1);
    std::snprintf(text.data() + begin, length + 1, conversion.c_str(), value);
    text.resize(begin + length);
}

/// Formats one text.
class Formatter {
public:
    Formatter(std::string format, Arguments& arguments) : format_(std::move(format)), arguments_(arguments) {}

    std::string run() {
        while (at_ < format_.size() && text_.size() < max_printed) {
            const bool may_convert = conversions_ < max_conversions;
            const std::size_t percent = may_convert ? std::min(format_.find('%', at_), format_.size()) : format_.size();
            text_.append(format_, at_, percent - at_);
            at_ = percent;
            if (at_ < format_.size()) convert();
        }
        text_.resize(std::min(text_.size(), max_printed));
        return std::move(text_);
    }

private:
    char next() const noexcept { return at_ < format_.size() ? format_[at_] : '\0'; }

    // Reads a number or '*'. A negative width means the flag '-' and a width. A negative precision means no precision.
    void read_number(std::string& conversion) {
        constexpr std::int64_t max_int = std::numeric_limits<std::int32_t>::max();
        std::int64_t number = 0;
        if (next() == '*') {
            ++at_;
            number = arguments_.take<std::int32_t>();
        } else {
            if (!is_digit(next())) return;
            for (; is_digit(next()); ++at_) number = std::min(number * 10 + (next() - '0'), max_int + 1);
        }
        is_too_wide_ |= number > max_int;
        // The rest of a longer text would be cut.
        const auto limit = static_cast<std::int64_t>(max_printed - text_.size());
        number = std::clamp(number, -limit, limit);
        const bool is_precision = conversion.ends_with('.');
        if (is_precision && number < 0) {
            conversion.pop_back();
        } else {
            conversion += std::to_string(number);
        }
    }

    Length read_length() {
        Length length = Length::word;
        for (;; ++at_) {
            const char c = next();
            if (c == 'h') {
                length = length == Length::half ? Length::byte : Length::half;
            } else if (c == 'l' || c == 'j' || c == 'z' || c == 't' || c == 'L' || c == 'q') {
                length = Length::wide;
            } else {
                return length;
            }
        }
    }

    void convert() {
        const std::size_t begin = at_++;
        std::string conversion = "%";
        is_too_wide_ = false;
        for (; std::string_view("-+ #0'").find(next()) != std::string_view::npos && next() != '\0'; ++at_) conversion += next();
        read_number(conversion);
        if (next() == '.') {
            ++at_;
            conversion += '.';
            read_number(conversion);
        }
        const Length length = read_length();
        const char kind = next();
        if (kind != '\0') ++at_;
        const std::size_t end = text_.size();
        if (kind != '%') ++conversions_;
        switch (kind) {
            case '%':
                text_ += '%';
                break;
            case 'd':
            case 'i':
                append_signed(conversion, length);
                break;
            case 'o':
            case 'u':
            case 'x':
            case 'X':
                append_unsigned(conversion, length, kind);
                break;
            case 'c':
                append(text_, conversion + kind, arguments_.take<std::int32_t>());
                break;
            case 'e':
            case 'E':
            case 'f':
            case 'F':
            case 'g':
            case 'G':
            case 'a':
            case 'A':
                append(text_, conversion + kind, arguments_.take<double>());
                break;
            case 'p':
                append(text_, conversion + kind, reinterpret_cast<const void*>(arguments_.take<std::uint64_t>()));
                break;
            case 's':
                append(text_, conversion + kind, arguments_.text_at(arguments_.take<std::uint64_t>()).c_str());
                break;
            default:
                text_.append(format_, begin, at_ - begin);  // no conversion
                --conversions_;
                return;
        }
        if (is_too_wide_) text_.resize(end);  // as the host and an H200 do
    }

    void append_signed(const std::string& conversion, Length length) {
        long long value = 0;
        if (length == Length::wide) {
            value = arguments_.take<std::int64_t>();
        } else {
            value = arguments_.take<std::int32_t>();
            if (length == Length::half) value = static_cast<std::int16_t>(value);
            if (length == Length::byte) value = static_cast<std::int8_t>(value);
        }
        append(text_, conversion + "lld", value);
    }

    void append_unsigned(const std::string& conversion, Length length, char kind) {
        unsigned long long value = 0;
        if (length == Length::wide) {
            value = arguments_.take<std::uint64_t>();
        } else {
            value = arguments_.take<std::uint32_t>();
            if (length == Length::half) value = static_cast<std::uint16_t>(value);
            if (length == Length::byte) value = static_cast<std::uint8_t>(value);
        }
        append(text_, conversion + "ll" + kind, value);
    }

    const std::string format_;
    Arguments& arguments_;
    std::size_t at_ = 0;
    int conversions_ = 0;
    bool is_too_wide_ = false;  ///< whether the width or the precision of the conversion exceeds the numbers of the host
    std::string text_;
};

}  // namespace

std::string format_text(const BuiltinCall& call, std::uint64_t format, std::uint64_t arguments, int& count) {
    Arguments all(call, arguments);
    std::string text = Formatter(call.read_text(format), all).run();
    count += std::min(all.count(), max_count);
    return text;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx
