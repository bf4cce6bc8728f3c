// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <unistd.h>
#include <vector>

#include "choices.hpp"

namespace cubind::fuzz {

/// The most recent file descriptors that calls have returned. Older ones are closed.
class Descriptors {
public:
    Descriptors() = default;
    ~Descriptors() {
        for (const int each : open_) close(each);
    }
    Descriptors(const Descriptors&) = delete;
    Descriptors& operator=(const Descriptors&) = delete;

    void add(int descriptor) {
        if (open_.size() == max_open) {
            close(open_.front());
            open_.erase(open_.begin());
        }
        open_.push_back(descriptor);
    }
    /// Returns one of the descriptors, or an invalid one, converted to the pointer that calls expect.
    const void* pick(Choices& choices) const {
        const bool is_invalid = open_.empty() || choices.one_in(8);
        return reinterpret_cast<const void*>(is_invalid ? ~std::uintptr_t{0}
                                                        : static_cast<std::uintptr_t>(open_[choices.below(open_.size())]));
    }

private:
    static constexpr std::size_t max_open = 8;

    std::vector<int> open_;
};

}  // namespace cubind::fuzz
