// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "files/replacement_file.hpp"

#include <cerrno>
#include <cstdio>
#include <string_view>
#include <system_error>

#include "errors/misuse.hpp"
#include "files/random_numbers.hpp"
#include "platform/file.hpp"

namespace CUBIND_NAMESPACE::detail {

namespace {

// `write` returns an error number, or throws. The checks of the existing file are necessary because the permission to write in
// the folder suffices to replace any file.
void replace(const std::string& path, const char* writer,
             const std::function<int(const Descriptor& file, const std::string& temporary)>& write) {
    check_no_nul(concat("the path of ", writer), path);
    const auto fail = [&](int error, std::string_view reason = {}) {
        throw std::system_error(error, std::generic_category(), concat(writer, " cannot write \"", path, "\"", reason));
    };
    FileStatus status;
    const int problem = status_of_path(path.c_str(), status, Links::not_followed);
    const bool exists = problem == 0;
    if (!exists && problem != ENOENT) fail(problem);
    if (exists && status.kind == FileKind::symbolic_link)
        fail(EINVAL, ", which is a symbolic link: pass the path that it leads to");
    if (exists && status.kind != FileKind::regular)
        fail(EINVAL, ", which is not a regular file: only regular files are replaced");
    // A file without any write permission counts as read-only even for root.
    if (exists && ((status.permissions & 0222) == 0 || access_problem(path.c_str(), FileUse::write) != 0)) {
        fail(EACCES, ", which is read-only: remove it or change its permissions");
    }
    const std::string temporary = concat(path.substr(0, path.rfind('/') + 1), ".cubind-", random_digits(), ".tmp");
    const Descriptor file = create_file(temporary.c_str(), exists ? 0600 : 0666);
    if (!file) fail(errno);
    int error = 0;
    try {
        error = write(file, temporary);
    } catch (...) {
        std::remove(temporary.c_str());
        throw;
    }
    if (error == 0 && exists) error = set_permissions(file.number(), status.permissions & 0777);
    if (error == 0 && std::rename(temporary.c_str(), path.c_str()) != 0) error = errno;
    if (error == 0) return;
    std::remove(temporary.c_str());
    fail(error);
}

}  // namespace

void replace_file(const std::string& path, std::span<const std::byte> content, const char* writer) {
    replace(path, writer, [&](const Descriptor& file, const std::string&) {
        return write_all(file.number(), content.data(), content.size()).error;
    });
}

void replace_file(const std::string& path, const char* writer, const std::function<void(const char* temporary)>& write) {
    replace(path, writer, [&](const Descriptor&, const std::string& temporary) {
        write(temporary.c_str());
        return 0;
    });
}

}  // namespace CUBIND_NAMESPACE::detail
