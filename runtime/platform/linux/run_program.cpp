// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "platform/run_program.hpp"

#include <algorithm>
#include <cerrno>
#include <spawn.h>
#include <string_view>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "platform/descriptor.hpp"
#include "platform/environment.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

constexpr int input_number = 3;

/// What the child does between its creation and the start of the program.
class Actions {
public:
    Actions() noexcept { error_ = ::posix_spawn_file_actions_init(&actions_); }
    Actions(const Actions&) = delete;
    Actions& operator=(const Actions&) = delete;
    ~Actions() { ::posix_spawn_file_actions_destroy(&actions_); }

    void give(const Descriptor& file, int number) noexcept {
        if (error_ == 0) error_ = ::posix_spawn_file_actions_adddup2(&actions_, file.number(), number);
    }
    int error() const noexcept { return error_; }
    const posix_spawn_file_actions_t* get() const noexcept { return &actions_; }

private:
    posix_spawn_file_actions_t actions_;
    int error_;
};

std::string content_of(const Descriptor& file) {
    std::string text;
    const off_t size = ::lseek(file.number(), 0, SEEK_END);
    if (size <= 0 || ::lseek(file.number(), 0, SEEK_SET) < 0) return text;
    text.resize(static_cast<std::size_t>(size));
    text.resize(read_all(file.number(), text.data(), text.size()).bytes);
    return text;
}

/// The entries of this process but for those that `replacements` has, and the replacements. Ends with null.
std::vector<char*> entries_with(const std::vector<std::string>& replacements) {
    std::vector<char*> entries;
    const auto is_replaced = [&](std::string_view entry) {
        const std::string_view name = entry.substr(0, entry.find('=') + 1);
        return std::ranges::any_of(replacements, [&](const std::string& each) { return each.starts_with(name); });
    };
    for (char** entry = environment_entries(); entry != nullptr && *entry != nullptr; ++entry) {
        if (!is_replaced(*entry)) entries.push_back(*entry);
    }
    for (const std::string& each : replacements) entries.push_back(const_cast<char*>(each.c_str()));
    entries.push_back(nullptr);
    return entries;
}

}  // namespace

std::string path_of_program_output() {
    return "/proc/self/fd/1";
}

std::string path_of_program_input() {
    return "/proc/self/fd/" + std::to_string(input_number);
}

ProgramResult run_program(const std::string& path, const std::vector<std::string>& arguments, const void* input, std::size_t size,
                          const std::vector<std::string>& environment) {
    ProgramResult result;
    const Descriptor files[] = {Descriptor(::memfd_create("input", MFD_CLOEXEC)),
                                Descriptor(::memfd_create("output", MFD_CLOEXEC)),
                                Descriptor(::memfd_create("errors", MFD_CLOEXEC))};
    for (const Descriptor& file : files) {
        if (!file) result.error = errno;
    }
    if (result.error == 0) result.error = write_all(files[0].number(), input, size).error;
    if (result.error != 0) return result;
    Actions actions;
    actions.give(files[1], 1);
    actions.give(files[2], 2);
    actions.give(files[0], input_number);
    std::vector<char*> pointers{const_cast<char*>(path.c_str())};
    for (const std::string& argument : arguments) pointers.push_back(const_cast<char*>(argument.c_str()));
    pointers.push_back(nullptr);
    const std::vector<char*> entries = entries_with(environment);
    pid_t child = -1;
    result.error = actions.error() != 0
                       ? actions.error()
                       : ::posix_spawn(&child, path.c_str(), actions.get(), nullptr, pointers.data(), entries.data());
    if (result.error != 0) return result;
    while (::waitpid(child, &result.status, 0) < 0) {
        if (errno == EINTR) continue;
        result.error = errno;  // the process ignores the end of its children
        return result;
    }
    result.output = content_of(files[1]);
    result.errors = content_of(files[2]);
    return result;
}

}  // namespace CUBIND_NAMESPACE::detail
