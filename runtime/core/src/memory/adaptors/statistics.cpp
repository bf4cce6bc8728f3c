// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/adaptors/adaptor.hpp"

#include <algorithm>
#include <mutex>

namespace cubind {

class detail::MemoryStatisticsState final : public Adaptor {
public:
    explicit MemoryStatisticsState(const MemoryResource& upstream) : Adaptor(upstream) {}

    driver::CUdeviceptr allocate(StreamRef stream, std::size_t size) override {
        const driver::CUdeviceptr pointer = Adaptor::allocate(stream, size);
        const std::lock_guard lock(mutex_);
        seen_.current_size += size;
        ++seen_.current_count;
        seen_.peak_size = std::max(seen_.peak_size, seen_.current_size);
        seen_.total_size += size;
        ++seen_.total_count;
        return pointer;
    }
    void deallocate(StreamRef stream, driver::CUdeviceptr pointer, std::size_t size) override {
        Adaptor::deallocate(stream, pointer, size);
        const std::lock_guard lock(mutex_);
        seen_.current_size -= size;
        --seen_.current_count;
    }

    MemoryStatistics seen() const {
        const std::lock_guard lock(mutex_);
        return seen_;
    }
    void reset_peak() {
        const std::lock_guard lock(mutex_);
        seen_.peak_size = seen_.current_size;
    }

private:
    mutable std::mutex mutex_;
    MemoryStatistics seen_{};
};

StatisticsMemoryResource::StatisticsMemoryResource(const MemoryResource& upstream)
    : StatisticsMemoryResource(std::make_shared<detail::MemoryStatisticsState>(upstream)) {}

StatisticsMemoryResource::StatisticsMemoryResource(std::shared_ptr<detail::MemoryStatisticsState> state)
    : MemoryResource(state), state_(std::move(state)) {}

MemoryStatistics StatisticsMemoryResource::statistics() const {
    return state_->seen();
}

void StatisticsMemoryResource::reset_peak() const {
    state_->reset_peak();
}

}  // namespace cubind
