// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/layers/layer.hpp>
#include <cubind/layers/leaks.hpp>

#include <algorithm>
#include <cstdio>
#include <mutex>

#include "objects/registry.hpp"
#include "objects/tracker.hpp"
#include "support/fork.hpp"
#include "values/print.hpp"

namespace CUBIND_NAMESPACE::layers::leaks {

namespace {

// Passes calls on unchanged: objects are tracked below all layers.
class Leaks final : public Layer {
public:
    Leaks() { hold_during_fork(ForkLevel::layer, mutex); }
    void handle(const Call& call, const Next& next) noexcept override { next(call); }

    std::mutex mutex;  ///< guards start() and stop()
};

// Never destroyed: calls may be made until the process ends.
Leaks& leaks_layer() {
    static Leaks& layer = *new Leaks;
    return layer;
}

std::string line(const Leak& leak) {
    std::string text = leak.kind + " ";
    append_hexadecimal(text, leak.value);
    if (leak.references > 1) text += " (" + std::to_string(leak.references) + " references)";
    char when[64];
    std::snprintf(when, sizeof when, " in thread %u at %.6f s\n", leak.thread, std::chrono::duration<double>(leak.time).count());
    return text + " from " + leak.library + " " + leak.call + when;
}

}  // namespace

void start() {
    const std::lock_guard lock(leaks_layer().mutex);
    if (is_on(leaks_layer())) return;
    objects::push_with_tracking(leaks_layer(), objects::Interest::objects);
}

void stop() {
    const std::lock_guard lock(leaks_layer().mutex);
    if (!is_on(leaks_layer())) return;
    remove(leaks_layer());
    objects::stop_tracking(objects::Interest::objects);
}

Checkpoint checkpoint() {
    return static_cast<Checkpoint>(objects::all_objects().last_number());
}

std::vector<Leak> outstanding(Checkpoint since) {
    auto found = objects::all_objects().all_after(static_cast<unsigned long long>(since));
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.number < b.number; });
    std::vector<Leak> leaks;
    for (const objects::Object& object : found) {
        const std::string call = signature_text(*object.library, *object.function, object.call.data());
        leaks.push_back({std::string(object.kind), object.value, object.count, object.library->name, call, object.thread,
                         object.since_start});
    }
    return leaks;
}

std::string report(Checkpoint since) {
    std::string text;
    for (const Leak& leak : outstanding(since)) text += line(leak);
    return text;
}

std::string report_at_exit() {
    std::string text;
    for (const Leak& leak : outstanding()) {
        if (leak.kind != "primary context") text += line(leak);
    }
    return text;
}

}  // namespace CUBIND_NAMESPACE::layers::leaks
