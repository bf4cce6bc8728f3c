// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "objects/stream/progress.hpp"
#include "support/owned_file.hpp"

namespace CUBIND_NAMESPACE::sim {

/// The records of an event that processes share: numbers in an anonymous file that each of the processes has mapped. As a
/// Progress, it has reached the number of a record when that record, or a later one, is complete. The records of a process that
/// has ended count as complete. Thread-safe.
class SharedEvent final : public Progress {
public:
    /// The place where other processes find the file as long as the event exists in this process.
    struct Place {
        std::int32_t process;
        std::int32_t descriptor;
        std::uint64_t id;  ///< detects that the descriptor is another file by now

        bool is_of_this_process() const noexcept;
    };

    /// Creates the records of a new event. Returns null if the process cannot have another file.
    static std::shared_ptr<SharedEvent> create();
    /// Opens the records of an event of another process. Returns null if that has destroyed the event.
    static std::shared_ptr<SharedEvent> open(const Place& place);
    ~SharedEvent() override;

    Place place() const noexcept;

    /// Returns the number of the latest record of all processes; 0 if there is none.
    std::uint64_t latest() const noexcept;
    /// Begins a record and returns its number.
    std::uint64_t begin() noexcept;
    /// Completes a record.
    void complete(std::uint64_t number) noexcept;

private:
    struct State;

    explicit SharedEvent(OwnedFile file) noexcept : Progress(Elsewhere()), file_(std::move(file)) {}
    static std::shared_ptr<SharedEvent> map(OwnedFile file);
    bool has_reached_elsewhere(std::uint64_t number) const noexcept override;

    const OwnedFile file_;
    State* state_ = nullptr;  ///< null until the file is mapped
};

/// One record of an event that processes share. It is complete when the work before it is done, or will never be.
class SharedRecord {
public:
    explicit SharedRecord(std::shared_ptr<SharedEvent> event) : number(event->begin()), event_(std::move(event)) {}
    ~SharedRecord() { complete(); }
    SharedRecord(const SharedRecord&) = delete;  // completes the record
    SharedRecord& operator=(const SharedRecord&) = delete;

    void complete() const noexcept { event_->complete(number); }

    const std::uint64_t number;

private:
    const std::shared_ptr<SharedEvent> event_;
};

}  // namespace CUBIND_NAMESPACE::sim
