// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// How a transfer becomes work of a stream.
#include <cubind/check.hpp>
#include <cubind/core/stream/detail/stream_access.hpp>
#include <cubind/cufile/files.hpp>
#include <cubind/driver/memory.hpp>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <utility>

#include "errors/misuse.hpp"
#include "transfer/pending_transfer.hpp"

namespace CUBIND_NAMESPACE::detail::io {

namespace {

/// Tells the transfer that the stream has reached its end.
class EndObserver final : public WorkObserver {
public:
    explicit EndObserver(std::shared_ptr<PendingTransfer> pending) noexcept : pending_(std::move(pending)) {}
    void on_end(driver::CUresult status) noexcept override { pending_->finish(status); }

private:
    std::shared_ptr<PendingTransfer> pending_;
};

void check_stream(StreamRef stream, const OpenFile& file, const Operand& operand) {
    if (StreamAccess::may_be_capturing(stream) && stream.is_capturing()) {
        throw_misuse("transfer of ", file.path(), ": the stream is being captured, and transfers of files cannot be captured");
    }
    if (!operand.device) return;
    const Device device = stream.device();
    if (device == *operand.device) return;
    throw_misuse("transfer of ", file.path(), ": the memory is of device ", operand.device->ordinal(),
                 ", and the stream of device ", device.ordinal(), ": pass a stream of device ", operand.device->ordinal());
}

// Waits for what was submitted before a failure, which is thrown afterwards.
void wait_quietly(StreamRef stream) noexcept {
    try {
        stream.synchronize();
    } catch (const std::exception&) {  // the work has failed, and uses nothing any more
    }
}

}  // namespace

void PendingTransfer::submit(const std::shared_ptr<PendingTransfer>& self, StreamRef stream) {
    const Operand& operand = self->operand_;
    check_stream(stream, *self->file_, operand);
    try {
        if (operand.size == 0) {
            self->result_ = {};
        } else if (operand.host != nullptr) {
            submit_on_host(self, stream);
        } else if (self->result_.route != FileRoute::posix) {
            submit_cufile(self, stream);
        } else if (self->direction_ == Direction::read) {
            submit_read(self, stream);
        } else {
            submit_write(self, stream);
        }
        cubind::detail::observe(stream, std::make_unique<EndObserver>(self));
    } catch (...) {
        self->cancel();
        if (self->bounce_ != nullptr) wait_quietly(self->bounce_->stream());
        wait_quietly(stream);
        throw;
    }
}

void PendingTransfer::submit_on_host(const std::shared_ptr<PendingTransfer>& self, StreamRef stream) {
    stream.launch_host_function([self] { self->transfer_on_host(); });
}

void PendingTransfer::submit_cufile(const std::shared_ptr<PendingTransfer>& self, StreamRef stream) {
    const Operand& operand = self->operand_;
    const OpenFile& file = *self->file_;
    const bool is_read = self->direction_ == Direction::read;
    const CufileSession::Address address = file.session().address_of(operand.address, operand.size);
    for (std::size_t begin = 0; begin < operand.size; begin += max_call_size) {
        self->parts_.push_back({.size = std::min(max_call_size, operand.size - begin),
                                .file_offset = static_cast<std::int64_t>(operand.offset + begin),
                                .memory_offset = static_cast<std::int64_t>(address.offset + begin),
                                .done = 0});
    }
    const ScopedContext scope(stream.context());
    const driver::CUstream handle = StreamAccess::handle(stream);
    for (Part& part : self->parts_) {
        const auto submitted = is_read ? cufile::cuFileReadAsync(file.handle(), address.base, &part.size, &part.file_offset,
                                                                 &part.memory_offset, &part.done, handle)
                                       : cufile::cuFileWriteAsync(file.handle(), address.base, &part.size, &part.file_offset,
                                                                  &part.memory_offset, &part.done, handle);
        checked(submitted, where_of(file, self->direction_, operand));
    }
}

// The file is read in the order of the second stream, and the device is written in the order of the first one.
void PendingTransfer::submit_read(const std::shared_ptr<PendingTransfer>& self, StreamRef stream) {
    const Operand& to = self->operand_;
    const ContextRef context = stream.context();
    const ScopedContext scope(context);
    self->bounce_ = self->file_->bounces().take(context);
    Bounce& bounce = *self->bounce_;
    const driver::CUstream handle = StreamAccess::handle(stream);
    const bool is_one = to.size <= bounce.chunk_size();
    const StreamRef reading = is_one ? stream : bounce.stream();
    if (!is_one) {
        stream.record(bounce.begin());
        reading.wait(bounce.begin());
    }
    std::size_t index = 0;
    for (std::size_t begin = 0; begin < to.size; begin += self->size_at(begin), ++index) {
        const Chunk& chunk = bounce.chunk(index);
        if (index >= bounce.chunk_count()) reading.wait(chunk.copied);
        reading.launch_host_function([self, data = chunk.data, begin] { self->read_part(data, begin); });
        if (!is_one) {
            reading.record(chunk.stored);
            stream.wait(chunk.stored);
        }
        check(driver::cuMemcpyHtoDAsync(to.address + begin, PosixFile::place_in(chunk.data, to.offset + begin),
                                        self->size_at(begin), handle));
        if (!is_one) stream.record(chunk.copied);
    }
}

void PendingTransfer::submit_write(const std::shared_ptr<PendingTransfer>& self, StreamRef stream) {
    const Operand& from = self->operand_;
    const ContextRef context = stream.context();
    const ScopedContext scope(context);
    self->bounce_ = self->file_->bounces().take(context);
    Bounce& bounce = *self->bounce_;
    const driver::CUstream handle = StreamAccess::handle(stream);
    const bool is_one = from.size <= bounce.chunk_size();
    const StreamRef writing = is_one ? stream : bounce.stream();
    std::size_t index = 0;
    for (std::size_t begin = 0; begin < from.size; begin += self->size_at(begin), ++index) {
        const Chunk& chunk = bounce.chunk(index);
        if (index >= bounce.chunk_count()) stream.wait(chunk.stored);
        check(driver::cuMemcpyDtoHAsync(chunk.data, from.address + begin, self->size_at(begin), handle));
        if (!is_one) {
            stream.record(chunk.copied);
            writing.wait(chunk.copied);
        }
        writing.launch_host_function([self, data = chunk.data, begin] { self->write_part(data, begin); });
        if (!is_one) writing.record(chunk.stored);
    }
    if (!is_one) stream.wait(bounce.chunk(index - 1).stored);
}

}  // namespace CUBIND_NAMESPACE::detail::io
