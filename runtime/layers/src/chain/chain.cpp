// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/layers/layer.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <new>
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
    Chains() { hold_during_fork(ForkLevel::layer_chain, mutex); }

    std::mutex mutex;
    Chain layers;
    /// All chains that were ever installed, without duplicates: running calls may still use them.
    std::vector<std::unique_ptr<const Chain>> all;
    /// Allocated chains for later installations, one for each layer, so that remove() allocates nothing.
    std::vector<std::unique_ptr<Chain>> spare;
};

// Never destroyed: calls may be made until the process ends. Allocates nothing.
Chains& chains() noexcept {
    alignas(Chains) static std::byte place[sizeof(Chains)];
    static Chains& chains = *new (place) Chains;
    return chains;
}

void observe(const Call& call) noexcept {
    Layer* const* const chain = current_chain.load(std::memory_order_acquire);
    if (chain == nullptr || unobserved_count > 0) return call.proceed();
    Next{chain}(call);
}

// Returns the stored chain of these layers; stores it in the latest spare one if there is none.
const Chain& retain(Chains& all) noexcept {
    for (const auto& each : all.all) {
        if (std::equal(all.layers.begin(), all.layers.end(), each->begin(), each->end() - 1)) return *each;
    }
    Chain& chain = *all.spare.back();
    chain.assign(all.layers.begin(), all.layers.end());
    chain.push_back(nullptr);
    all.all.push_back(std::move(all.spare.back()));
    return *all.all.back();
}

// Installs the current layers. Requires a spare chain and removes one.
void install(Chains& all) noexcept {
    const bool has_layers = !all.layers.empty();
    current_chain.store(has_layers ? retain(all).data() : nullptr, std::memory_order_release);
    all.spare.pop_back();
    intercept(libraries(), has_layers ? observe : nullptr);
}

void add_spare(Chains& all, std::size_t layers) {
    auto chain = std::make_unique<Chain>();
    chain->reserve(layers + 1);
    all.spare.push_back(std::move(chain));
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
    objects::create_tables();
    const bool is_new = std::find(all.layers.begin(), all.layers.end(), &layer) == all.layers.end();
    // From here on, only these statements may throw. Each layer has one spare chain for its removal.
    all.layers.reserve(all.layers.size() + 1);
    all.all.reserve(all.all.size() + all.layers.size() + 2);
    while (all.spare.size() < all.layers.size() + (is_new ? 2 : 1)) add_spare(all, all.layers.size() + 1);
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
