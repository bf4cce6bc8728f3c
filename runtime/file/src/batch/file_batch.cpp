// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/file/file_batch.hpp>

#include <algorithm>
#include <cerrno>

#include "batch/batch_state.hpp"
#include "errors/misuse.hpp"

namespace CUBIND_NAMESPACE {

using detail::io::BatchState;
using detail::io::Direction;

FileBatch::FileBatch(std::size_t capacity) {
    if (capacity == 0) detail::throw_misuse("FileBatch: a batch for 0 requests is useless: pass how many it will have");
    state_ = std::make_unique<BatchState>(capacity);
}

FileBatch::FileBatch(FileBatch&& other) noexcept = default;
FileBatch& FileBatch::operator=(FileBatch&& other) noexcept = default;
FileBatch::~FileBatch() = default;

BatchState& FileBatch::batch() const {
    if (state_ == nullptr) detail::throw_misuse("a FileBatch cannot be used after it was moved from: create a new one");
    return *state_;
}

std::size_t FileBatch::add(const File& file, const detail::MemoryView& memory, const FileRange& range, bool is_write) {
    const Direction direction = is_write ? Direction::write : Direction::read;
    return batch().add(
        {.file = file.open_file(), .direction = direction, .operand = operand_of(*file.open_file(), direction, memory, range)});
}

void FileBatch::submit() {
    batch().submit();
}

bool FileBatch::wait_for(std::size_t count, std::chrono::milliseconds timeout) {
    if (timeout.count() < 0) detail::throw_misuse("a timeout of ", timeout.count(), " ms is negative: pass 0 to ask once");
    constexpr std::chrono::milliseconds longest = std::chrono::hours(24 * 365);  // the clock overflows after 292 years
    return batch().wait(count, std::chrono::steady_clock::now() + std::min(timeout, longest));
}

void FileBatch::cancel() {
    batch().cancel();
}

void FileBatch::clear() {
    batch().clear();
}

FileRequestState FileBatch::state(std::size_t request) const {
    return batch().at(request).state;
}

FileResult FileBatch::result(std::size_t request) const {
    const detail::io::Request& found = batch().at(request);
    const detail::io::Where where = where_of(*found.file, found.direction, found.operand);
    switch (found.state) {
        case FileRequestState::complete:
            return found.result;
        case FileRequestState::canceled:
            detail::io::throw_system_failure("FileBatch::cancel", ECANCELED, where);
        case FileRequestState::failed:
            if (found.pending != nullptr) return found.pending->result();  // throws
            detail::io::throw_cufile_transfer("cuFileBatchIOSubmit", found.returned_by_cufile, 0, where);
        case FileRequestState::prepared:
        case FileRequestState::pending:
            break;
    }
    detail::throw_misuse("FileBatch: the request ", request, " has not ended: submit() the batch and wait() for it");
}

std::size_t FileBatch::size() const {
    return batch().size();
}

std::size_t FileBatch::capacity() const {
    return batch().capacity();
}

std::size_t FileBatch::ended() const {
    return batch().ended();
}

}  // namespace CUBIND_NAMESPACE
