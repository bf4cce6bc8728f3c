// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/context/stream_order.hpp"

#include <algorithm>
#include <new>

#include "objects/context/context.hpp"
#include "objects/stream/stream.hpp"

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

namespace {

void add_unless_done(std::vector<Ticket>& tickets, Ticket ticket) {
    if (!ticket.is_done()) tickets.push_back(std::move(ticket));
}

}  // namespace

// The context owns its default streams, so they do not own the context.
StreamOrder::StreamOrder(Context& context)
    : context_(std::shared_ptr<Context>(), &context),
      legacy_(std::make_shared<Stream>(nullptr, context_, context.device, CU_STREAM_DEFAULT, 0)) {}

const WorkPlace& StreamOrder::place_of(const Stream& stream) noexcept {
    return stream.queue->place;
}

std::shared_ptr<Stream> StreamOrder::per_thread() {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<Stream>& stream = per_thread_[std::this_thread::get_id()];
    if (stream == nullptr) {
        stream = std::make_shared<Stream>(nullptr, context_, context_->device, CU_STREAM_DEFAULT, 0);
        streams_.emplace(stream.get(), stream);
    }
    return stream;
}

void StreamOrder::add(const std::shared_ptr<Stream>& stream) {
    const std::lock_guard lock(mutex_);
    streams_.emplace(stream.get(), stream);
}

void StreamOrder::remove(const Stream& stream) noexcept {
    const std::lock_guard lock(mutex_);
    const auto found = streams_.find(&stream);
    if (found == streams_.end()) return;
    if (stream.queue->is_idle()) {
        streams_.erase(found);
        return;
    }
    // Other streams wait for the remaining work of a destroyed stream. The limit is twice the number of streams that remain, so
    // that the search for finished streams takes constant time per stream.
    try {
        destroyed_.push_back(&stream);
    } catch (const std::bad_alloc&) {
        return;  // the stream remains until the context ends
    }
    if (destroyed_.size() < destroyed_limit_) return;
    std::erase_if(destroyed_, [&](const Stream* each) {
        const bool is_finished = each->queue->is_idle();
        if (is_finished) streams_.erase(each);
        return is_finished;
    });
    destroyed_limit_ = std::max(min_destroyed_limit, 2 * destroyed_.size());
}

std::vector<Ticket> StreamOrder::barriers(const Stream& stream) const {
    std::vector<Ticket> tickets;
    if (&stream != legacy_.get()) {
        if (stream.is_blocking()) add_unless_done(tickets, legacy_->queue->last_ticket());
        return tickets;
    }
    for (const auto& [key, each] : streams_) {
        if (each->is_blocking()) add_unless_done(tickets, each->queue->last_ticket());
    }
    return tickets;
}

CUresult StreamOrder::submit(Stream& stream, WorkQueue::Work work, std::vector<Ticket> prerequisites, Ticket* ticket) {
    const std::lock_guard lock(mutex_);
    if (!context_->is_alive()) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    for (Ticket& each : barriers(stream)) prerequisites.push_back(std::move(each));
    if (!stream.queue->push(std::move(prerequisites), std::move(work))) return CUDA_ERROR_OPERATING_SYSTEM;
    if (ticket != nullptr) *ticket = stream.queue->last_ticket();
    return CUDA_SUCCESS;
}

std::vector<Ticket> StreamOrder::pending_tickets(const Stream& stream) const {
    const std::lock_guard lock(mutex_);
    std::vector<Ticket> tickets = barriers(stream);
    add_unless_done(tickets, stream.queue->last_ticket());
    return tickets;
}

std::vector<std::shared_ptr<Stream>> StreamOrder::streams() const {
    const std::lock_guard lock(mutex_);
    std::vector<std::shared_ptr<Stream>> all{legacy_};
    for (const auto& [key, each] : streams_) all.push_back(each);
    return all;
}

std::vector<Ticket> StreamOrder::pending_tickets() const {
    const std::lock_guard lock(mutex_);
    std::vector<Ticket> tickets;
    add_unless_done(tickets, legacy_->queue->last_ticket());
    for (const auto& [key, each] : streams_) add_unless_done(tickets, each->queue->last_ticket());
    return tickets;
}

Ticket StreamOrder::next_pending() const {
    const std::lock_guard lock(mutex_);
    Ticket ticket = legacy_->queue->last_ticket();
    if (!ticket.is_done()) return ticket;
    for (const auto& [key, each] : streams_) {
        ticket = each->queue->last_ticket();
        if (!ticket.is_done()) return ticket;
    }
    return {};
}

bool StreamOrder::is_idle(const Stream& stream) const {
    if (!stream.queue->is_idle()) return false;
    if (&stream != legacy_.get()) return !stream.is_blocking() || legacy_->queue->is_idle();
    const std::lock_guard lock(mutex_);
    return std::none_of(streams_.begin(), streams_.end(),
                        [](const auto& each) { return each.second->is_blocking() && !each.second->queue->is_idle(); });
}

bool StreamOrder::is_idle() const {
    if (!legacy_->queue->is_idle()) return false;
    const std::lock_guard lock(mutex_);
    return std::all_of(streams_.begin(), streams_.end(), [](const auto& each) { return each.second->queue->is_idle(); });
}

void StreamOrder::wait(const Stream& stream) const {
    if (is_idle(stream)) return;
    for (const Ticket& ticket : pending_tickets(stream)) ticket.wait();
}

void StreamOrder::wait() const {
    if (is_idle()) return;
    for (const Ticket& ticket : pending_tickets()) ticket.wait();
}

void StreamOrder::finish() const {
    // Does not use is_idle(): the lock in next_pending() excludes a concurrent submit() that has found the context alive.
    for (Ticket ticket = next_pending(); ticket.progress != nullptr; ticket = next_pending()) ticket.wait();
}

void StreamOrder::close() {
    const std::lock_guard lock(mutex_);
    destroyed_.clear();
    streams_.clear();
    per_thread_.clear();
}

}  // namespace CUBIND_NAMESPACE::sim
