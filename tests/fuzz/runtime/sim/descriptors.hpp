// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <cstdint>
#include <vector>

#include "choices.hpp"

namespace cubind::fuzz {

/// The latest file descriptors that calls have given; former ones are closed.
class Descriptors {
public:
    Descriptors() = default;
    ~Descriptors() {
        for (const int each : open_) close(each);
    }
    Descriptors(const Descriptors&) = delete;
    Descriptors& operator=(const Descriptors&) = delete;

    void add(int descriptor) {
        if (open_.size() == most) {
            close(open_.front());
            open_.erase(open_.begin());
        }
        open_.push_back(descriptor);
    }
    /// One of them as the pointer that calls take it for, or one that is none.
    const void* pick(Choices& choices) const {
        const bool is_none = open_.empty() || choices.one_in(8);
        return reinterpret_cast<const void*>(is_none ? ~std::uintptr_t{0} : static_cast<std::uintptr_t>(open_[choices.below(open_.size())]));
    }

private:
    static constexpr std::size_t most = 8;

    std::vector<int> open_;
};

}  // namespace cubind::fuzz
