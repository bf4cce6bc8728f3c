// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "files/whole_file.hpp"

#include <cubind/driver/status.hpp>
#include <cubind/error.hpp>

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>

#include "errors/misuse.hpp"
#include "platform/descriptor.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

[[noreturn]] void throw_unreadable(driver::CUresult status, const char* reader, const std::string& path, const std::string& why) {
    throw LoadError("driver", reader, static_cast<int>(status), driver::to_string(status),
                    std::string("cannot read \"").append(path).append("\": ").append(why));
}

}  // namespace

// Reads in blocks, because files such as those in /proc do not state their size. Other files than regular ones may have no end,
// or block the call.
std::string read_whole_file(const std::string& path, const char* reader) {
    check_no_nul("the path of a file", path);
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    struct stat status;
    if (!file || ::fstat(file.number(), &status) != 0) {
        const int error = errno;
        throw_unreadable(error == ENOENT ? driver::CUDA_ERROR_FILE_NOT_FOUND : driver::CUDA_ERROR_OPERATING_SYSTEM, reader, path,
                         std::generic_category().message(error));
    }
    if (!S_ISREG(status.st_mode)) {
        throw_unreadable(driver::CUDA_ERROR_OPERATING_SYSTEM, reader, path,
                         "it is not a regular file, and only regular files can be read. Read it yourself, and pass its content");
    }
    std::string content;
    for (;;) {
        char block[1 << 16];
        const ssize_t got = ::read(file.number(), block, sizeof block);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) {
            throw_unreadable(driver::CUDA_ERROR_OPERATING_SYSTEM, reader, path, std::generic_category().message(errno));
        }
        if (got == 0) break;
        content.append(block, static_cast<std::size_t>(got));
    }
    if (content.empty()) throw_unreadable(driver::CUDA_ERROR_INVALID_IMAGE, reader, path, "the file is empty");
    return content;
}

}  // namespace CUBIND_NAMESPACE::detail
