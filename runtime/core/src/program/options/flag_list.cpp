// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "program/options/flag_list.hpp"

namespace CUBIND_NAMESPACE::detail {

void FlagList::add(const Flag& flag, bool is_set) {
    if (is_set) append(flag, {});
}

void FlagList::add(const Flag& flag, std::optional<bool> value) {
    if (value) append(flag, *value ? yes_ : no_);
}

void FlagList::add(const Flag& flag, std::optional<int> value) {
    if (value) append(flag, std::to_string(*value));
}

void FlagList::add(const Flag& flag, const std::string& value) {
    if (!value.empty()) append(flag, value);
}

void FlagList::add(const Flag& flag, const std::vector<std::string>& values) {
    for (const std::string& value : values) append(flag, value);
}

void FlagList::add(const Flag& flag, const std::vector<int>& values) {
    for (const int value : values) append(flag, std::to_string(value));
}

std::vector<std::string> FlagList::texts(const OptionCheck& check, const char* tool, int version) const {
    std::vector<std::string> texts;
    texts.reserve(entries_.size());
    for (const Entry& entry : entries_) {
        check.release(entry.option, entry.text, tool, entry.since, version);
        texts.push_back(entry.text);
    }
    return texts;
}

std::pair<const char*, std::string> FlagList::first() const {
    if (entries_.empty()) return {nullptr, {}};
    return {entries_.front().option, entries_.front().text};
}

std::string FlagList::line() const {
    std::string line;
    for (const Entry& entry : entries_) {
        if (!line.empty()) line += ' ';
        const bool is_plain = entry.text.find_first_of(" \t\r\n\"\\'") == std::string::npos;
        line += is_plain ? entry.text : in_quotes(entry.text);
    }
    return line;
}

}  // namespace CUBIND_NAMESPACE::detail
