// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "emit/guards.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

namespace cubind::gen::emit {
namespace {

/// A conditional group that has been opened in the merged text.
struct Group {
    std::string_view condition;     ///< the whole line
    bool has_alternatives = false;  ///< #else or #elif
};

/// The last group that has been closed, as long as only blank lines follow it.
struct Closed {
    Group group;
    std::size_t end_line = 0;  ///< where its #endif begins in the merged text
};

class Merger {
public:
    std::string merge(std::string_view text) {
        merged_.reserve(text.size());
        for (std::size_t begin = 0; begin < text.size();) {
            const std::size_t end = std::min(text.find('\n', begin), text.size());
            add(text.substr(begin, end - begin));
            begin = end + 1;
        }
        return std::move(merged_);
    }

private:
    void add(std::string_view line) {
        if (line.starts_with("#if")) {
            if (closed_ && closed_->group.condition == line && !closed_->group.has_alternatives) {
                merged_.erase(closed_->end_line, std::string_view("#endif\n").size());
                open_.push_back(closed_->group);
                closed_.reset();
                return;
            }
            append(line);
            open_.push_back({line});
            closed_.reset();
        } else if (line == "#endif" && !open_.empty()) {
            closed_ = Closed{open_.back(), merged_.size()};
            open_.pop_back();
            append(line);
        } else {
            if (line.starts_with("#el") && !open_.empty()) open_.back().has_alternatives = true;
            if (!line.empty()) closed_.reset();
            append(line);
        }
    }

    void append(std::string_view line) {
        merged_ += line;
        merged_ += '\n';
    }

    std::string merged_;
    std::vector<Group> open_;
    std::optional<Closed> closed_;
};

}  // namespace

std::string merge_guards(std::string text) {
    return text.find("\n#if") == std::string::npos ? std::move(text) : Merger().merge(text);
}

}  // namespace cubind::gen::emit
