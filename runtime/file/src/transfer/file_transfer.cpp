// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/file/file_transfer.hpp>

#include <algorithm>

#include "errors/misuse.hpp"
#include "transfer/pending_transfer.hpp"

namespace CUBIND_NAMESPACE {

namespace {

detail::io::PendingTransfer& checked_transfer(const std::shared_ptr<detail::io::PendingTransfer>& pending) {
    if (pending == nullptr) detail::throw_misuse("this FileTransfer refers to no transfer: assign one of File::read_async()");
    return *pending;
}

}  // namespace

bool FileTransfer::is_done() const {
    return checked_transfer(pending_).is_done();
}

void FileTransfer::wait() const {
    checked_transfer(pending_).wait();
}

bool FileTransfer::wait_for(std::chrono::milliseconds timeout) const {
    if (timeout.count() < 0) detail::throw_misuse("a timeout of ", timeout.count(), " ms is negative: pass 0 to ask once");
    constexpr std::chrono::milliseconds longest = std::chrono::hours(24 * 365);  // the clock overflows after 292 years
    return checked_transfer(pending_).wait_until(std::chrono::steady_clock::now() + std::min(timeout, longest));
}

FileResult FileTransfer::result() const {
    const detail::io::PendingTransfer& pending = checked_transfer(pending_);
    if (!pending.is_done()) {
        detail::throw_misuse("the transfer has not ended: wait for it, or synchronize its stream, before its result is read");
    }
    return pending.result();
}

void observe(const FileTransfer& transfer, std::unique_ptr<detail::WorkObserver> observer) {
    checked_transfer(transfer.pending_).observe(std::move(observer));
}

}  // namespace CUBIND_NAMESPACE
