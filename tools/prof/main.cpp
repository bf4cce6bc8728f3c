// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// cubind-prof: runs a program, and records what it and the processes that it starts do with CUDA. CUDA_INJECTION64_PATH makes the
// driver load libcubind_prof.so into each process, which writes its records to a file of a temporary folder. This command reads
// the files when the processes have ended, in whatever way they did.
#include <cubind/version.hpp>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <string>
#include <utility>

#include "options.hpp"
#include "outputs.hpp"
#include "platform/environment.hpp"
#include "platform/file.hpp"
#include "platform/process.hpp"
#include "program.hpp"
#include "spool.hpp"
#include "start.hpp"

namespace cubind::prof {

namespace {

namespace fs = std::filesystem;
using cubind::detail::environment_variable;

constexpr int wrong_option = 2, cannot_write = 125;
constexpr const char* injection = "CUDA_INJECTION64_PATH";

/// A problem that ends the command.
struct Failure {
    std::string text;
    int status = wrong_option;
};

void say(const std::string& text) {
    std::fprintf(stderr, "cubind-prof: %s\n", text.c_str());
}

void set(const char* variable, const std::string& value) {
    if (const int error = cubind::detail::set_environment_variable(variable, value.c_str()))
        throw Failure{std::string("cannot set ") + variable + ": " + std::strerror(error)};
}

// Returns the library for the program, which is beside the command in the same place as in an installation.
std::string find_library() {
    std::string self;
    if (const int error = cubind::detail::find_program_file(self))
        throw Failure{"cannot find its own folder: " + std::string(std::strerror(error))};
    std::string path = (fs::path(self).parent_path() / CUBIND_PROF_LIBRARY).lexically_normal().string();
    std::error_code error;
    if (!fs::exists(path, error)) throw Failure{"the library for the program is missing: " + path};
    return path;
}

void prepare_output(const Options& options) {
    if (options.output.empty()) return;
    std::error_code error;
    fs::create_directory(options.output, error);  // no error if it exists
    if (error) throw Failure{"cannot use " + options.output + " as folder of the files: " + error.message()};
}

// Creates the folder for records, on the disk of the outputs if there are files. Returns its absolute path, because the program
// may change its folder.
std::string create_spool(const Options& options) {
    const char* const temporary = environment_variable("TMPDIR");
    std::error_code error;
    fs::path place = temporary != nullptr && *temporary == '/' ? temporary : "/tmp";
    if (options.formats.has_files()) place = fs::current_path(error) / options.output;
    if (error) throw Failure{"the working directory does not exist: " + error.message()};
    for (unsigned number = 0;; ++number) {
        const fs::path folder =
            place / (".cubind-prof-" + std::to_string(cubind::detail::process_id()) + "-" + std::to_string(number));
        const int problem = cubind::detail::create_folder(folder.c_str(), 0700);
        if (problem == 0) return folder.string();
        if (problem != EEXIST) throw Failure{"cannot write to " + place.string() + ": " + std::strerror(problem)};
    }
}

void prepare_environment(const Options& options, const std::string& spool) {
    if (const char* const other = environment_variable(injection); other != nullptr && *other != '\0') {
        throw Failure{std::string(injection) + " is set to " + other +
                      ", so that another profiler is attached, and CUPTI serves one. Unset the variable"};
    }
    const std::string library = find_library();
    set(injection, library);
    set(folder_variable, spool);
    const std::string activities(!options.activities.empty()   ? options.activities
                                 : options.formats.has_files() ? activities_of_files
                                                               : activities_of_table);
    set(activities_variable, activities);
    if (!options.memory.empty()) set(memory_variable, options.memory);
    // The first range of a program can precede its first call of CUDA, so that the library would set the variable too late.
    profile::RecorderOptions recorder;
    (void)read_activities(activities, recorder);
    if (recorder.ranges && environment_variable(nvtx_variable) == nullptr) set(nvtx_variable, library);
}

/// A line on the terminal with the number of records so far.
class Progress {
public:
    explicit Progress(std::string folder) : folder_(std::move(folder)) {}

