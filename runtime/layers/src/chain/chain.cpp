// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/layers/layer.hpp>

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "objects/tracker.hpp"
#include "support/fork.hpp"
#include "support/libraries.hpp"

namespace CUBIND_NAMESPACE::layers {

namespace {

// Layers from the top down. Installed chains end with null.
using Chain = std::vector<Layer*>;

constinit std::atomic<Layer* const*> current_chain{nullptr};
constinit thread_local int unobserved_count = 0;  // living Unobserved objects of this thread

struct Chains {
    Chains() { hold_during_fork(ForkLevel::chain, mutex); }

    std::mutex mutex;
    Chain layers;
    /// All chains that were ever installed, without duplicates: running calls may still use them.
    std::vector<std::unique_ptr<const Chain>> all;
};

Chains& chains() {
    static Chains& chains = *new Chains;
    return chains;
}

void observe(const Call& call) noexcept {
    Layer* const* const chain = current_chain.load(std::memory_order_acquire);
    if (chain == nullptr || unobserved_count > 0) return call.proceed();
    Next{chain}(call);
}

// Returns the stored chain that equals `chain`; stores it if there is none.
const Chain& retain(Chains& all, Chain chain) {
    chain.push_back(nullptr);
    for (const auto& each : all.all) {
        if (*each == chain) return *each;
    }
    all.all.push_back(std::make_unique<const Chain>(std::move(chain)));
    return *all.all.back();
}

void install(Chains& all) {
    const bool has_layers = !all.layers.empty();
    if (has_layers) objects::create_tables();
    current_chain.store(has_layers ? retain(all, all.layers).data() : nullptr, std::memory_order_release);
    intercept(libraries(), has_layers ? observe : nullptr);
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
    install(all);
}

void remove(Layer& layer) noexcept {
    Chains& all = chains();
    const std::lock_guard lock(all.mutex);
    if (std::erase(all.layers, &layer) > 0) install(all);
}

bool is_on(const Layer& layer) noexcept {
    Chains& all = chains();
    const std::lock_guard lock(all.mutex);
    return std::find(all.layers.begin(), all.layers.end(), &layer) != all.layers.end();
}

Unobserved::Unobserved() noexcept {
    ++unobserved_count;
}

Unobserved::~Unobserved() {
    --unobserved_count;
}

}  // namespace CUBIND_NAMESPACE::layers
