// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include <cubind/layers/layer.hpp>

#include "chain/libraries.hpp"
#include "objects/tracker.hpp"

namespace cubind::layers {

namespace {

// From the top down; ends with null.
using Chain = std::vector<Layer*>;

constinit std::atomic<Layer* const*> present{nullptr};
constinit thread_local int unobserved = 0;

struct Chains {
    std::mutex mutex;
    Chain layers;
    /// Every chain that there has been, each once: a call under way may still go through it.
    std::vector<std::unique_ptr<const Chain>> all;
};

Chains& chains() {
    static Chains& forever = *new Chains;
    return forever;
}

void observe(const Call& call) noexcept {
    Layer* const* const chain = present.load(std::memory_order_acquire);
    if (chain == nullptr || unobserved > 0) return call.proceed();
    Next{chain}(call);
}

const Chain& kept(Chains& all, Chain chain) {
    chain.push_back(nullptr);
    for (const auto& each : all.all) {
        if (*each == chain) return *each;
    }
    all.all.push_back(std::make_unique<const Chain>(std::move(chain)));
    return *all.all.back();
}

void use(Chains& all) {
    const bool any = !all.layers.empty();
    present.store(any ? kept(all, all.layers).data() : nullptr, std::memory_order_release);
    intercept(libraries(), any ? observe : nullptr);
}

}  // namespace

void Next::operator()(const Call& call) const noexcept {
    if (*rest_ != nullptr) {
        (*rest_)->handle(call, Next{rest_ + 1});
    } else {
        objects::proceed(call);
    }
}

void push(Layer& layer) {
    Chains& all = chains();
    const std::lock_guard lock(all.mutex);
    std::erase(all.layers, &layer);
    all.layers.insert(all.layers.begin(), &layer);
    use(all);
}

void remove(Layer& layer) noexcept {
    Chains& all = chains();
    const std::lock_guard lock(all.mutex);
    if (std::erase(all.layers, &layer) > 0) use(all);
}

bool is_on(const Layer& layer) noexcept {
    Chains& all = chains();
    const std::lock_guard lock(all.mutex);
    return std::find(all.layers.begin(), all.layers.end(), &layer) != all.layers.end();
}

Unobserved::Unobserved() noexcept {
    ++unobserved;
}

Unobserved::~Unobserved() {
    --unobserved;
}

}  // namespace cubind::layers
