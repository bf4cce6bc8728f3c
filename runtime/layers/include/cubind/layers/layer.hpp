// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/intercept.hpp>

namespace cubind::layers {

class Layer;

/// What lies below a layer: further layers, and the vendor's function at the end.
class Next {
public:
    explicit Next(Layer* const* rest) noexcept : rest_(rest) {}

    /// Has the call done. A layer may do so once, or not at all; then it has to write what is returned.
    void operator()(const Call& call) const noexcept;

private:
    Layer* const* rest_;
};

/// Sees every call that the process makes through cubind, of all libraries, and from any thread at once. Derive from it to make a
/// layer of your own; trace, validate, faults and leaks are made so.
class Layer {
public:
    virtual void handle(const Call& call, const Next& next) noexcept = 0;

protected:
    ~Layer() = default;
};

/// Puts a layer above all others: it sees calls first. One that is there already moves up. The first layer makes calls go through
/// interceptors, the last one that is removed makes them direct again. Any thread may call these functions.
void push(Layer& layer);

/// Takes a layer away. Calls that other threads have begun may still be within it: it has to live until they have ended.
void remove(Layer& layer) noexcept;

bool is_on(const Layer& layer) noexcept;

/// While it lives, the calling thread's calls go to the vendor's functions directly: for what layers do themselves.
class Unobserved {
public:
    Unobserved() noexcept;
    ~Unobserved();
    Unobserved(const Unobserved&) = delete;
    Unobserved& operator=(const Unobserved&) = delete;
};

}  // namespace cubind::layers
