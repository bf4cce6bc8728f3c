// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/adaptors/adaptor.hpp"

namespace cubind::detail {
namespace {

using Kind = MemoryEvent::Kind;

class Logged final : public Adaptor {
public:
    Logged(const MemoryResource& upstream, std::shared_ptr<MemoryLog> log) : Adaptor(upstream), log_(std::move(log)) {}

    driver::CUdeviceptr allocate(StreamRef stream, std::size_t size) override {
        driver::CUdeviceptr pointer = 0;
        try {
            pointer = Adaptor::allocate(stream, size);
        } catch (...) {
            log_->add({Kind::failed_to_allocate, 0, size, stream});
            throw;
        }
        log_->add({Kind::allocated, pointer, size, stream});
        return pointer;
    }
    void deallocate(StreamRef stream, driver::CUdeviceptr pointer, std::size_t size) override {
        try {
            Adaptor::deallocate(stream, pointer, size);
        } catch (...) {
            log_->add({Kind::failed_to_deallocate, pointer, size, stream});
            throw;
        }
        log_->add({Kind::deallocated, pointer, size, stream});
    }

private:
    std::shared_ptr<MemoryLog> log_;
};

}  // namespace

std::shared_ptr<MemoryResourceBase> make_logging(const MemoryResource& upstream, std::shared_ptr<MemoryLog> log) {
    return std::make_shared<Logged>(upstream, std::move(log));
}

}  // namespace cubind::detail
