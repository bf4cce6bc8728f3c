// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace cubind::layers {

/// Writes values in one notation. Values within a record follow a field(), those within a list each other.
class Printer {
public:
    explicit Printer(std::string& out) : out_(out) {}
    virtual ~Printer() = default;

    virtual void begin_record() = 0;
    virtual void field(std::string_view name) = 0;
    virtual void end_record() = 0;
    virtual void begin_list() = 0;
    virtual void element() = 0;
    /// Elements that are not shown.
    virtual void omitted(unsigned long long count) = 0;
    virtual void end_list() = 0;

    virtual void null() = 0;
    /// A name: an enumerator, or several.
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

/// cubind's own notation, for people: {x=1, y=[2, 3]}.
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

/// JSON: addresses, enumerators and what no JSON number is are strings.
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

/// Adds the characters with quotes around, and escaped as C++ and JSON both understand it; bytes that are no UTF-8 as their
/// Latin-1 characters.
void append_quoted(std::string& out, std::string_view text, std::string_view after = "");

/// Adds 0x and the digits.
void append_hexadecimal(std::string& out, unsigned long long value);

}  // namespace cubind::layers
