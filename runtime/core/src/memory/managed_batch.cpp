// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/memory/buffer.hpp>
#include <cubind/core/memory/managed_memory.hpp>
#include <cubind/core/memory/pointer_attributes.hpp>
#include <cubind/driver/unified_addressing.hpp>

#include <span>

#include "calls/driver.hpp"
#include "memory/managed_calls.hpp"
#include "memory/refusals.hpp"
#include "stream/stream_context.hpp"

namespace CUBIND_NAMESPACE {
namespace detail {

struct ManagedMemoryAccess {
    static const MemoryView& view(const ManagedMemory& memory) noexcept { return memory.memory_; }
};

void check_call(const Result<driver::CUresult>& result, const MemoryView& memory, StreamRef stream, const std::string& which) {
    if (result.ok()) return;
    if (result.status == driver::CUDA_ERROR_INVALID_VALUE && PointerAttributes::of(memory.address).kind != MemoryType::managed) {
        throw_misuse(which, describe("memory that is not managed", memory), "; allocate it from a ManagedMemoryResource");
    }
    throw_with_advice(result, which + advice_on_context(result.status, stream));
}

namespace {

std::string name(std::size_t index, std::size_t count) {
    return count == 1 ? std::string() : concat("piece ", index, " of ", count, " of the batch: ");
}

/// The pieces of a call that are not empty, in the driver's form.
class ManagedBatch {
public:
    /// `locations` has one location for each piece, or one for all pieces. It may be empty for discard().
    ManagedBatch(StreamRef stream, std::span<const ManagedMemory> pieces, std::span<const MemoryLocation> locations = {})
        : stream_(stream), handle_(StreamAccess::handle(stream)), pieces_(pieces), targets_(locations) {
        const MemoryLocation* last = nullptr;
        for (std::size_t i = 0; i < pieces.size(); ++i) {
            if (!add(i) || locations.empty() || (last != nullptr && *last == target(i))) continue;
            last = &target(i);
            locations_.push_back(last->native());
            first_.push_back(sizes_.size() - 1);
        }
    }

    bool is_empty() const noexcept { return sizes_.empty(); }

    void prefetch() {
        if (is_empty()) return;
        if (!is_legacy_default(stream_)) {
            retain();
            const auto moved = driver::cuMemPrefetchBatchAsync(addresses_.data(), sizes_.data(), sizes_.size(), locations_.data(),
                                                               first_.data(), locations_.size(), 0, handle_);
            if (!is_missing(moved)) return check(moved);
        }
        for (const std::size_t i : indices_) {
            try {
                pieces_[i].prefetch(stream_, target(i));
            } catch (const std::invalid_argument& error) {
                throw_misuse(name(i, pieces_.size()), error.what());
            }
        }
    }

    void discard() {
        if (is_empty()) return;
        prepare();
        check(driver::cuMemDiscardBatchAsync(addresses_.data(), sizes_.data(), sizes_.size(), 0, handle_));
    }

    void discard_prefetch() {
        if (is_empty()) return;
        prepare();
        check(driver::cuMemDiscardAndPrefetchBatchAsync(addresses_.data(), sizes_.data(), sizes_.size(), locations_.data(),
                                                        first_.data(), locations_.size(), 0, handle_));
    }

private:
    const MemoryLocation& target(std::size_t index) const { return targets_[targets_.size() == 1 ? 0 : index]; }

    // Returns whether the piece has bytes.
    bool add(std::size_t index) {
        const MemoryView& memory = ManagedMemoryAccess::view(pieces_[index]);
        if (memory.size == 0) return false;
        addresses_.push_back(memory.address);
        sizes_.push_back(memory.size);
        indices_.push_back(index);
        return true;
    }

    void prepare() const {
        if (is_legacy_default(stream_)) {
            throw_misuse(
                "memory cannot be discarded in the legacy default stream: use a Stream, or StreamRef::per_thread_default()");
        }
        retain();
    }

    void retain() const {
        for (const std::size_t i : indices_) {
            const MemoryView& memory = ManagedMemoryAccess::view(pieces_[i]);
            if (memory.buffer != nullptr) retain_for_capture(stream_, *memory.buffer);
        }
    }

    // Throws the error of a failed call. The driver does not report which piece it refused.
    void check(const Result<driver::CUresult>& result) const {
        if (result.ok()) return;
        if (result.status == driver::CUDA_ERROR_INVALID_VALUE) {
            for (const std::size_t i : indices_) {
                const MemoryView& memory = ManagedMemoryAccess::view(pieces_[i]);
                const auto found = PointerAttributes::of(memory.address);
                if (found.kind != MemoryType::managed) check_call(result, memory, stream_, name(i, pieces_.size()));
                if (!is_inside(memory, found))
                    throw_with_advice(result, name(i, pieces_.size()) + describe("the memory", memory));
            }
        }
        throw_with_advice(result, advice_on_context(result.status, stream_));
    }

    StreamRef stream_;
    driver::CUstream handle_;
    std::span<const ManagedMemory> pieces_;
    std::span<const MemoryLocation> targets_;
    std::vector<driver::CUdeviceptr> addresses_;
    std::vector<std::size_t> sizes_;
    std::vector<std::size_t> indices_;  // of the pieces that are not empty
    std::vector<driver::CUmemLocation> locations_;
    std::vector<std::size_t> first_;  // the first piece of each location
};

void check_counts(std::size_t pieces, std::size_t locations) {
    if (pieces != locations)
        throw_misuse("there are ", pieces, " pieces of memory and ", locations, " locations: each piece needs one");
}

}  // namespace
}  // namespace detail

// ---- one piece -----------------------------------------------------------------------------------------------------------

void ManagedMemory::discard(StreamRef stream) const {
    detail::ManagedBatch(stream, {this, 1}).discard();
}

void ManagedMemory::discard_prefetch(StreamRef stream, MemoryLocation location) const {
    detail::ManagedBatch(stream, {this, 1}, {&location, 1}).discard_prefetch();
}

// ---- many pieces ---------------------------------------------------------------------------------------------------------

void prefetch_batch(StreamRef stream, const std::vector<ManagedMemory>& pieces, MemoryLocation location) {
    detail::ManagedBatch(stream, pieces, {&location, 1}).prefetch();
}

void prefetch_batch(StreamRef stream, const std::vector<ManagedMemory>& pieces, const std::vector<MemoryLocation>& locations) {
    detail::check_counts(pieces.size(), locations.size());
    detail::ManagedBatch(stream, pieces, locations).prefetch();
}

void discard_batch(StreamRef stream, const std::vector<ManagedMemory>& pieces) {
    detail::ManagedBatch(stream, pieces).discard();
}

void discard_prefetch_batch(StreamRef stream, const std::vector<ManagedMemory>& pieces, MemoryLocation location) {
    detail::ManagedBatch(stream, pieces, {&location, 1}).discard_prefetch();
}

void discard_prefetch_batch(StreamRef stream, const std::vector<ManagedMemory>& pieces,
                            const std::vector<MemoryLocation>& locations) {
    detail::check_counts(pieces.size(), locations.size());
    detail::ManagedBatch(stream, pieces, locations).discard_prefetch();
}

}  // namespace CUBIND_NAMESPACE
