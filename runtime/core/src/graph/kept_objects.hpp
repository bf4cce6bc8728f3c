// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <mutex>
#include <unordered_map>

namespace cubind::detail {

/// What the work of a graph uses, each object once. Any thread may add to it.
class KeptObjects {
public:
    void add(std::shared_ptr<const void> what);
    bool empty() const;

private:
    mutable std::mutex mutex_;
    std::unordered_map<const void*, std::shared_ptr<const void>> objects_;
};

}  // namespace cubind::detail
