// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// What a device makes: each is the constructor of its class.

#include <cubind/core/device.hpp>
#include <cubind/core/event.hpp>
#include <cubind/core/stream.hpp>

namespace cubind {

Stream Device::create_stream() const {
    return Stream(*this);
}

Stream Device::create_stream(const StreamOptions& options) const {
    return Stream(*this, options);
}

Event Device::create_event() const {
    return Event(*this);
}

Event Device::create_event(const EventOptions& options) const {
    return Event(*this, options);
}

}  // namespace cubind
