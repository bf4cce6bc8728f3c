// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// The part of a batch that cuFile runs.
#include <cubind/cufile/files.hpp>
#include <cubind/cufile/status.hpp>

#include <algorithm>
#include <cstdint>
#include <ctime>

#include "batch/batch_state.hpp"
#include "errors/misuse.hpp"

namespace CUBIND_NAMESPACE::detail::io {

using namespace cufile;

namespace {

const std::string of_no_file;
constexpr Where submission{"submission of a batch", of_no_file};

CUfileIOParams_t parameters_of(const Request& request, std::size_t number) {
    const CufileSession::Address address = request.file->session().address_of(request.operand.address, request.operand.size);
    CUfileIOParams_t made{};
    made.mode = CUFILE_BATCH;
    made.u.batch.devPtr_base = address.base;
    made.u.batch.devPtr_offset = static_cast<std::int64_t>(address.offset);
    made.u.batch.file_offset = static_cast<std::int64_t>(request.operand.offset);
    made.u.batch.size = request.operand.size;
    made.fh = request.file->handle();
    made.opcode = request.direction == Direction::read ? CUFILE_READ : CUFILE_WRITE;
    made.cookie = reinterpret_cast<void*>(static_cast<std::uintptr_t>(number) + 1);
    return made;
}

}  // namespace

std::size_t BatchState::pending_in_cufile() const noexcept {
    return static_cast<std::size_t>(std::ranges::count_if(
        requests_, [](const Request& each) { return each.pending == nullptr && each.state == FileRequestState::pending; }));
}

void BatchState::submit_to_cufile(const std::vector<Request*>& requests) {
    const std::size_t limit = requests.front()->file->properties().max_batch_size();
    if (limit != 0 && requests.size() + pending_in_cufile() > limit) {
        throw_misuse("FileBatch: ", requests.size() + pending_in_cufile(), " requests exceed cuFile's limit of ", limit,
                     " (FileDriverProperties::max_batch_size()): submit fewer at a time");
    }
    if (handle_ == nullptr) {
        const std::size_t size = limit == 0 ? capacity_ : std::min(capacity_, limit);
        events_.resize(size);
        parameters_.reserve(capacity_);
        handle_ = checked(cuFileBatchIOSetUp(static_cast<unsigned>(size)), submission);
    }
    if (pending_in_cufile() == 0) parameters_.clear();
    const std::size_t first = parameters_.size();
    for (const Request* const each : requests) {
        parameters_.push_back(parameters_of(*each, static_cast<std::size_t>(each - requests_.data())));
    }
    const ScopedContext scope(requests.front()->operand.context);
    const auto submitted = cuFileBatchIOSubmit(handle_, static_cast<unsigned>(requests.size()), parameters_.data() + first, 0);
    for (Request* const each : requests) {
        each->state = submitted.ok() ? FileRequestState::pending : FileRequestState::failed;
        if (!submitted.ok()) each->returned_by_cufile = -static_cast<std::ptrdiff_t>(submitted.status.err);
    }
    checked(submitted, submission);
}

void BatchState::take(const CUfileIOEvents_t& event) noexcept {
    const std::size_t number = reinterpret_cast<std::uintptr_t>(event.cookie) - 1;
    if (number >= requests_.size()) return;
    Request& request = requests_[number];
    if (request.state != FileRequestState::pending) return;
    const auto returned = static_cast<std::ptrdiff_t>(event.ret);
    switch (event.status) {
        case CUFILE_WAITING:
        case CUFILE_PENDING:
            return;
        case CUFILE_COMPLETE:
            if (returned >= 0) {
                request.state = FileRequestState::complete;
                request.result.bytes = static_cast<std::size_t>(returned);
                request.result.reached_end = request.result.bytes < request.operand.size;
                return;
            }
            break;
        case CUFILE_CANCELED:
            request.state = FileRequestState::canceled;
            return;
        default:
            break;
    }
    request.state = FileRequestState::failed;
    request.returned_by_cufile = returned < 0 ? returned : -static_cast<std::ptrdiff_t>(CU_FILE_IO_ERROR);
}

void BatchState::collect_cufile(std::size_t min_count, std::chrono::nanoseconds timeout) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(timeout);
    ::timespec time{static_cast<std::time_t>(seconds.count()), static_cast<long>((timeout - seconds).count())};
    const auto found = cuFileBatchIOGetStatus(handle_, static_cast<unsigned>(min_count), static_cast<unsigned>(events_.size()),
                                              events_.data(), &time);
    const unsigned count = checked(found, {"status of a batch", of_no_file});
    for (std::size_t i = 0; i < std::min<std::size_t>(count, events_.size()); ++i) take(events_[i]);
}

void BatchState::cancel() {
    for (Request& each : requests_) {
        if (each.pending != nullptr) each.pending->cancel();
    }
    if (pending_in_cufile() != 0) {
        const auto cancelled = cuFileBatchIOCancel(handle_);
        // Releases of cuFile differ in whether they report what they have cancelled. Destroying the batch waits for what runs.
        if (cancelled.ok()) collect_cufile(0, std::chrono::nanoseconds(0));
        destroy_cufile_batch();
        for (Request& each : requests_) {
            if (each.pending == nullptr && each.state == FileRequestState::pending) each.state = FileRequestState::canceled;
        }
        if (!cancelled.ok()) throw_cufile_failure(cancelled.status, {"cancellation of a batch", of_no_file});
    }
    for (Request& each : requests_) {
        if (each.pending != nullptr) each.pending->wait();
        if (each.state == FileRequestState::prepared) each.state = FileRequestState::canceled;
    }
    collect_streams();
}

void BatchState::destroy_cufile_batch() noexcept {
    if (handle_ == nullptr) return;
    cuFileBatchIODestroy(handle_);
    handle_ = nullptr;
}

}  // namespace CUBIND_NAMESPACE::detail::io
