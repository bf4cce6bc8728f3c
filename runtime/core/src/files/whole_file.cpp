// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "files/whole_file.hpp"

#include <cubind/driver/status.hpp>
#include <cubind/error.hpp>

#include <cerrno>
#include <system_error>

#include "errors/misuse.hpp"
#include "platform/file.hpp"

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
    const Descriptor file = open_to_read(path.c_str());
    FileStatus status;
    if (const int error = file ? status_of_file(file.number(), status) : errno) {
        throw_unreadable(error == ENOENT ? driver::CUDA_ERROR_FILE_NOT_FOUND : driver::CUDA_ERROR_OPERATING_SYSTEM, reader, path,
                         std::generic_category().message(error));
    }
    if (status.kind != FileKind::regular) {
        throw_unreadable(driver::CUDA_ERROR_OPERATING_SYSTEM, reader, path,
                         "it is not a regular file, and only regular files can be read. Read it yourself, and pass its content");
    }
    std::string content;
    for (;;) {
        char block[1 << 16];
        const ReadResult got = read_all(file.number(), block, sizeof block);
        if (got.error != 0) {
            throw_unreadable(driver::CUDA_ERROR_OPERATING_SYSTEM, reader, path, std::generic_category().message(got.error));
        }
        content.append(block, got.bytes);
        if (got.bytes < sizeof block) break;
    }
    if (content.empty()) throw_unreadable(driver::CUDA_ERROR_INVALID_IMAGE, reader, path, "the file is empty");
    return content;
}

}  // namespace CUBIND_NAMESPACE::detail
