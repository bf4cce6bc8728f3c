// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "program/input_files.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <deque>
#include <filesystem>
#include <memory>
#include <mutex>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "errors/misuse.hpp"
#include "files/hash.hpp"
#include "platform/file.hpp"
#include "platform/fork_hook.hpp"
#include "program/include_scan.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

/// Returns the folder of a path with the slash at its end; empty for a name without a folder.
std::string folder_of(const std::string& path) {
    return path.substr(0, path.rfind('/') + 1);
}

// ---- content of files ----------------------------------------------------------------------------------------------------

struct InputFile {
    Hash hash{};
    IncludeScan scan{};
    /// The folder without symbolic links, and the name in it.
    std::string place{};
    /// Why `hash` is not the hash of the content; empty if it is.
    std::string problem{};
};

std::shared_ptr<const InputFile> file_with_problem(std::string problem) {
    return std::make_shared<const InputFile>(InputFile{.problem = std::move(problem)});
}

/// Identifies a state of a file.
auto state_of(const FileStatus& status) {
    return std::tuple(status.device, status.number, status.size, status.modified, status.changed);
}

/// Returns whether the last change of the file is so old that another change would have a different time.
bool is_settled(const FileStatus& status) {
    constexpr std::time_t coarsest_time = 2;  // seconds, of all file systems
    return std::max(status.modified, status.changed).seconds + coarsest_time < std::time(nullptr);
}

/// Returns an existing file, or nullptr if neither this process nor the compiler can read it.
std::shared_ptr<const InputFile> read_file(const std::string& path) {
    constexpr std::uint64_t max_size = 256 << 20;
    const Descriptor file = open_to_read(path.c_str());
    if (!file && errno == EACCES) return nullptr;
    FileStatus status;
    if (const int error = file ? status_of_file(file.number(), status) : errno) {
        return file_with_problem(concat("cannot be read: ", std::strerror(error)));
    }
    if (status.kind != FileKind::regular) return file_with_problem("is not a regular file");
    if (status.size > max_size) {
        return file_with_problem(concat("its size is ", status.size, " bytes, and the limit for a key is ", max_size));
    }
    std::string text(status.size, '\0');
    char more;
    if (read_all(file.number(), text.data(), text.size()).bytes != text.size() || read_all(file.number(), &more, 1).bytes != 0) {
        return file_with_problem("its content does not have the size that the system states");  // it changes, or is in /proc
    }
    const std::string folder = folder_of(path);
    std::string real;
    if (const int error = find_real_path(folder.empty() ? "." : folder.c_str(), real)) {
        return file_with_problem(concat("its folder cannot be found: ", std::strerror(error)));
    }
    RunningHash hash;
    hash.add(text.data(), text.size());
    InputFile content{hash.value(), scan_includes(text), concat(real, "/", path.substr(folder.size())), {}};
    return std::make_shared<const InputFile>(std::move(content));
}

/// The files that this process has read for keys. Their state is compared at each use.
class FileTable {
public:
    static FileTable& get() {
        static auto& table = *new FileTable;  // never destroyed: code that runs at exit may use it
        return table;
    }

    /// Returns the file, or nullptr if there is none that the compiler can read.
    std::shared_ptr<const InputFile> find(const std::string& path) {
        FileStatus status;
        if (status_of_path(path.c_str(), status) != 0 || status.kind == FileKind::folder) return nullptr;
        // A relative path may name another file once the working directory has changed. The comparison of the states detects
        // this.
        {
            const std::lock_guard guard(mutex_);
            const auto known = files_.find(path);
            if (known != files_.end() && known->second.state == state_of(status)) return known->second.file;
        }
        std::shared_ptr<const InputFile> file = read_file(path);
        if (file && file->problem.empty() && is_settled(status)) {
            const std::lock_guard guard(mutex_);
            files_.insert_or_assign(path, Entry{state_of(status), file});
        }
        return file;
    }

private:
    struct Entry {
        decltype(state_of(FileStatus())) state;
        std::shared_ptr<const InputFile> file;
    };

