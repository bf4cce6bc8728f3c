// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "ptx/run/memory.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

const MemoryRange* RangeCache::find_other(std::uint64_t address, std::uint64_t bytes, std::uint8_t& last) {
    for (std::uint8_t i = 0; i < ranges_.size(); ++i) {
        if (ranges_[i].contains(address, bytes)) {
            last = i;
            return &ranges_[i];
        }
    }
    MemoryRange found;
    if (!memory_.find(address, found) || !found.contains(address, bytes)) return nullptr;
    last = next_;
    next_ = static_cast<std::uint8_t>((next_ + 1u) % ranges_.size());
    ranges_[last] = std::move(found);
    return &ranges_[last];
}

}  // namespace CUBIND_NAMESPACE::sim::ptx
