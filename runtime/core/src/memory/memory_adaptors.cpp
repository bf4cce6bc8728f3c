// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/device/device.hpp>
#include <cubind/core/memory/memory_adaptors.hpp>

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "calls/driver.hpp"

namespace CUBIND_NAMESPACE {
namespace detail {
namespace {

/// A resource that passes every call to its upstream.
class Adaptor : public MemoryResourceBase {
public:
    driver::CUdeviceptr allocate(StreamRef stream, std::size_t size, std::size_t alignment) override {
        return upstream_->allocate(stream, size, alignment);
    }
    void deallocate(StreamRef stream, driver::CUdeviceptr pointer, std::size_t size, std::size_t alignment) override {
        upstream_->deallocate(stream, pointer, size, alignment);
    }
    bool is_device_accessible() const noexcept final { return upstream_->is_device_accessible(); }
    bool is_host_accessible() const noexcept final { return upstream_->is_host_accessible(); }
    bool is_managed() const noexcept final { return upstream_->is_managed(); }
    bool is_mapped() const noexcept final { return upstream_->is_mapped(); }
    bool is_capturable() const noexcept final { return upstream_->is_capturable(); }
    std::optional<Device> device() const noexcept final { return upstream_->device(); }

protected:
    explicit Adaptor(const MemoryResource& upstream) : upstream_(upstream.base()) {}

private:
    std::shared_ptr<MemoryResourceBase> upstream_;
};

}  // namespace

// ---- statistics ----------------------------------------------------------------------------------------------------------

class MemoryStatisticsState final : public Adaptor {
public:
    explicit MemoryStatisticsState(const MemoryResource& upstream) : Adaptor(upstream) {}

    driver::CUdeviceptr allocate(StreamRef stream, std::size_t size, std::size_t alignment) override {
        const driver::CUdeviceptr pointer = Adaptor::allocate(stream, size, alignment);
        const std::lock_guard lock(mutex_);
        statistics_.current_size += size;
        ++statistics_.current_count;
        statistics_.peak_size = std::max(statistics_.peak_size, statistics_.current_size);
        statistics_.total_size += size;
        ++statistics_.total_count;
        return pointer;
    }
    void deallocate(StreamRef stream, driver::CUdeviceptr pointer, std::size_t size, std::size_t alignment) override {
        Adaptor::deallocate(stream, pointer, size, alignment);
        const std::lock_guard lock(mutex_);
        statistics_.current_size -= size;
        --statistics_.current_count;
    }

    MemoryStatistics statistics() const {
        const std::lock_guard lock(mutex_);
        return statistics_;
    }
    void reset_peak() {
        const std::lock_guard lock(mutex_);
        statistics_.peak_size = statistics_.current_size;
    }

private:
    mutable std::mutex mutex_;
    MemoryStatistics statistics_{};
};

// ---- limit ---------------------------------------------------------------------------------------------------------------

namespace {

class LimitedMemory final : public Adaptor {
public:
    LimitedMemory(const MemoryResource& upstream, std::size_t limit) : Adaptor(upstream), limit_(limit) {}

    driver::CUdeviceptr allocate(StreamRef stream, std::size_t size, std::size_t alignment) override {
        reserve(size);
        try {
            return Adaptor::allocate(stream, size, alignment);
        } catch (...) {
            unreserve(size);
            throw;
        }
    }
    void deallocate(StreamRef stream, driver::CUdeviceptr pointer, std::size_t size, std::size_t alignment) override {
        Adaptor::deallocate(stream, pointer, size, alignment);
        unreserve(size);
    }

private:
    void reserve(std::size_t size) {
        const std::lock_guard lock(mutex_);
        if (size > limit_ - used_) {
            throw OutOfMemory(
                "driver", "LimitMemoryResource", driver::CUDA_ERROR_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY",
                concat(std::to_string(size), " bytes were requested; ", used_, " of at most ", limit_, " bytes are in use"));
        }
        used_ += size;
    }
    void unreserve(std::size_t size) {
        const std::lock_guard lock(mutex_);
        used_ -= size;
    }

    const std::size_t limit_;
    std::mutex mutex_;
    std::size_t used_ = 0;
};

// ---- logging -------------------------------------------------------------------------------------------------------------

class LoggedMemory final : public Adaptor {
public:
    using Kind = MemoryEvent::Kind;

    LoggedMemory(const MemoryResource& upstream, std::shared_ptr<MemoryLog> log) : Adaptor(upstream), log_(std::move(log)) {}

    driver::CUdeviceptr allocate(StreamRef stream, std::size_t size, std::size_t alignment) override {
        driver::CUdeviceptr pointer = 0;
        try {
            pointer = Adaptor::allocate(stream, size, alignment);
        } catch (...) {
            log_->add({Kind::failed_to_allocate, 0, size, stream});
            throw;
        }
        log_->add({Kind::allocated, pointer, size, stream});
        return pointer;
    }
    void deallocate(StreamRef stream, driver::CUdeviceptr pointer, std::size_t size, std::size_t alignment) override {
        try {
            Adaptor::deallocate(stream, pointer, size, alignment);
        } catch (...) {
            log_->add({Kind::failed_to_deallocate, pointer, size, stream});
            throw;
        }
        log_->add({Kind::deallocated, pointer, size, stream});
    }

private:
    std::shared_ptr<MemoryLog> log_;
};

// ---- failures ------------------------------------------------------------------------------------------------------------

class RetryingMemory final : public Adaptor {
public:
    RetryingMemory(const MemoryResource& upstream, std::shared_ptr<AllocationFailureCallback> callback)
        : Adaptor(upstream), callback_(std::move(callback)) {}

    driver::CUdeviceptr allocate(StreamRef stream, std::size_t size, std::size_t alignment) override {
        for (;;) {
            try {
                return Adaptor::allocate(stream, size, alignment);
            } catch (const OutOfMemory&) {
                if (!callback_->should_retry(size)) throw;
            }
        }
    }

private:
    std::shared_ptr<AllocationFailureCallback> callback_;
};

}  // namespace

std::shared_ptr<MemoryResourceBase> make_logging(const MemoryResource& upstream, std::shared_ptr<MemoryLog> log) {
    return std::make_shared<LoggedMemory>(upstream, std::move(log));
}

std::shared_ptr<MemoryResourceBase> make_retrying(const MemoryResource& upstream,
                                                  std::shared_ptr<AllocationFailureCallback> callback) {
    return std::make_shared<RetryingMemory>(upstream, std::move(callback));
}

}  // namespace detail

// ---- handles -------------------------------------------------------------------------------------------------------------

StatisticsMemoryResource::StatisticsMemoryResource(const MemoryResource& upstream)
    : StatisticsMemoryResource(std::make_shared<detail::MemoryStatisticsState>(upstream)) {}

StatisticsMemoryResource::StatisticsMemoryResource(std::shared_ptr<detail::MemoryStatisticsState> state)
    : ResourceHandle(state), state_(std::move(state)) {}

MemoryStatistics StatisticsMemoryResource::statistics() const {
    return state_->statistics();
}

void StatisticsMemoryResource::reset_peak() const {
    state_->reset_peak();
}

LimitMemoryResource::LimitMemoryResource(const MemoryResource& upstream, std::size_t limit)
    : ResourceHandle(std::make_shared<detail::LimitedMemory>(upstream, limit)) {}

}  // namespace CUBIND_NAMESPACE
