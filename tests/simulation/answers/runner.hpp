// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>

namespace answers {

/// The questions of one group. A child process asks them and writes two lines per question: the name before the call, and the
/// answer after it. If a question ends the child, the parent finds it by its missing answer.
class Group {
public:
    Group(std::string prefix, int descriptor, std::set<std::string> skipped);

    static Group& current();

    std::string begin(const char* text);
    void write(const std::string& name, const std::string& answer);

private:
    void write_line(const std::string& line) const;

    std::string prefix_;
    int descriptor_;
    std::set<std::string> skipped_;
    std::map<std::string, int> occurrences_;
};

/// Runs a group in a child process and prints its answers as lines "PREFIX: NAME: ANSWER". A question that ends the process, or
/// that does not return, is answered with the signal, and the group is run again without it.
void run_group(const std::string& prefix, void (*questions)());

}  // namespace answers
