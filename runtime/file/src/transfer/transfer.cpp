// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "transfer/transfer.hpp"

#include <cubind/check.hpp>
#include <cubind/core/stream/detail/stream_access.hpp>
#include <cubind/cufile/files.hpp>
#include <cubind/driver/memory.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdint>

namespace CUBIND_NAMESPACE::detail::io {

namespace {

/// Buffers of a file for one transfer. If the transfer throws, they are destroyed, which waits for the copies, and otherwise used
/// again.
class Lease {
public:
    Lease(const OpenFile& file, ContextRef context) : pool_(file.bounces()), bounce_(pool_.take(context)) {}

    Bounce& operator*() const noexcept { return *bounce_; }
    void give_back() noexcept { pool_.put(bounce_); }

private:
    BouncePool& pool_;
    std::unique_ptr<Bounce> bounce_;
};

FileResult through_host(const OpenFile& file, Direction direction, const Operand& with) {
    const Where where = where_of(file, direction, with);
    if (direction == Direction::write) {
        const Written written = file.posix().write(with.host, with.size, with.offset);
        if (written.error != 0) throw_system_failure("pwrite", written.error, where.after(written.bytes));
        return {.bytes = written.bytes};
    }
    const ReadResult read = file.posix().read(with.host, with.size, with.offset);
    if (read.error != 0) throw_system_failure("pread", read.error, where.after(read.bytes));
    return {.bytes = read.bytes, .reached_end = read.bytes < with.size};
}

// While the device reads one chunk, the file is read to the next one.
FileResult read_to_device(const OpenFile& file, const Operand& to) {
    const ScopedContext scope(to.context);
    Lease lease(file, to.context);
    Bounce& bounce = *lease;
    const driver::CUstream stream = StreamAccess::handle(bounce.stream());
    FileResult result;
    ReadResult read{0, 0};
    for (std::size_t i = 0; result.bytes < to.size; ++i) {
        Chunk& chunk = bounce.chunk(i);
        if (i >= bounce.chunk_count()) EventRef(chunk.copied).synchronize();
        const std::size_t wanted = std::min(bounce.chunk_size(), to.size - result.bytes);
        const std::uint64_t offset = to.offset + result.bytes;
        read = file.posix().read_chunk(chunk.data, wanted, offset);
        if (read.bytes != 0) {
            check(driver::cuMemcpyHtoDAsync(to.address + result.bytes, PosixFile::place_in(chunk.data, offset), read.bytes,
                                            stream));
            result.bytes += read.bytes;
            if (result.bytes < to.size) bounce.stream().record(chunk.copied);
        }
        if (read.bytes < wanted) break;
    }
    bounce.stream().synchronize();
    lease.give_back();
    if (read.error != 0) throw_system_failure("pread", read.error, where_of(file, Direction::read, to).after(result.bytes));
    result.reached_end = result.bytes < to.size;
    return result;
}

// While one chunk is written to the file, the device writes the next ones.
FileResult write_from_device(const OpenFile& file, const Operand& from) {
    const ScopedContext scope(from.context);
    Lease lease(file, from.context);
    Bounce& bounce = *lease;
    const driver::CUstream stream = StreamAccess::handle(bounce.stream());
    const auto size_at = [&](std::size_t begin) { return std::min(bounce.chunk_size(), from.size - begin); };
    FileResult result;
    Written written;
    std::size_t copied = 0, next_copy = 0;
    for (std::size_t i = 0; result.bytes < from.size && written.error == 0; ++i) {
        for (; copied < from.size && next_copy < i + bounce.chunk_count(); ++next_copy) {
            Chunk& chunk = bounce.chunk(next_copy);
            check(driver::cuMemcpyDtoHAsync(chunk.data, from.address + copied, size_at(copied), stream));
            bounce.stream().record(chunk.copied);
            copied += size_at(copied);
        }
        Chunk& chunk = bounce.chunk(i);
        EventRef(chunk.copied).synchronize();
        written = file.posix().write_chunk(chunk.data, size_at(result.bytes), from.offset + result.bytes);
        result.bytes += written.bytes;
    }
    if (written.error != 0) bounce.stream().synchronize();
    lease.give_back();
    if (written.error != 0) {
        throw_system_failure("pwrite", written.error, where_of(file, Direction::write, from).after(result.bytes));
    }
    return result;
}

FileResult by_cufile(const OpenFile& file, Direction direction, const Operand& with) {
    const ScopedContext scope(with.context);
    const CufileSession::Address address = file.session().address_of(with.address, with.size);
    const bool is_read = direction == Direction::read;
    FileResult result{.route = file.route()};
    while (result.bytes < with.size) {
        const std::size_t size = std::min(max_call_size, with.size - result.bytes);
        const auto file_offset = static_cast<std::int64_t>(with.offset + result.bytes);
        const auto memory_offset = static_cast<std::int64_t>(address.offset + result.bytes);
        errno = 0;
        const std::int64_t done = is_read ? cufile::cuFileRead(file.handle(), address.base, size, file_offset, memory_offset)
                                          : cufile::cuFileWrite(file.handle(), address.base, size, file_offset, memory_offset);
        if (done == -1 && errno == EINTR) continue;
        const Where where = where_of(file, direction, with).after(result.bytes);
        if (done < 0) throw_cufile_transfer(is_read ? "cuFileRead" : "cuFileWrite", done, errno, where);
        if (done == 0 && !is_read) throw_system_failure("cuFileWrite", ENOSPC, where);
        if (done == 0) break;
        result.bytes += static_cast<std::size_t>(done);
    }
    result.reached_end = result.bytes < with.size;
    return result;
}

}  // namespace

FileResult transfer(const OpenFile& file, Direction direction, const Operand& operand) {
    if (operand.size == 0) return {};
    if (operand.host != nullptr) return through_host(file, direction, operand);
    if (operand.is_for_cufile) return by_cufile(file, direction, operand);
    return direction == Direction::read ? read_to_device(file, operand) : write_from_device(file, operand);
}

}  // namespace CUBIND_NAMESPACE::detail::io
