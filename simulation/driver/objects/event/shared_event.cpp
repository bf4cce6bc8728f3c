// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/event/shared_event.hpp"

#include <atomic>
#include <cstddef>
#include <utility>

#include "platform/pages.hpp"
#include "platform/process.hpp"
#include "platform/random.hpp"
#include "support/sealed_file.hpp"

namespace CUBIND_NAMESPACE::sim {

/// The content of the file.
struct SharedEvent::State {
    std::uint64_t mark;
    std::uint64_t id;
    std::atomic<std::uint64_t> latest;
    std::atomic<std::uint64_t> done;
    std::atomic<std::int32_t> recorder;  ///< process of the latest record
};

namespace {

constexpr std::uint64_t mark = 0x6375'6269'6e64'6576;
static_assert(std::atomic<std::uint64_t>::is_always_lock_free && std::atomic<std::int32_t>::is_always_lock_free);

}  // namespace

bool SharedEvent::Place::is_of_this_process() const noexcept {
    return process == cubind::detail::process_id();
}

std::shared_ptr<SharedEvent> SharedEvent::map(OwnedFile file) {
    const std::shared_ptr<SharedEvent> event(new SharedEvent(std::move(file)));
    const std::uintptr_t memory = cubind::detail::map_shared_pages(event->file_.descriptor(), sizeof(State));
    if (memory == 0) return nullptr;
    event->state_ = reinterpret_cast<State*>(memory);
    return event;
}

std::shared_ptr<SharedEvent> SharedEvent::create() {
    std::uint64_t id = 0;
    if (cubind::detail::fill_randomly(&id, sizeof id) != 0) return nullptr;
    OwnedFile file(create_anonymous_file("cubind-shared-event"));
    const int descriptor = file.descriptor();
    if (descriptor < 0 || !set_file_size(descriptor, sizeof(State)) || !seal(descriptor, FileGrowth::possible)) return nullptr;
    auto created = map(std::move(file));
    if (created == nullptr) return nullptr;
    created->state_->mark = mark;
    created->state_->id = id;
    return created;
}

std::shared_ptr<SharedEvent> SharedEvent::open(const Place& place) {
    OwnedFile file(open_file_of(place.process, place.descriptor));
    const int descriptor = file.descriptor();
    if (!is_sealed(descriptor, FileGrowth::possible) || file_size(descriptor) != sizeof(State)) return nullptr;
    auto opened = map(std::move(file));
    const bool is_found = opened != nullptr && opened->state_->mark == mark && opened->state_->id == place.id;
    return is_found ? opened : nullptr;
}

SharedEvent::~SharedEvent() {
    if (state_ != nullptr) cubind::detail::release_pages(reinterpret_cast<std::uintptr_t>(state_), sizeof(State));
}

SharedEvent::Place SharedEvent::place() const noexcept {
    return {cubind::detail::process_id(), file_.descriptor(), state_->id};
}

std::uint64_t SharedEvent::latest() const noexcept {
    return state_->latest.load();
}

std::uint64_t SharedEvent::begin() noexcept {
    state_->recorder.store(cubind::detail::process_id());
    return state_->latest.fetch_add(1) + 1;
}

void SharedEvent::complete(std::uint64_t number) noexcept {
    std::uint64_t done = state_->done.load();
    while (done < number && !state_->done.compare_exchange_weak(done, number)) {
    }
}

bool SharedEvent::has_reached_elsewhere(std::uint64_t number) const noexcept {
    if (state_->done.load() >= number) return true;
    const std::int32_t recorder = state_->recorder.load();
    return recorder != cubind::detail::process_id() && !cubind::detail::is_process_running(recorder);
}

}  // namespace CUBIND_NAMESPACE::sim
