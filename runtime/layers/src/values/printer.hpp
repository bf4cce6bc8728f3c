// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <string>
#include <string_view>

namespace CUBIND_NAMESPACE::layers {

/// Writes values in one notation. In a record, field() precedes each value; in a list, element() does.
class Printer {
public:
    explicit Printer(std::string& out) : out_(out) {}
    virtual ~Printer() = default;

    virtual void begin_record() = 0;
    virtual void field(std::string_view name) = 0;
    virtual void end_record() = 0;
    virtual void begin_list() = 0;
    virtual void element() = 0;
    /// Writes the number of elements that are not printed.
    virtual void omitted(unsigned long long count) = 0;
    virtual void end_list() = 0;

    virtual void null() = 0;
    /// Writes a name, for example of an enumerator or of several.
    virtual void word(std::string_view text) = 0;
    virtual void text(std::string_view text, bool is_cut) = 0;
    virtual void hexadecimal(unsigned long long value) = 0;

    void number(unsigned long long value) { out_ += std::to_string(value); }
    void signed_number(long long value) { out_ += std::to_string(value); }
    virtual void floating(double value) = 0;
    virtual void boolean(bool value) { out_ += value ? "true" : "false"; }

protected:
    std::string& out_;
};

/// Prints cubind's text notation: {x=1, y=[2, 3]}.
class TextPrinter final : public Printer {
public:
    using Printer::Printer;
    void begin_record() override;
    void field(std::string_view name) override;
    void end_record() override;
    void begin_list() override;
    void element() override;
    void omitted(unsigned long long count) override;
    void end_list() override;
    void null() override;
    void word(std::string_view text) override;
    void text(std::string_view text, bool is_cut) override;
    void hexadecimal(unsigned long long value) override;
    void floating(double value) override;

private:
    void separate();
};

/// Prints JSON. Addresses, enumerators and numbers that JSON cannot represent are strings.
class JsonPrinter final : public Printer {
public:
    using Printer::Printer;
    void begin_record() override;
    void field(std::string_view name) override;
    void end_record() override;
    void begin_list() override;
    void element() override;
    void omitted(unsigned long long count) override;
    void end_list() override;
    void null() override;
    void word(std::string_view text) override;
    void text(std::string_view text, bool is_cut) override;
    void hexadecimal(unsigned long long value) override;
    void floating(double value) override;

private:
    void separate();
};

/// Appends 0x and the hexadecimal digits.
void append_hexadecimal(std::string& out, unsigned long long value);

}  // namespace CUBIND_NAMESPACE::layers
