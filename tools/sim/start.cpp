// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "start.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "platform/environment.hpp"
#include "platform/file.hpp"
#include "platform/process.hpp"

namespace {

namespace fs = std::filesystem;

bool may_execute(const std::string& path) {
    return cubind::detail::access_problem(path.c_str(), cubind::detail::FileUse::execute) == 0;
}

bool is_executable(const std::string& path) {
    std::error_code error;
    return fs::is_regular_file(path, error) && may_execute(path);
}

std::string first_line(const std::string& path) {
    std::string line;
    std::getline(std::ifstream(path), line);
    return line;
}

std::string with_interpreter(const char* command, const std::string& path) {
    return std::string("Start a script with its interpreter, such as: ") + command + " python3 " + path;
}

// Explains why a file that exists cannot be started.
std::string explain(const char* command, const std::string& path, int error) {
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) return "It is a folder";
    const std::string line = first_line(path);
    const bool is_script = line.starts_with("#!");
    if (error == ENOENT && is_script) return "The interpreter in its first line does not exist: " + line;
    if (error == ENOENT) return "The dynamic linker that it names does not exist";
    if (error == EACCES && !may_execute(path)) return "The file is not executable. " + with_interpreter(command, path);
    if (error == ENOEXEC && line.starts_with("\x7f"
                                             "ELF"))
        return "It is a program for another kind of machine, or damaged";
    if (error == ENOEXEC)
        return "It is neither a program of this system nor a script with a first line \"#!\". " + with_interpreter(command, path);
    return {};
}

}  // namespace

std::string find_program(const std::string& name) {
    if (name.empty() || name.find('/') != std::string::npos) return name;
    const char* const variable = cubind::detail::environment_variable("PATH");
    std::string_view folders = variable != nullptr ? variable : "/bin:/usr/bin";
    while (true) {
        const std::size_t end = folders.find(':');
        const std::string folder(folders.substr(0, end));
        const std::string path = (folder.empty() ? "." : folder) + "/" + name;
        if (is_executable(path)) return path;
        if (end == std::string_view::npos) return {};
        folders.remove_prefix(end + 1);
    }
}

StartFailure start(char* const* arguments, const char* command) {
    const std::string name = arguments[0];
    std::error_code ignored;
    const std::string path = find_program(name);
    if (path.empty()) {
        std::string text = name.empty() ? "its name is empty" : "no folder of PATH has this program";
        const std::string local = "./" + name;
        if (is_executable(local))
            text += ". It is in the working directory: start " + local;
        else if (fs::is_regular_file(local, ignored))
            text += ". " + with_interpreter(command, name);
        return {true, text};
    }
    const int error = cubind::detail::execute_program(path.c_str(), arguments);
    if (!fs::exists(path, ignored)) return {true, std::strerror(error)};
    const std::string reason = explain(command, path, error);
    return {error == ENOENT, std::strerror(error) + (reason.empty() ? "" : ". " + reason)};
}
