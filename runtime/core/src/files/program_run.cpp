// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "files/program_run.hpp"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <spawn.h>
#include <string_view>
#include <sys/stat.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

#include "errors/misuse.hpp"
#include "platform/environment.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

bool is_program(const std::string& path) noexcept {
    struct stat status;
    return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && ::access(path.c_str(), X_OK) == 0;
}

/// The files of a program that is started.
class FileActions {
public:
    FileActions() {
        if (const int error = ::posix_spawn_file_actions_init(&actions_)) throw std::system_error(error, std::generic_category());
    }
    FileActions(const FileActions&) = delete;
    FileActions& operator=(const FileActions&) = delete;
    ~FileActions() { ::posix_spawn_file_actions_destroy(&actions_); }

    void open(int descriptor, const std::string& path, int flags) {
        if (const int error = ::posix_spawn_file_actions_addopen(&actions_, descriptor, path.c_str(), flags, 0600))
            throw std::system_error(error, std::generic_category());
    }
    const posix_spawn_file_actions_t* native() const noexcept { return &actions_; }

private:
    posix_spawn_file_actions_t actions_;
};

/// Returns what a program needs of the environment: its search paths, its language, its fonts, and a folder for temporary files.
/// A setuid program passes nothing on.
std::vector<std::string> environment_of_program() {
    std::vector<std::string> variables;
    for (const char* const name : {"PATH", "LD_LIBRARY_PATH", "HOME", "TMPDIR", "LANG", "LC_ALL", "XDG_CACHE_HOME",
                                   "XDG_CONFIG_HOME", "FONTCONFIG_FILE", "FONTCONFIG_PATH", "GVBINDIR"}) {
        if (const char* const value = environment_variable(name)) variables.push_back(concat(name, "=", value));
    }
    return variables;
}

/// Returns pointers to the texts, followed by a null pointer. The texts must outlive it.
std::vector<char*> pointers_to(std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    for (std::string& each : texts) pointers.push_back(each.data());
    pointers.push_back(nullptr);
    return pointers;
}

}  // namespace

std::optional<std::string> find_on_path(const std::string& name) {
    const char* const value = environment_variable("PATH");
    std::string_view rest = value != nullptr ? value : "";
    while (!rest.empty()) {
        const std::size_t end = rest.find(':');
        const std::string_view folder = rest.substr(0, end);
        rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
        if (!folder.starts_with('/')) continue;
        std::string candidate = concat(folder, "/", name);
        if (is_program(candidate)) return candidate;
    }
    return std::nullopt;
}

TemporaryFolder::TemporaryFolder() {
    const char* const parent = environment_variable("TMPDIR");
    path_ = concat(parent != nullptr && *parent == '/' ? parent : "/tmp", "/cubind-XXXXXX");
    if (::mkdtemp(path_.data()) == nullptr) {
        throw std::system_error(errno, std::generic_category(), concat("cannot create the temporary folder \"", path_, "\""));
    }
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

std::string run_program(const std::string& program, std::vector<std::string> arguments, const std::string& output,
                        const std::string& errors) {
    FileActions files;
    files.open(STDIN_FILENO, "/dev/null", O_RDONLY);
    files.open(STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC);
    files.open(STDERR_FILENO, errors, O_WRONLY | O_CREAT | O_TRUNC);
    arguments.insert(arguments.begin(), program);
    std::vector<std::string> variables = environment_of_program();
    pid_t child = 0;
    if (const int error = ::posix_spawn(&child, program.c_str(), files.native(), nullptr, pointers_to(arguments).data(),
                                        pointers_to(variables).data()))
        throw std::system_error(error, std::generic_category(), concat("cannot start \"", program, "\""));
    int status = 0;
    while (::waitpid(child, &status, 0) < 0) {
        // A process that ignores SIGCHLD does not learn how the program ended.
        if (errno != EINTR) return {};
    }
    if (WIFSIGNALED(status)) return concat("was ended by signal ", WTERMSIG(status));
    return WEXITSTATUS(status) == 0 ? std::string() : concat("ended with status ", WEXITSTATUS(status));
}

}  // namespace CUBIND_NAMESPACE::detail
