// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "support/whole_file.hpp"

#include <cubind/driver/status.hpp>
#include <cubind/error.hpp>

#include <cerrno>
#include <system_error>

#include "support/misuse.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

[[noreturn]] void throw_unreadable(driver::CUresult status, const char* reader, const std::string& path, const std::string& why) {
    throw LoadError("driver", reader, static_cast<int>(status), driver::to_string(status),
                    std::string("cannot read \"").append(path).append("\": ").append(why));
}

}  // namespace

// Reads in blocks, because only a regular file has a size that is known in advance.
std::string read_whole_file(const std::string& path, const char* reader) {
    check_no_nul("the path of a file", path);
    const OpenFile file(std::fopen(path.c_str(), "rb"));
    if (!file) {
        const int error = errno;
        throw_unreadable(error == ENOENT ? driver::CUDA_ERROR_FILE_NOT_FOUND : driver::CUDA_ERROR_OPERATING_SYSTEM, reader, path,
                         std::generic_category().message(error));
    }
    std::string content;
    char block[1 << 16];
    for (;;) {
        const std::size_t got = std::fread(block, 1, sizeof block, file.get());
        content.append(block, got);
        if (got < sizeof block) break;
    }
    if (std::ferror(file.get()) != 0) {
        throw_unreadable(driver::CUDA_ERROR_OPERATING_SYSTEM, reader, path, std::generic_category().message(errno));
    }
    if (content.empty()) throw_unreadable(driver::CUDA_ERROR_INVALID_IMAGE, reader, path, "the file is empty");
    return content;
}

}  // namespace CUBIND_NAMESPACE::detail
