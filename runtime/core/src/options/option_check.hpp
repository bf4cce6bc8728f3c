// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cubind::detail {

/// The text between quotes; quotes and backslashes in it get a backslash, NUL becomes \0.
std::string quoted(std::string_view text);

/// Checks of what options are set to, which throw std::invalid_argument "OWNER::OPTION is VALUE: what is allowed".
class OptionCheck {
public:
    explicit OptionCheck(const char* owner) : owner_(owner) {}

    [[noreturn]] void refuse(const char* option, const std::string& value, const char* allowed) const;

    /// Empty, or the name of an architecture.
    void architecture(const char* option, const std::string& value) const;
    void at_least(int least, const char* option, std::optional<int> value) const;
    void at_least(int least, const char* option, const std::vector<int>& values) const;
    /// No NUL, at which the compiler would take the text for ended.
    void text(const char* option, const std::string& value) const;
    /// The same for each, and none may be empty.
    void texts(const char* option, const std::vector<std::string>& values) const;
    /// A tool that is not older than `since`, 12040 for 12.4; version 0 is new enough. `what` is what the option asks of it.
    void release(const char* option, const std::string& what, const char* tool, int since, int version) const;

private:
    const char* owner_;
};

}  // namespace cubind::detail
