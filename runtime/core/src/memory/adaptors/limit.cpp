// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/adaptors/adaptor.hpp"

#include "support/driver.hpp"

#include <mutex>
#include <string>

namespace cubind {
namespace {

class Limited final : public detail::Adaptor {
public:
    Limited(const MemoryResource& upstream, std::size_t limit) : Adaptor(upstream), limit_(limit) {}

    driver::CUdeviceptr allocate(StreamRef stream, std::size_t size) override {
        take(size);
        try {
            return Adaptor::allocate(stream, size);
        } catch (...) {
            give_back(size);
            throw;
        }
    }
    void deallocate(StreamRef stream, driver::CUdeviceptr pointer, std::size_t size) override {
        Adaptor::deallocate(stream, pointer, size);
        give_back(size);
    }

private:
    void take(std::size_t size) {
        const std::lock_guard lock(mutex_);
        if (size > limit_ - used_) {
            throw OutOfMemory("driver", "LimitMemoryResource", driver::CUDA_ERROR_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY",
                              std::to_string(size).append(" bytes were asked for; ").append(std::to_string(used_)).append(" of at most ")
                                  .append(std::to_string(limit_)).append(" are in use"));
        }
        used_ += size;
    }
    void give_back(std::size_t size) {
        const std::lock_guard lock(mutex_);
        used_ -= size;
    }

    const std::size_t limit_;
    std::mutex mutex_;
    std::size_t used_ = 0;
};

}  // namespace

LimitMemoryResource::LimitMemoryResource(const MemoryResource& upstream, std::size_t limit)
    : MemoryResource(std::make_shared<Limited>(upstream, limit)) {}

}  // namespace cubind
