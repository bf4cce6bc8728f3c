// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/adaptors/adaptor.hpp"

#include <cubind/error.hpp>

namespace cubind::detail {
namespace {

class Retrying final : public Adaptor {
public:
    Retrying(const MemoryResource& upstream, std::shared_ptr<AllocationFailureCallback> callback)
        : Adaptor(upstream), callback_(std::move(callback)) {}

    driver::CUdeviceptr allocate(StreamRef stream, std::size_t size) override {
        for (;;) {
            try {
                return Adaptor::allocate(stream, size);
            } catch (const OutOfMemory&) {
                if (!callback_->should_retry(size)) throw;
            }
        }
    }

private:
    std::shared_ptr<AllocationFailureCallback> callback_;
};

}  // namespace

std::shared_ptr<MemoryResourceBase> make_retrying(const MemoryResource& upstream, std::shared_ptr<AllocationFailureCallback> callback) {
    return std::make_shared<Retrying>(upstream, std::move(callback));
}

}  // namespace cubind::detail
