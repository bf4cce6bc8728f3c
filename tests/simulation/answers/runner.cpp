// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "runner.hpp"

#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace answers {

namespace {

constexpr unsigned seconds_per_question = 30;
constexpr char begins = '?';
constexpr char answers_it = '=';

Group* current_group = nullptr;

// Collapses white space, so that the names do not depend on line breaks in the source.
std::string normalize(const char* text) {
    std::string normal;
    for (; *text != '\0'; ++text) {
        const bool is_space = *text == ' ' || *text == '\n' || *text == '\t';
        if (!is_space)
            normal += *text;
        else if (!normal.empty() && normal.back() != ' ')
            normal += ' ';
    }
    return normal;
}

std::vector<std::string> read_lines(int descriptor) {
    std::string all;
    char buffer[4096];
    for (ssize_t count = 0; (count = ::read(descriptor, buffer, sizeof buffer)) > 0;) {
        all.append(buffer, static_cast<std::size_t>(count));
    }
    std::vector<std::string> lines;
    for (std::size_t begin = 0, end = 0; (end = all.find('\n', begin)) != std::string::npos; begin = end + 1) {
        lines.push_back(all.substr(begin, end - begin));
    }
    return lines;
}

struct Run {
    std::vector<std::string> lines;
    int status;
};

Run run_child(const std::string& prefix, void (*questions)(), const std::set<std::string>& skipped) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) std::abort();
    const pid_t child = ::fork();
    if (child < 0) std::abort();
    if (child == 0) {
        ::close(ends[0]);
        Group group(prefix, ends[1], skipped);
        questions();
        ::_exit(0);  // without destructors of the driver, which may wait for unfinished work
    }
    ::close(ends[1]);
    Run run{read_lines(ends[0]), 0};
    ::close(ends[0]);
    ::waitpid(child, &run.status, 0);
    return run;
}

std::string describe(int status) {
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) return "does not return";
    return "ends the process";
}

}  // namespace

Group::Group(std::string prefix, int descriptor, std::set<std::string> skipped)
    : prefix_(std::move(prefix)), descriptor_(descriptor), skipped_(std::move(skipped)) {
    current_group = this;
}

Group& Group::current() {
    return *current_group;
}

std::string Group::begin(const char* text) {
    std::string name = prefix_ + ' ' + normalize(text);
    const int occurrence = ++occurrences_[name];
    if (occurrence > 1) name += " #" + std::to_string(occurrence);
    if (skipped_.count(name) != 0) {
        write_line(begins + name);
        return {};
    }
    write_line(begins + name);
    ::alarm(seconds_per_question);
    return name;
}

void Group::write(const std::string& name, const std::string& answer) {
    ::alarm(0);
    write_line(answers_it + name + ": " + answer);
}

void Group::write_line(const std::string& line) const {
    const std::string text = line + '\n';
    if (::write(descriptor_, text.data(), text.size()) != static_cast<ssize_t>(text.size())) ::_exit(3);
}

void run_group(const std::string& prefix, void (*questions)()) {
    std::map<std::string, std::string> fatal;
    for (;;) {
        std::set<std::string> skipped;
        for (const auto& [name, ending] : fatal) skipped.insert(name);
        const Run run = run_child(prefix, questions, skipped);
        const bool has_ended = WIFEXITED(run.status) && WEXITSTATUS(run.status) == 0;
        const std::string last = run.lines.empty() ? begins + prefix : run.lines.back();
        if (!has_ended && last[0] == begins && skipped.count(last.substr(1)) == 0 && !run.lines.empty()) {
            fatal[last.substr(1)] = describe(run.status);
            continue;
        }
        for (const std::string& line : run.lines) {
            const std::string name = line.substr(1);
            if (line[0] == answers_it)
                std::puts(name.c_str());
            else if (skipped.count(name) != 0)
                std::printf("%s: %s\n", name.c_str(), fatal[name].c_str());
        }
        if (!has_ended) std::printf("%s after the last question: %s\n", prefix.c_str(), describe(run.status).c_str());
        std::fflush(stdout);
        return;
    }
}

}  // namespace answers
