// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "files/replacement_file.hpp"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <optional>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "errors/misuse.hpp"
#include "files/random_numbers.hpp"
#include "platform/descriptor.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

/// The file to write, and the name of the function that writes it, for messages.
struct Target {
    const std::string& path;
    const char* writer;
};

[[noreturn]] void throw_system_error(int error, const Target& target, std::string_view reason = {}) {
    throw std::system_error(error, std::generic_category(), concat(target.writer, " cannot write \"", target.path, "\"", reason));
}

std::string_view description(mode_t mode) {
    switch (mode & S_IFMT) {
        case S_IFLNK:
            return ", which is a symbolic link: pass the path that it leads to";
        case S_IFDIR:
            return ", which is a folder: append the name of a file";
        case S_IFIFO:
            return ", which is a FIFO: only regular files are replaced";
        case S_IFSOCK:
            return ", which is a socket: only regular files are replaced";
        default:
            return ", which is a device: only regular files are replaced";
    }
}

/// Returns the permissions of the file that the path names, or std::nullopt if there is none. Throws for a file that must not
/// be replaced. Without this check, the permission to write in the folder would suffice to replace any file.
std::optional<mode_t> permissions_of_replaceable(const Target& target) {
    struct stat status;
    if (::lstat(target.path.c_str(), &status) != 0) {
        if (errno == ENOENT) return {};
        throw_system_error(errno, target);
    }
    if (!S_ISREG(status.st_mode)) throw_system_error(EINVAL, target, description(status.st_mode));
    // A file without any write permission counts as read-only even for root.
    const bool is_read_only = (status.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) == 0;
    if (is_read_only || ::faccessat(AT_FDCWD, target.path.c_str(), W_OK, AT_EACCESS) != 0) {
        throw_system_error(is_read_only ? EACCES : errno, target, ", which is read-only: remove it or change its permissions");
    }
    return status.st_mode & 0777;
}

/// Opens a file without a name in a folder, so that nothing remains of it if the process is killed. Returns none if the file
/// system, or the kernel without /proc, does not support it.
Descriptor open_unnamed(const std::string& folder, mode_t mode) noexcept {
    if (::access("/proc/self/fd", X_OK) != 0) return {};
    return Descriptor(::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, mode));
}

/// A temporary file beside the target, which replaces the target once it is complete, and is removed otherwise. If possible, it
/// has no name until it is complete.
class ReplacementFile {
public:
    explicit ReplacementFile(const Target& target)
        : target_(target),
          permissions_(permissions_of_replaceable(target)),
          folder_(concat(target.path.substr(0, target.path.rfind('/') + 1), ".")),
          path_(concat(folder_, "/.cubind-", random_digits(), ".tmp")),
          file_(open_unnamed(folder_, mode())),
          has_name_(!file_) {
        if (has_name_) open_named();
    }
    ReplacementFile(const ReplacementFile&) = delete;
    ReplacementFile& operator=(const ReplacementFile&) = delete;
    ~ReplacementFile() {
        if (has_name_) ::unlink(path_.c_str());
    }

    void write(std::span<const std::byte> bytes) {
        write_content(bytes);
        if (!has_name_ && !add_name()) {
            open_named();
            write_content(bytes);
        }
        if (std::rename(path_.c_str(), target_.path.c_str()) != 0) throw_system_error(errno, target_);
        has_name_ = false;
    }

private:
    mode_t mode() const noexcept { return permissions_ ? 0600 : 0666; }

    void open_named() {
        file_ = Descriptor(::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode()));
        has_name_ = static_cast<bool>(file_);
        if (!file_) throw_system_error(errno, target_);
    }
    void write_content(std::span<const std::byte> bytes) {
        if (permissions_ && ::fchmod(file_.number(), *permissions_) != 0) throw_system_error(errno, target_);
        if (const int error = write_all(file_.number(), bytes.data(), bytes.size())) throw_system_error(error, target_);
    }
    bool add_name() {
        const std::string file = concat("/proc/self/fd/", std::to_string(file_.number()));
        has_name_ = ::linkat(AT_FDCWD, file.c_str(), AT_FDCWD, path_.c_str(), AT_SYMLINK_FOLLOW) == 0;
        return has_name_;
    }

    const Target& target_;
    const std::optional<mode_t> permissions_;
    const std::string folder_;
    const std::string path_;
    Descriptor file_;
    bool has_name_;
};

}  // namespace

void replace_file(const std::string& path, std::span<const std::byte> content, const char* writer) {
    check_no_nul(concat("the path of ", writer).c_str(), path);
    const Target target{path, writer};
    ReplacementFile(target).write(content);
}

}  // namespace CUBIND_NAMESPACE::detail
