// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "support/whole_file.hpp"

#include <cubind/driver/strings.hpp>
#include <cubind/error.hpp>

#include <cerrno>
#include <system_error>

namespace cubind::detail {
namespace {

[[noreturn]] void throw_unreadable(driver::CUresult status, const char* reader, const std::string& path, const std::string& why) {
    throw LoadError("driver", reader, static_cast<int>(status), driver::to_string(status),
                    std::string("nothing can be read from \"").append(path).append("\": ").append(why));
}

}  // namespace

// The size of what is no regular file cannot be known beforehand.
std::string read_whole_file(const std::string& path, const char* reader) {
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

}  // namespace cubind::detail
