// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "program.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utility>

#include "platform/descriptor.hpp"
#include "platform/environment.hpp"
#include "start.hpp"

namespace cubind::prof {

namespace {

using cubind::detail::Descriptor;

int shell_status(int status) {
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

[[noreturn]] void execute(char* const* arguments, const char* process_variable, const sigset_t& signals, int pipe) {
    ::sigprocmask(SIG_SETMASK, &signals, nullptr);
    int error = 0;
    if (process_variable != nullptr)
        error = cubind::detail::set_environment_variable(process_variable, std::to_string(::getpid()).c_str());
    const StartFailure failure = error != 0 ? StartFailure{false, std::strerror(error)} : start(arguments, "cubind-prof");
    const std::string text = (failure.is_missing ? "m" : "x") + failure.text;
    (void)cubind::detail::write_all(pipe, text.data(), text.size());
    ::_exit(cannot_start);
}

// Returns what the child wrote because it could not execute the program; the pipe is closed when it does.
std::string read_failure(int pipe) {
    std::string text(4096, '\0');
    text.resize(cubind::detail::read_all(pipe, text.data(), text.size()).bytes);
    return text;
}

/// The processes of a program.
class Processes {
public:
    Processes(pid_t first, bool follows) : first_(first), follows_(follows) {}

    /// Returns whether all of them have ended.
    bool have_ended() {
        for (;;) {
            int status = 0;
            const pid_t ended = ::waitpid(follows_ ? -1 : first_, &status, WNOHANG);
            if (ended == first_) {
                status_ = shell_status(status);
                has_first_ended_ = true;
                if (!follows_) return true;
            }
            if (ended < 0 && errno != EINTR) return true;
            if (ended == 0) return false;
        }
    }
    bool has_first_ended() const { return has_first_ended_; }
    int status() const { return status_; }

private:
    const pid_t first_;
    const bool follows_;
    bool has_first_ended_ = false;
    int status_ = 0;
};

// Returns the signal that came, or 0 after the time.
int wait_for_signal(const sigset_t& signals, long milliseconds, siginfo_t& info) {
    const timespec time{milliseconds / 1000, milliseconds % 1000 * 1'000'000};
    const int signal = ::sigtimedwait(&signals, &info, &time);
    return signal > 0 ? signal : 0;
}

}  // namespace

std::string privilege_problem(const std::string& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) return {};
    const bool is_setuid = (status.st_mode & S_ISUID) != 0, is_setgid = (status.st_mode & S_ISGID) != 0;
    const char* const kind = is_setuid                                                         ? "is a setuid program"
                             : is_setgid                                                       ? "is a setgid program"
                             : ::getxattr(path.c_str(), "security.capability", nullptr, 0) > 0 ? "has file capabilities"
                                                                                               : nullptr;
    if (kind == nullptr) return {};
    return path + " " + kind +
           ": the driver ignores the environment of such a program, so that it loads no profiler. Profile a copy of the file "
           "without these privileges";
}

ProgramEnd run_program(char* const* arguments, bool follows, const char* process_variable, const ProgramWatch& watch) {
    sigset_t signals, before;
    ::sigemptyset(&signals);
    for (const int each : {SIGCHLD, SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGUSR2}) ::sigaddset(&signals, each);
    ::sigprocmask(SIG_BLOCK, &signals, &before);
    if (follows) ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);  // without it, processes that are left behind are not waited for
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return {std::strerror(errno), cannot_start};
    const Descriptor reader(ends[0]);
    Descriptor writer(ends[1]);
    const pid_t child = ::fork();
    if (child < 0) return {std::strerror(errno), cannot_start};
    if (child == 0) execute(arguments, process_variable, before, writer.number());
    writer = Descriptor();
    if (const std::string failure = read_failure(reader.number()); !failure.empty()) {
        ::waitpid(child, nullptr, 0);
        return {failure.substr(1), failure[0] == 'm' ? is_missing : cannot_start};
    }
    Processes processes(child, follows);
    bool is_told = false;
    while (!processes.have_ended()) {
        constexpr long half_a_second = 500, minute = 60'000;
        siginfo_t info{};
        const int signal = wait_for_signal(signals, watch.tick ? half_a_second : minute, info);
        if (signal == 0 && watch.tick) watch.tick();
        if (processes.has_first_ended() && !std::exchange(is_told, true)) watch.others_remain(0);
        if (signal == 0 || signal == SIGCHLD) continue;
        if (processes.has_first_ended()) return {{}, processes.status(), true};
        const bool is_from_terminal = info.si_code == SI_KERNEL;  // which sends it to the program, too
        if (!is_from_terminal) ::kill(child, signal);
    }
    return {{}, processes.status()};
}

bool has_terminal() noexcept {
    return ::isatty(cubind::detail::standard_error) != 0;
}

}  // namespace cubind::prof
