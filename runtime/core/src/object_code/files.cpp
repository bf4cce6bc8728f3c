// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Code from and to files.

#include <cubind/core/object_code.hpp>
#include <cubind/driver/strings.hpp>
#include <cubind/error.hpp>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

#include <unistd.h>

namespace cubind {
namespace {

struct Close {
    void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

[[noreturn]] void throw_unreadable(driver::CUresult status, const std::string& path, const std::string& why) {
    throw LoadError("driver", "ObjectCode::from_file", static_cast<int>(status), driver::to_string(status),
                    std::string("no code can be read from \"").append(path).append("\": ").append(why));
}

[[noreturn]] void throw_system_error(int error, const std::string& path) {
    throw std::system_error(error, std::generic_category(), std::string("ObjectCode::save cannot write \"").append(path).append("\""));
}

// The size of what is no regular file cannot be known beforehand.
std::string read_whole(const std::string& path) {
    const File file(std::fopen(path.c_str(), "rb"));
    if (!file) {
        const int error = errno;
        throw_unreadable(error == ENOENT ? driver::CUDA_ERROR_FILE_NOT_FOUND : driver::CUDA_ERROR_OPERATING_SYSTEM, path,
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
        throw_unreadable(driver::CUDA_ERROR_OPERATING_SYSTEM, path, std::generic_category().message(errno));
    }
    return content;
}

/// A new file beside another, removed again unless it took the other's place.
class NewFile {
public:
    explicit NewFile(const std::string& target) : target_(target) {
        static std::atomic<unsigned> count{0};
        path_ = target;
        path_.append(".").append(std::to_string(::getpid())).append("-").append(std::to_string(count++)).append(".new");
        file_.reset(std::fopen(path_.c_str(), "wbx"));
        if (!file_) throw_system_error(errno, target_);
    }
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;
    ~NewFile() {
        if (!is_in_place_) std::remove(path_.c_str());
    }

    void write(std::span<const std::byte> bytes) {
        if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size()) throw_system_error(errno, target_);
        if (std::fclose(file_.release()) != 0) throw_system_error(errno, target_);
        if (std::rename(path_.c_str(), target_.c_str()) != 0) throw_system_error(errno, target_);
        is_in_place_ = true;
    }

private:
    const std::string& target_;
    std::string path_;
    File file_;
    bool is_in_place_ = false;
};

}  // namespace

ObjectCode ObjectCode::from_file(ObjectKind kind, const std::string& path, ObjectCodeOptions options) {
    const std::string content = read_whole(path);
    if (content.empty()) throw_unreadable(driver::CUDA_ERROR_INVALID_IMAGE, path, "the file is empty");
    if (options.name.empty()) options.name = path;
    return from_bytes(kind, std::string_view(content), std::move(options));
}

void ObjectCode::save(const std::string& path) const {
    const std::span<const std::byte> content = bytes();
    NewFile(path).write(content);
}

}  // namespace cubind