    std::mutex mutex_;
    std::unordered_map<std::string, Entry> files_;
    const ForkHook fork_hook_{&mutex_};
};

// ---- search --------------------------------------------------------------------------------------------------------------

/// Finds all files that the compiler may use. It may find more than the compiler uses, because conditions are not evaluated and
/// a name may exist in several folders.
class FileSearch {
public:
    FileSearch(CacheKeyBuilder& parts, const std::vector<std::string>& include_path, const std::vector<std::string>& toolkit)
        : parts_(parts), folders_(include_path) {
        folders_.insert(folders_.end(), toolkit.begin(), toolkit.end());
    }

    /// Searches the files that code in this folder names. `where` is the name of the code in messages.
    void add_code(const IncludeScan& scan, const std::string& folder, const std::string& where) {
        report(where, scan.time_problem);
        if (!scan.macro_problem.empty() && !add_thrust(where)) report(where, scan.macro_problem);
        for (const IncludedName& name : scan.names) add_name(name, folder);
    }

    void add_name(const IncludedName& name, const std::string& folder) {
        if (name.name.starts_with('/')) return add_path(name.name);
        if (name.is_quoted) add_path(folder + name.name);
        if (!names_.insert(name.name).second) return;  // was searched in these folders before
        for (const std::string& each : folders_) add_path(concat(each, "/", name.name));
    }

    /// Searches the files that the found files name. Returns the first problem, or an empty string.
    std::string finish() {
        while (!found_.empty()) {
            const auto [path, file] = std::move(found_.front());
            found_.pop_front();
            add_code(file->scan, folder_of(path), path);
        }
        return problem_;
    }

private:
    void report(const std::string& where, const std::string& problem) {
        if (problem_.empty() && !problem.empty()) problem_ = concat(where, ": ", problem);
    }

    /// Adds all files of Thrust if the header belongs to Thrust, because macros of Thrust name some of its files. Returns false
    /// for other headers.
    bool add_thrust(const std::string& header) {
        std::string root;
        for (const std::string& folder : folders_) {
            if (header.starts_with(folder + "/thrust/")) root = folder + "/thrust";
        }
        if (root.empty() || !thrusts_.insert(root).second) return !root.empty();
        std::set<std::string> paths;
        std::error_code error;
        for (std::filesystem::recursive_directory_iterator each(root, error), end; !error && each != end; each.increment(error)) {
            paths.insert(each->path().string());
        }
        for (const std::string& path : paths) add_path(path);
        return !error;
    }

    void add_path(const std::string& path) {
        if (!paths_.insert(path).second) return;
        std::shared_ptr<const InputFile> file = FileTable::get().find(path);
        if (!file) return;
        report(path, file->problem);
        parts_.add("file", path);
        parts_.add("content", {reinterpret_cast<const char*>(file->hash.data()), file->hash.size()});
        // A path with ".." may lead to the same file again and again.
        if (places_.insert(file->place).second) found_.emplace_back(path, std::move(file));
    }

    CacheKeyBuilder& parts_;
    std::vector<std::string> folders_;
    std::string problem_;
    std::set<std::string> thrusts_;
    std::unordered_set<std::string> names_;
    std::unordered_set<std::string> paths_;
    std::unordered_set<std::string> places_;
    std::deque<std::pair<std::string, std::shared_ptr<const InputFile>>> found_;
};

}  // namespace

std::string add_input_files(CacheKeyBuilder& parts, const CompileJob& job, const std::vector<std::string>& toolkit) {
    FileSearch search(parts, job.options.include_path, toolkit);
    const std::string source_folder = folder_of(job.options.name);
    search.add_code(scan_includes(job.source), source_folder, job.options.name);
    for (const IncludedHeader& header : job.headers) {
        search.add_code(scan_includes(header.text), folder_of(header.name), header.name);
    }
    for (const std::string& header : job.options.pre_include) {
        search.add_name({header, true}, source_folder);
        search.add_name({header, true}, {});
    }
    return search.finish();
}

}  // namespace CUBIND_NAMESPACE::detail
