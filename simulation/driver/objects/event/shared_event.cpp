// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/event/shared_event.hpp"

#include <atomic>
#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <string>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

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

// Returns whether the process runs. One that has ended, but that its parent has not waited for, does not run.
bool is_running(pid_t process) noexcept {
    const auto descriptor = static_cast<int>(syscall(SYS_pidfd_open, process, 0));
    if (descriptor < 0) return errno != ESRCH;
    pollfd ended{descriptor, POLLIN, 0};
    const bool has_ended = poll(&ended, 1, 0) > 0;
    close(descriptor);
    return !has_ended;
}

}  // namespace

bool SharedEvent::Place::is_of_this_process() const noexcept {
    return process == getpid();
}

std::shared_ptr<SharedEvent> SharedEvent::map(OwnedFile file) {
    const std::shared_ptr<SharedEvent> event(new SharedEvent(std::move(file)));
    void* const memory = mmap(nullptr, sizeof(State), PROT_READ | PROT_WRITE, MAP_SHARED, event->file_.descriptor(), 0);
    if (memory == MAP_FAILED) return nullptr;
    event->state_ = static_cast<State*>(memory);
    return event;
}

std::shared_ptr<SharedEvent> SharedEvent::create() {
    std::uint64_t id = 0;
    if (getentropy(&id, sizeof id) != 0) return nullptr;
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
    const std::string path = "/proc/" + std::to_string(place.process) + "/fd/" + std::to_string(place.descriptor);
    OwnedFile file(::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    const int descriptor = file.descriptor();
    struct stat status {};
    const bool is_complete = is_sealed(descriptor, FileGrowth::possible) && fstat(descriptor, &status) == 0 &&
                             status.st_size == static_cast<off_t>(sizeof(State));
    if (!is_complete) return nullptr;
    auto opened = map(std::move(file));
    const bool is_found = opened != nullptr && opened->state_->mark == mark && opened->state_->id == place.id;
    return is_found ? opened : nullptr;
}

SharedEvent::~SharedEvent() {
    if (state_ != nullptr) munmap(state_, sizeof(State));
}

SharedEvent::Place SharedEvent::place() const noexcept {
    return {getpid(), file_.descriptor(), state_->id};
}

std::uint64_t SharedEvent::latest() const noexcept {
    return state_->latest.load();
}

std::uint64_t SharedEvent::begin() noexcept {
    state_->recorder.store(getpid());
    return state_->latest.fetch_add(1) + 1;
}

void SharedEvent::complete(std::uint64_t number) noexcept {
    std::uint64_t done = state_->done.load();
    while (done < number && !state_->done.compare_exchange_weak(done, number)) {
    }
}

bool SharedEvent::has_reached_elsewhere(std::uint64_t number) const noexcept {
    if (state_->done.load() >= number) return true;
    const pid_t recorder = state_->recorder.load();
    return recorder != getpid() && !is_running(recorder);
}

}  // namespace CUBIND_NAMESPACE::sim
