// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "options/option_check.hpp"

namespace cubind::detail {

/// An option and the flag that it becomes; a flag with a value ends in "=". The release, 12040 for 12.4, is the first with that flag.
struct Flag {
    const char* option;
    const char* text;
    int since = 12000;
};

/// The flags that some options become, in the order in which they are added. What is not set adds none.
class FlagList {
public:
    /// What the tool reads as yes and no.
    FlagList(const char* yes, const char* no) : yes_(yes), no_(no) {}

    void add(const Flag& flag, bool is_set);
    void add(const Flag& flag, std::optional<bool> value);
    void add(const Flag& flag, std::optional<int> value);
    void add(const Flag& flag, const std::string& value);
    void add(const Flag& flag, const std::vector<std::string>& values);
    void add(const Flag& flag, const std::vector<int>& values);

    /// The flags, each of which the tool of this version has to have; version 0 has them all.
    std::vector<std::string> texts(const OptionCheck& check, const char* tool, int version) const;
    /// The first option that is set and its flag; null and nothing where there is none.
    std::pair<const char*, std::string> first() const;
    /// The flags in one line, where those with spaces or quotes are quoted.
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

}  // namespace cubind::detail
