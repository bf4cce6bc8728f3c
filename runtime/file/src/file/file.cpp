// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/file/file.hpp>

#include "errors/misuse.hpp"
#include "transfer/pending_transfer.hpp"
#include "transfer/transfer.hpp"

namespace CUBIND_NAMESPACE {

using detail::io::Direction;
using detail::io::OpenFile;
using detail::io::PendingTransfer;

namespace {

FileTransfer begin_transfer(const std::shared_ptr<OpenFile>& file, Direction direction, StreamRef stream,
                            const detail::MemoryView& memory, const FileRange& range) {
    auto pending = std::make_shared<PendingTransfer>(file, direction, operand_of(*file, direction, memory, range));
    PendingTransfer::submit(pending, stream);
    return FileTransfer(std::move(pending));
}

}  // namespace

File::File(const std::string& path, const FileOptions& options) : file_(std::make_shared<OpenFile>(path, options)) {}

const std::shared_ptr<OpenFile>& File::open_file() const {
    if (file_ == nullptr) detail::throw_misuse("a File cannot be used after it was moved from or closed: open a new one");
    return file_;
}

const std::string& File::path() const {
    return open_file()->path();
}

std::uint64_t File::size() const {
    std::uint64_t bytes = 0;
    const OpenFile& file = *open_file();
    if (const int error = file.posix().size(bytes); error != 0) {
        detail::io::throw_system_failure("lseek", error, {"size", file.path()});
    }
    return bytes;
}

FileRoute File::route() const {
    return open_file()->route();
}

const std::string& File::route_reason() const {
    return open_file()->route_reason();
}

bool File::is_direct() const {
    return open_file()->posix().is_direct();
}

void* File::native_handle() const {
    return open_file()->handle();
}

FileResult File::read_now(const detail::MemoryView& memory, const FileRange& range) const {
    const OpenFile& file = *open_file();
    return transfer(file, Direction::read, operand_of(file, Direction::read, memory, range));
}

FileResult File::write_now(const detail::MemoryView& memory, const FileRange& range) const {
    const OpenFile& file = *open_file();
    return transfer(file, Direction::write, operand_of(file, Direction::write, memory, range));
}

FileTransfer File::begin_read(StreamRef stream, const detail::MemoryView& memory, const FileRange& range) const {
    return begin_transfer(open_file(), Direction::read, stream, memory, range);
}

FileTransfer File::begin_write(StreamRef stream, const detail::MemoryView& memory, const FileRange& range) const {
    return begin_transfer(open_file(), Direction::write, stream, memory, range);
}

void File::flush() const {
    const OpenFile& file = *open_file();
    if (const int error = file.posix().store(); error != 0) {
        detail::io::throw_system_failure("fsync", error, {"flush", file.path()});
    }
}

}  // namespace CUBIND_NAMESPACE
