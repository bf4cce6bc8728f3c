// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "batch/batch_state.hpp"

#include <cubind/core/memory/buffer.hpp>

#include <algorithm>
#include <exception>

#include "errors/misuse.hpp"
#include "lifetime/cleanup.hpp"

namespace CUBIND_NAMESPACE::detail::io {

BatchState::~BatchState() {
    try {
        cancel();
    } catch (const std::exception& error) {
        report_cleanup_failure("cancel a batch of transfers", error.what());
        for (Request& each : requests_) {
            if (each.pending != nullptr) each.pending->wait();
        }
    }
    destroy_cufile_batch();
}

std::size_t BatchState::add(Request request) {
    if (requests_.size() == capacity_) {
        throw_misuse("FileBatch: the batch is full, it has room for ", capacity_,
                     " requests: create a larger one, or clear() it when all have ended");
    }
    if (request.operand.size > max_call_size) {
        throw_misuse("FileBatch: a request for ", request.operand.size, " bytes of ", request.file->path(),
                     " exceeds the limit of ", max_call_size, " bytes: divide it, or use File::read() or File::write()");
    }
    if (request.operand.buffer != nullptr && request.operand.size != 0) request.memory = share(*request.operand.buffer);
    request.result.route = request.is_for_cufile() ? request.file->route() : FileRoute::posix;
    requests_.push_back(std::move(request));
    return requests_.size() - 1;
}

void BatchState::submit() {
    std::vector<Request*> for_cufile;
    for (Request& each : requests_) {
        if (each.state != FileRequestState::prepared) continue;
        if (each.is_for_cufile()) {
            for_cufile.push_back(&each);
        } else {
            submit_to_stream(each);
        }
    }
    if (!for_cufile.empty()) submit_to_cufile(for_cufile);
}

void BatchState::submit_to_stream(Request& request) {
    const ContextRef context = request.operand.context ? request.operand.context : Device().context();
    auto pending = std::make_shared<PendingTransfer>(request.file, request.direction, request.operand);
    pending->use_posix();
    PendingTransfer::submit(pending, stream_of(context));
    request.pending = std::move(pending);
    request.state = FileRequestState::pending;
}

StreamRef BatchState::stream_of(ContextRef context) {
    const auto found = std::ranges::find(streams_, context, &std::pair<ContextRef, Stream>::first);
    if (found != streams_.end()) return found->second;
    return streams_.emplace_back(context, Stream(context)).second;
}

Request* BatchState::first_of_streams() noexcept {
    const auto found = std::ranges::find_if(
        requests_, [](const Request& each) { return each.pending != nullptr && each.state == FileRequestState::pending; });
    return found == requests_.end() ? nullptr : &*found;
}

void BatchState::collect_streams() {
    for (Request& each : requests_) {
        if (each.pending == nullptr || each.state != FileRequestState::pending || !each.pending->is_done()) continue;
        each.state = each.pending->has_succeeded()   ? FileRequestState::complete
                     : each.pending->was_cancelled() ? FileRequestState::canceled
                                                     : FileRequestState::failed;
        if (each.state == FileRequestState::complete) each.result = each.pending->result();
    }
}

bool BatchState::wait(std::size_t count, Time end) {
    const std::size_t wanted = std::min(count, requests_.size() - this->count(FileRequestState::prepared));
    for (;;) {
        collect_streams();
        const auto left = std::max(std::chrono::nanoseconds(0), std::chrono::nanoseconds(end - std::chrono::steady_clock::now()));
        const std::size_t in_cufile = pending_in_cufile();
        Request* const in_stream = first_of_streams();
        const std::size_t missing = wanted > ended() ? wanted - ended() : 0;
        if (in_cufile != 0) {
            // Where both kinds are awaited, they are asked in turn.
            constexpr std::chrono::nanoseconds turn = std::chrono::milliseconds(1);
            const bool may_wait = missing != 0 && left.count() != 0;
            const std::size_t awaited = in_stream != nullptr ? 1 : std::min(missing, in_cufile);
            collect_cufile(may_wait ? awaited : 0, !may_wait ? left.zero() : in_stream != nullptr ? std::min(turn, left) : left);
        } else if (missing != 0 && in_stream != nullptr && left.count() != 0) {
            (void)in_stream->pending->wait_until(end);
            collect_streams();
        }
        if (ended() >= wanted) return true;
        if (left.count() == 0) return false;
    }
}

void BatchState::clear() {
    if (const std::size_t pending = count(FileRequestState::pending); pending != 0) {
        throw_misuse("FileBatch: ", pending, " requests are pending: wait() for them or cancel() them before clear()");
    }
    requests_.clear();
}

const Request& BatchState::at(std::size_t request) const {
    if (request < requests_.size()) return requests_[request];
    throw_misuse("FileBatch: there is no request ", request, ", the batch has ", requests_.size());
}

std::size_t BatchState::count(FileRequestState state) const noexcept {
    return static_cast<std::size_t>(std::ranges::count(requests_, state, &Request::state));
}

std::size_t BatchState::ended() const noexcept {
    return static_cast<std::size_t>(std::ranges::count_if(requests_, [](const Request& each) { return each.has_ended(); }));
}

}  // namespace CUBIND_NAMESPACE::detail::io
