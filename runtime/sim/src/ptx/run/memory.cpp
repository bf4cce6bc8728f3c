// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "ptx/run/memory.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

const MemoryRange* RangeCache::find_other(std::uint64_t address, std::uint64_t bytes) {
    for (unsigned i = 0; i < ranges_.size(); ++i) {
        if (ranges_[i].contains(address, bytes)) {
            last_ = i;
            return &ranges_[i];
        }
    }
    MemoryRange found;
    if (!memory_.find(address, found) || !found.contains(address, bytes)) return nullptr;
    last_ = next_;
    next_ = next_ + 1 < ranges_.size() ? next_ + 1 : 0;
    ranges_[last_] = std::move(found);
    return &ranges_[last_];
}

}  // namespace CUBIND_NAMESPACE::sim::ptx
