// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/sim/kernel_body.hpp>

#include <map>
#include <memory>
#include <mutex>

namespace CUBIND_NAMESPACE::sim {

/// The bodies of kernels, by name. Thread-safe.
class KernelBodies {
public:
    void define(std::string name, detail::Body body) {
        auto shared = std::make_shared<const detail::Body>(std::move(body));
        const std::lock_guard lock(mutex_);
        bodies_.insert_or_assign(std::move(name), std::move(shared));
    }
    /// Returns the body of a kernel, or null if none is defined.
    std::shared_ptr<const detail::Body> find(const std::string& name) const {
        const std::lock_guard lock(mutex_);
        const auto found = bodies_.find(name);
        return found != bodies_.end() ? found->second : nullptr;
    }

private:
    mutable std::mutex mutex_;
    std::map<std::string, std::shared_ptr<const detail::Body>> bodies_;
};

}  // namespace CUBIND_NAMESPACE::sim
