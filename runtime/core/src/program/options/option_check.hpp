// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace CUBIND_NAMESPACE::detail {

/// Returns the text in quotes. Quotes and backslashes in it are preceded by a backslash; NUL becomes \0.
std::string in_quotes(std::string_view text);

/// Checks the values of options. A check that fails throws std::invalid_argument with the message "OWNER::OPTION is VALUE: what
/// is allowed".
class OptionCheck {
public:
    /// Creates a check. `owner` is the name of the class of the options.
    explicit OptionCheck(const char* owner) : owner_(owner) {}

    /// Throws with this value and a sentence on what is allowed.
    [[noreturn]] void refuse(const char* option, const std::string& value, const char* allowed) const;

    /// Checks that the value is empty or names an architecture.
    void architecture(const char* option, const std::string& value) const;
    /// Checks that the value, or each value, is at least `minimum`, which is 0 or 1.
    void at_least(int minimum, const char* option, std::optional<int> value) const;
    void at_least(int minimum, const char* option, const std::vector<int>& values) const;
    /// Checks that the text has no NUL, at which a compiler ends it.
    void text(const char* option, const std::string& value) const;
    /// Checks that no text is empty or has a NUL.
    void texts(const char* option, const std::vector<std::string>& values) const;
    /// Checks that the tool is of release `since`, 12040 for 12.4, or newer. Version 0 is new enough. `flag` is the flag that
    /// needs it.
    void release(const char* option, const std::string& flag, const char* tool, int since, int version) const;

private:
    const char* owner_;
};

}  // namespace CUBIND_NAMESPACE::detail