    void print() {
        unsigned long long records = 0, kernels = 0, processes = 0;
        SpoolHead head;
        for (const std::string& each : spool_files(folder_)) {
            if (!read_head(each, head)) continue;
            ++processes;
            records += head.records;
            kernels += head.kernels;
        }
        const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - start_).count();
        std::fprintf(stderr, "\rcubind-prof: %lld s, %llu kernels, %llu records, %llu processes\033[K",
                     static_cast<long long>(seconds), kernels, records, processes);
        is_shown_ = true;
    }
    void erase() {
        if (std::exchange(is_shown_, false)) std::fputs("\r\033[K", stderr);
    }

private:
    const std::string folder_;
    const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    bool is_shown_ = false;
};

// Prints the result. Returns whether all of it was written.
bool report(const std::string& spool, const Options& options) {
    const Written written = write_outputs(spool, options);
    for (const std::string& each : written.problems) say(each);
    if (!written.has_records) {
        say("no process used CUDA through the driver, or the driver did not load the profiler: it loads none into a static "
            "program, a "
            "setuid program, or one whose environment was cleared");
    } else if (!options.is_quiet) {
        std::fputs(written.summary.c_str(), stderr);
        for (const std::string& each : written.files) say("wrote " + each);
    }
    const std::size_t expected =
        spool_files(spool).size() * static_cast<std::size_t>(options.formats.csv + options.formats.json + options.formats.trace);
    if (written.files.size() == expected) return true;
    say("the records remain in " + spool + "; write them with: cubind-prof --recover " + spool);
    return false;
}

int recover(const Options& options) {
    std::error_code error;
    if (!fs::is_directory(options.recover, error)) throw Failure{options.recover + " is no folder with records"};
    if (spool_files(options.recover).empty()) throw Failure{"there are no records in " + options.recover};
    prepare_output(options);
    return report(options.recover, options) ? 0 : cannot_write;
}

int profile_program(const Options& options, char** arguments) {
    const std::string path = find_program(arguments[0]);
    if (const std::string problem = privilege_problem(path); !path.empty() && !problem.empty())
        throw Failure{problem, cannot_start};
    prepare_output(options);
    const std::string spool = create_spool(options);
    std::error_code ignored;
    ProgramEnd end;
    try {
        prepare_environment(options, spool);
        Progress progress(spool);
        ProgramWatch watch;
        const bool is_shown = !options.is_quiet && has_terminal();
        if (is_shown) watch.tick = [&] { progress.print(); };
        watch.others_remain = [&](unsigned) {
            progress.erase();
            if (is_shown)
                say(std::string(arguments[0]) + " has ended, and processes that it started run on; Ctrl-C ends the waiting");
        };
        end = run_program(arguments, options.follows, options.follows ? nullptr : process_variable, watch);
        progress.erase();
    } catch (...) {
        fs::remove_all(spool, ignored);
        throw;
    }
    if (!end.problem.empty()) {
        fs::remove_all(spool, ignored);
        throw Failure{std::string("cannot start ") + arguments[0] + ": " + end.problem, end.status};
    }
    const bool is_written = report(spool, options);
    if (end.was_interrupted)
        say("processes of the program still run, and write further records to " + spool + "; see --recover");
    else if (is_written)
        fs::remove_all(spool, ignored);
    return end.status == 0 && !is_written ? cannot_write : end.status;
}

int run(const Options& options, char** arguments) {
    if (!options.problem.empty()) throw Failure{options.problem + "; see cubind-prof --help"};
    if (options.help || options.version) {
        const std::string text = options.help ? usage
                                              : "cubind-prof " + std::to_string(CUBIND_VERSION_MAJOR) + "." +
                                                    std::to_string(CUBIND_VERSION_MINOR) + "." +
                                                    std::to_string(CUBIND_VERSION_PATCH) + "\n";
        return std::fputs(text.c_str(), stdout) >= 0 && std::fflush(stdout) == 0 ? 0 : cannot_write;
    }
    return options.recover.empty() ? profile_program(options, arguments + options.program) : recover(options);
}

}  // namespace

}  // namespace cubind::prof

int main(int count, char** arguments) {
    try {
        return cubind::prof::run(cubind::prof::parse_options(count, arguments), arguments);
    } catch (const cubind::prof::Failure& failure) {
        cubind::prof::say(failure.text);
        return failure.status;
    } catch (const std::exception& error) {
        cubind::prof::say(error.what());
        return cubind::prof::cannot_write;
    }
}
