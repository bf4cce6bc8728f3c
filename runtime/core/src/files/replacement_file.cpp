// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "files/replacement_file.hpp"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "errors/misuse.hpp"
#include "files/random_numbers.hpp"
#include "platform/descriptor.hpp"

namespace CUBIND_NAMESPACE::detail {

// The checks of the existing file are necessary because the permission to write in the folder suffices to replace any file.
void replace_file(const std::string& path, std::span<const std::byte> content, const char* writer) {
    check_no_nul(concat("the path of ", writer), path);
    const auto fail = [&](int error, std::string_view reason = {}) {
        throw std::system_error(error, std::generic_category(), concat(writer, " cannot write \"", path, "\"", reason));
    };
    struct stat status {};
    const bool exists = ::lstat(path.c_str(), &status) == 0;
    if (!exists && errno != ENOENT) fail(errno);
    if (exists && S_ISLNK(status.st_mode)) fail(EINVAL, ", which is a symbolic link: pass the path that it leads to");
    if (exists && !S_ISREG(status.st_mode)) fail(EINVAL, ", which is not a regular file: only regular files are replaced");
    // A file without any write permission counts as read-only even for root.
    if (exists && ((status.st_mode & 0222) == 0 || ::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0)) {
        fail(EACCES, ", which is read-only: remove it or change its permissions");
    }
    const std::string temporary = concat(path.substr(0, path.rfind('/') + 1), ".cubind-", random_digits(), ".tmp");
    const Descriptor file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, exists ? 0600 : 0666));
    if (!file) fail(errno);
    int error = write_all(file.number(), content.data(), content.size());
    if (error == 0 && exists && ::fchmod(file.number(), status.st_mode & 0777) != 0) error = errno;
    if (error == 0 && std::rename(temporary.c_str(), path.c_str()) != 0) error = errno;
    if (error == 0) return;
    ::unlink(temporary.c_str());
    fail(error);
}

}  // namespace CUBIND_NAMESPACE::detail
