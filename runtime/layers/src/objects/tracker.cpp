// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/tracker.hpp"

#include "objects/effect_summary.hpp"
#include "objects/handle_names.hpp"
#include "objects/live_handles.hpp"
#include "objects/object_value.hpp"
#include "support/omissions.hpp"
#include "support/threads.hpp"
#include "values/capture.hpp"

namespace CUBIND_NAMESPACE::layers::objects {

namespace {

using reflection::Effect;
using reflection::no_parameter;

// The kinds of data that are tracked during one call. They are read once, because they may change during the call.
struct Tracked {
    bool handles;
    bool objects;
};

// Number of layers that called push_with_tracking(), for each Interest.
constinit std::atomic<int> interested_in_handles{0};
constinit std::atomic<int> interested_in_objects{0};

// Calls whose objects could not be recorded.
constinit Omissions omissions("objects", "missing in reports about leaks, and are not checked for unknown handles");

Tracked tracked() noexcept {
    return {interested_in_handles.load(std::memory_order_relaxed) > 0, interested_in_objects.load(std::memory_order_relaxed) > 0};
}

// State that is removed before a call is made and restored if the call fails. It is removed before, because afterwards
// another thread may have received the same handle.
struct Removal {
    Objects::Removed object;  ///< reference that was removed
    Value handle = 0;         ///< handle that was live; 0 if none
    Value emptied = 0;        ///< context whose contents are destroyed; 0 if none
    Value parent = 0;         ///< handle whose destruction may destroy others, even if its creation was not observed; 0 if none
};

bool is_handle(const Type& type) noexcept {
    return type.kind == Kind::handle || (type.kind == Kind::pointer && type.inner->kind == Kind::handle);
}

// Returns whether the call is captured, so that its effect happens only when the graph is launched.
bool waits_for_launch(const Call& call, const Effect& effect) noexcept {
    return effect.uncaptured != no_parameter && is_captured(call, effect.uncaptured);
}

Removal remove_destroyed(const Call& call, bool with_objects) noexcept {
    Removal removal;
    for (const Effect& effect : call.function.effects) {
        if (effect.what != Effect::What::ends || waits_for_launch(call, effect)) continue;
        const std::optional<Value> value = value_at(call, effect.object);
        if (!value) continue;
        if (with_objects) removal.object = all_objects().remove(effect.kind->name, *value);
        if (removal.object.count > 1) return removal;  // the object has more references
        if (is_handle(*call.function.parameters[effect.object.parameter].type)) removal.parent = *value;
        if (removal.handle == 0 && LiveHandles::of_this_thread().has(*value)) {
            removal.handle = *value;
            all_handles().mark_destroyed(*value, call.function);
        }
        if (removal.object.count > 0) return removal;  // the object was of this kind
    }
    return removal;
}

void undo(Removal& removal) {
    if (removal.object.count > 0) all_objects().restore(std::move(removal.object));
    if (removal.handle != 0) all_handles().restore(removal.handle);
}

// Returns the context whose contents the call destroys; 0 if none or unknown. It is determined before the call, because the
// context may not be current afterwards.
Value emptied_context(const Call& call) noexcept {
    for (const Effect& effect : call.function.effects) {
        if (effect.what != Effect::What::ends_contents) continue;
        if (effect.object.parameter == no_parameter) return current_context(call.library);
        return all_objects().owning(value_at(call, effect.object).value_or(0));
    }
    return 0;
}

// Returns the name by which the call looked an object up in its parent, or the parent's name, which is copied to `room`; empty if
// there is none.
std::string_view name_of_result(const Call& call, const Owners& owners, char (&room)[max_name]) noexcept {
    if (owners.parent == 0) return {};
    const unsigned char position = name_parameter(call.function);
    if (position == no_parameter) return {room, all_handles().copy_name(owners.parent, room, sizeof room)};
    const auto* const text = static_cast<const char*>(pointer_argument(call, position));
    return {text, text != nullptr ? strnlen(text, readable_bytes(text, max_name)) : 0};
}

// Adds the objects and handles that the call created. `captured` has the call's arguments; it is null if objects are not tracked.
void begin(const Call& call, const Effect& effect, Tracked tracked, const Capture* captured) {
    const bool returns_handles = tracked.handles && is_handle(*call.function.parameters[effect.object.parameter].type);
    if (!returns_handles && captured == nullptr) return;
    for (const Value value : values_at(call, effect.object)) {
        Owners owners;
        if (effect.kind->is_in_context) owners.context = current_context(call.library);
        if (effect.within != no_parameter) owners.parent = value_at(call, {effect.within}).value_or(0);
        if (returns_handles) {
            char room[max_name];
            all_handles().add(value, {.returned_by = &call.function, .owners = owners}, name_of_result(call, owners, room));
        }
        if (!effect.kind->is_owned || captured == nullptr) continue;
        Object object;
        object.kind = effect.kind->name;
        object.value = value;
        object.owners = owners;
        if (effect.owning != no_parameter) object.owning = value_at(call, {effect.owning}).value_or(0);
        object.thread = this_thread_number();
        object.since_start = time_since_start();
        object.library = &call.library;
        object.function = &call.function;
        object.call.assign(captured->data(), captured->data() + captured->size());
        all_objects().add(std::move(object), effect.kind->is_counted);
    }
}

void record_results(const Call& call, Removal& removal, const EffectSummary& summary, Tracked tracked, const Capture* captured) {
    if (call.failed()) return undo(removal);
    if (removal.emptied != 0) {
        all_objects().remove_all_of(removal.emptied);
        all_handles().mark_all_destroyed(removal.emptied, call.function);
    }
    // This precedes the addition of the objects that the call created, because a new object may have the value of a destroyed
    // one.
    if (summary.destroys_parents && removal.parent != 0) {
        all_objects().remove_all_of(removal.parent);
        all_handles().mark_all_destroyed(removal.parent, call.function);
    }
    if (!removal.object.object.empty() && removal.object.object.mapped().owning != 0) {
        all_objects().remove_all_of(removal.object.object.mapped().owning);
    }
    if (summary.returns_handles && tracked.handles) note_returned_handles(call, summary.owned);
    for (const Effect& effect : call.function.effects) {
        if (effect.what == Effect::What::begins && !waits_for_launch(call, effect)) begin(call, effect, tracked, captured);
    }
}

// Makes a call that begins a capture into a graph that exists.
void proceed_into_graph(const Call& call) noexcept {
    call.proceed();
    if (call.failed()) return;
    omissions.attempt([&] { all_objects().note_capture_into_graph(value_at(call, {0}).value_or(0)); });
}

}  // namespace

void create_tables() {
    create_effect_summaries();
    (void)all_objects();
    (void)all_handles();
    (void)time_since_start();
}

void proceed(const Call& call) noexcept {
    const Tracked now = tracked();
    if (!now.handles && !now.objects) return call.proceed();
    const EffectSummary& summary = effect_summary_of(call);
    const bool has_effects = summary.has_effects && (summary.effects_on_handles || now.objects);
    if (summary.captures_into_graph && now.objects) return proceed_into_graph(call);
    if (!has_effects && !(summary.returns_handles && now.handles)) return call.proceed();
    std::byte room[max_capture];
    Capture capture(room);
    Removal removal;
    // An existing graph is returned.
    const bool creates_nothing =
        summary.ends_capture && now.objects && all_objects().take_capture_into_graph(value_at(call, {0}).value_or(0));
    if (has_effects) {
        if (now.objects) capture_arguments(call, capture, handle_name_for(call));
        removal = remove_destroyed(call, now.objects);
        removal.emptied = emptied_context(call);
    }
    call.proceed();
    omissions.attempt([&] { record_results(call, removal, summary, now, now.objects && !creates_nothing ? &capture : nullptr); });
}

bool are_complete() noexcept {
    return omissions.count() == 0;
}

void push_with_tracking(Layer& layer, Interest interest) {
    // Tracking starts before the layer receives calls, so that the layer knows the handles that the first calls return.
    (interest == Interest::objects ? interested_in_objects : interested_in_handles).fetch_add(1, std::memory_order_relaxed);
    try {
        push(layer);
    } catch (...) {
        stop_tracking(interest);
        throw;
    }
}

void stop_tracking(Interest interest) noexcept {
    if (interest == Interest::objects && interested_in_objects.fetch_sub(1, std::memory_order_relaxed) == 1) {
        all_objects().clear();
    }
    if (interest == Interest::handles && interested_in_handles.fetch_sub(1, std::memory_order_relaxed) == 1) {
        all_handles().clear();
    }
    if (interested_in_objects.load(std::memory_order_relaxed) + interested_in_handles.load(std::memory_order_relaxed) == 0) {
        omissions.end();
    }
}

}  // namespace CUBIND_NAMESPACE::layers::objects
