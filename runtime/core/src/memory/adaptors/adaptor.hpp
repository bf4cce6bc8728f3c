// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device.hpp>
#include <cubind/core/memory_adaptors.hpp>

#include <memory>
#include <optional>

namespace cubind::detail {

/// A resource whose memory is that of another one.
class Adaptor : public MemoryResourceBase {
public:
    driver::CUdeviceptr allocate(StreamRef stream, std::size_t size) override { return upstream_->allocate(stream, size); }
    void deallocate(StreamRef stream, driver::CUdeviceptr pointer, std::size_t size) override {
        upstream_->deallocate(stream, pointer, size);
    }
    bool is_device_accessible() const noexcept final { return upstream_->is_device_accessible(); }
    bool is_host_accessible() const noexcept final { return upstream_->is_host_accessible(); }
    bool is_managed() const noexcept final { return upstream_->is_managed(); }
    bool joins_captures() const noexcept final { return upstream_->joins_captures(); }
    std::optional<Device> device() const noexcept final { return upstream_->device(); }

protected:
    explicit Adaptor(const MemoryResource& upstream) : upstream_(upstream.base()) {}

private:
    std::shared_ptr<MemoryResourceBase> upstream_;
};

}  // namespace cubind::detail
