// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// The functions of ObjectCode that read and write files.

#include <cubind/core/object_code.hpp>

#include <atomic>
#include <cerrno>
#include <system_error>
#include <unistd.h>

#include "support/whole_file.hpp"

namespace CUBIND_NAMESPACE {
namespace {

[[noreturn]] void throw_system_error(int error, const std::string& path) {
    throw std::system_error(error, std::generic_category(),
                            std::string("ObjectCode::save cannot write \"").append(path).append("\""));
}

/// A temporary file beside the target, which replaces the target once it is complete, and is removed otherwise.
class ReplacementFile {
public:
    explicit ReplacementFile(const std::string& target) : target_(target) {
        static std::atomic<unsigned> count{0};
        path_ = target;
        path_.append(".").append(std::to_string(::getpid())).append("-").append(std::to_string(count++)).append(".new");
        file_.reset(std::fopen(path_.c_str(), "wbx"));
        if (!file_) throw_system_error(errno, target_);
    }
    ReplacementFile(const ReplacementFile&) = delete;
    ReplacementFile& operator=(const ReplacementFile&) = delete;
    ~ReplacementFile() {
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
    detail::OpenFile file_;
    bool is_in_place_ = false;
};

}  // namespace

ObjectCode ObjectCode::from_file(CodeType kind, const std::string& path, ObjectCodeOptions options) {
    const std::string content = detail::read_whole_file(path, "ObjectCode::from_file");
    if (options.name.empty()) options.name = path;
    return from_bytes(kind, std::string_view(content), std::move(options));
}

void ObjectCode::save(const std::string& path) const {
    const std::span<const std::byte> content = bytes();
    ReplacementFile(path).write(content);
}

}  // namespace CUBIND_NAMESPACE
