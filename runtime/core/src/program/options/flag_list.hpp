// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "program/options/option_check.hpp"

namespace CUBIND_NAMESPACE::detail {

/// The flag for an option. The text of a flag with a value ends in "=". `since` is the first release with the flag, 12040
/// for 12.4.
struct Flag {
    const char* option;
    const char* text;
    int since = 12000;
};

/// The flags for the options that are set, in the order in which they are added. Options that are not set add none.
class FlagList {
public:
    /// Creates an empty list. `yes` and `no` are the tool's words for true and false.
    FlagList(const char* yes, const char* no) : yes_(yes), no_(no) {}

    void add(const Flag& flag, bool is_set);
    void add(const Flag& flag, std::optional<bool> value);
    void add(const Flag& flag, std::optional<int> value);
    void add(const Flag& flag, const std::string& value);
    void add(const Flag& flag, const std::vector<std::string>& values);
    void add(const Flag& flag, const std::vector<int>& values);

    /// Returns the flags. Throws std::invalid_argument if this version of the tool lacks one of them; version 0 accepts all
    /// flags.
    std::vector<std::string> texts(const OptionCheck& check, const char* tool, int version) const;
    /// Returns the first option that is set, and its flag; nullptr and "" if none is set.
    std::pair<const char*, std::string> first() const;
    /// Returns the flags in one line. Flags with spaces or quotes are quoted.
    std::string line() const;

private:
    struct Entry {
        const char* option;
        int since;
        std::string text;
    };
    void append(const Flag& flag, const std::string& value) { entries_.push_back({flag.option, flag.since, flag.text + value}); }

    const char* yes_;
    const char* no_;
    std::vector<Entry> entries_;
};

}  // namespace CUBIND_NAMESPACE::detail
