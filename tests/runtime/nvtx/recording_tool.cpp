// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// A tool for NVTX that records what it receives as text. It uses the binary interface, and no header of cubind.
#include <cinttypes>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <list>
#include <mutex>
#include <string>

namespace {

using Function = void (*)();

struct Event {
    std::uint16_t version;
    std::uint16_t size;
    std::uint32_t category;
    std::int32_t color_kind;
    std::uint32_t color;
    std::int32_t payload_kind;
    std::int32_t record_count;
    union {
        std::uint64_t positive;
        std::int64_t integer;
        double number;
        const struct Payload* records;
    } payload;
    std::int32_t message_kind;
    const char* message;
};

struct Payload {
    std::uint64_t schema;
    std::size_t size;
    const void* address;
};

struct Entry {
    std::uint64_t flags, type;
    const char* name;
    const char* description;
    std::uint64_t array_size, offset;
    const void* semantics;
    const void* reserved;
};

struct Schema {
    std::uint64_t fields;
    const char* name;
    std::uint64_t type, flags;
    const Entry* entries;
    std::size_t entry_count, record_size, alignment;
    std::uint64_t id;
    void* extension;
};

struct Limits {
    std::uint32_t size;
    std::uint16_t kind, version;
    const void* next;
    std::uint64_t flags;
    const char* unit;
    std::uint64_t unit_numerator, unit_denominator;
    std::int64_t limit_kind;
    union {
        std::int64_t integer;
        double number;
    } minimum, maximum;
};

struct Counter {
    std::size_t size;
    std::uint64_t value_kind;
    const char* name;
    const char* description;
    std::uint64_t scope;
    const Limits* limits;
    std::uint64_t id;
};

struct Segment {
    std::size_t number, size;
    std::intptr_t* functions;
};

struct Module {
    std::uint16_t interface_version, size, number, version;
    std::size_t segment_count;
    Segment* segments;
    std::intptr_t (*get_export)(std::uint32_t);
    const void* more;
};

struct Callbacks {
    std::size_t size;
    int (*get_group)(unsigned group, Function*** addresses, unsigned* size);
};

struct Version {
    std::size_t size;
    std::uint32_t version;
    std::uint32_t reserved;
    void (*set_tool_version)(std::uint32_t);
};

std::mutex mutex;
std::string recorded_text;
std::uint64_t next_range = 100;
std::uintptr_t next_domain = 1;

void record(const std::string& line) {
    const std::lock_guard lock(mutex);
    recorded_text += line + '\n';
}

std::string text_of(void* domain) {
    return std::to_string(reinterpret_cast<std::uintptr_t>(domain));
}

std::string text_of(const Event& event) {
    char text[64];
    std::string all = event.message_kind == 1 || event.message_kind == 3 ? event.message
                      : event.message == nullptr                         ? "(no message)"
                                                                         : "(wrong message)";
    if (event.message_kind == 3) all += " (registered)";
    if (event.version != 3 || event.size != sizeof event) all += " WRONG";
    if (event.payload_kind == static_cast<std::int32_t>(0xDFBD0009) && event.record_count == 1) {
        const Payload& record = *event.payload.records;
        all += " record of " + std::to_string(record.schema) + ":";
        for (std::size_t i = 0; i < record.size; ++i)
            all += ' ' + std::to_string(static_cast<const unsigned char*>(record.address)[i]);
    } else if (event.record_count != 0) {
        all += " WRONG";
    }
    if (event.category != 0) all += " category " + std::to_string(event.category);
    std::snprintf(text, sizeof text, " color %08" PRIx32, event.color);
    if (event.color_kind == 1) all += text;
    if (event.payload_kind == 1) all += " unsigned " + std::to_string(event.payload.positive);
    if (event.payload_kind == 2) all += " signed " + std::to_string(event.payload.integer);
    std::snprintf(text, sizeof text, " double %g", event.payload.number);
    if (event.payload_kind == 3) all += text;
    return all;
}

void mark(void* domain, const Event* event) {
    record("mark " + text_of(domain) + ": " + text_of(*event));
}

std::uint64_t start(void* domain, const Event* event) {
    record("start " + text_of(domain) + ": " + text_of(*event) + " as " + std::to_string(next_range));
    return next_range++;
}

void end(void* domain, std::uint64_t range) {
    record("end " + text_of(domain) + ": " + std::to_string(range));
}

int push(void* domain, const Event* event) {
    record("push " + text_of(domain) + ": " + text_of(*event));
    return 0;
}

int pop(void* domain) {
    record("pop " + text_of(domain));
    return 0;
}

void name_category(void* domain, std::uint32_t category, const char* name) {
    record("category " + text_of(domain) + ": " + std::to_string(category) + " is " + name);
}

// The handle of a registered text is a copy of it, which is never freed.
const void* register_string(void* domain, const char* text) {
    static std::list<std::string> texts;
    record("string " + text_of(domain) + ": " + text);
    return texts.emplace_back(text).c_str();
}

std::uint64_t create_counter(void* domain, const Counter* counter) {
    const Limits& limits = *counter->limits;
    std::string all = "counter " + text_of(domain) + ": " + counter->name;
    if (counter->size != sizeof *counter || limits.size != sizeof limits || limits.kind != 5 || limits.version != 2)
        all += " WRONG";
    if (limits.unit_numerator != 1 || limits.unit_denominator != 1 || counter->scope != 21 || counter->id != 0) all += " WRONG";
    all += counter->value_kind == 17 ? " of integers" : counter->value_kind == 20 ? " of doubles" : " WRONG";
    if (counter->description != nullptr) all += std::string(", ") + counter->description;
    if (limits.unit != nullptr) all += std::string(" in ") + limits.unit;
    const auto text = [&](const auto& value) {
        return limits.limit_kind == 1 ? std::to_string(value.integer) : std::to_string(value.number);
    };
    if ((limits.flags & 4) != 0) all += " from " + text(limits.minimum);
    if ((limits.flags & 8) != 0) all += " to " + text(limits.maximum);
    record(all);
    return 7;
}

void sample_integer(void*, std::uint64_t counter, std::int64_t value) {
    record("sample " + std::to_string(counter) + ": " + std::to_string(value));
}

void sample_double(void*, std::uint64_t counter, double value) {
    record("sample " + std::to_string(counter) + ": " + std::to_string(value));
}

void sample_no_value(void*, std::uint64_t counter, std::uint8_t reason) {
    record("sample " + std::to_string(counter) + ": none, because of " + std::to_string(reason));
}

std::uint64_t register_schema(void* domain, const Schema* schema) {
    std::string all = "schema " + text_of(domain) + ": " + schema->name + " of " + std::to_string(schema->record_size) + " bytes";
    if (schema->fields != 0x7e || schema->type != 1 || schema->flags != 0 || schema->id != 0) all += " WRONG";
    for (std::size_t i = 0; i < schema->entry_count; ++i) {
        const Entry& entry = schema->entries[i];
        all += ", " + std::string(entry.name) + " " + std::to_string(entry.type) + " at " + std::to_string(entry.offset);
        if (entry.flags == 16) all += " x " + std::to_string(entry.array_size);
        if (entry.flags != 0 && entry.flags != 16) all += " WRONG";
    }
    record(all);
    return 9;
}

void* create_domain(const char* name) {
    record("create " + std::to_string(next_domain) + ": " + name);
    return reinterpret_cast<void*>(next_domain++);
}

void destroy_domain(void* domain) {
    record("destroy " + text_of(domain));
}

}  // namespace

extern "C" {

const char* recorded() {
    return recorded_text.c_str();
}

void forget() {
    recorded_text.clear();
}

int InitializeInjectionNvtx2(const void* (*get_export_table)(std::uint32_t)) {
    const auto* const version = static_cast<const Version*>(get_export_table(3));
    const auto* const callbacks = static_cast<const Callbacks*>(get_export_table(1));
    if (version == nullptr || version->version != 3 || version->size < sizeof(Version)) return 0;
    if (callbacks == nullptr || callbacks->size < sizeof(Callbacks) || get_export_table(2) != nullptr) return 0;
    version->set_tool_version(3);
    // Every function of every group can be filled in.
    constexpr unsigned sizes[] = {0, 16, 9, 15, 7, 16, 7};
    Function** addresses = nullptr;
    unsigned size = 0;
    if (callbacks->get_group(0, &addresses, &size) != 0 || callbacks->get_group(7, &addresses, &size) != 0) return 0;
    for (unsigned group = 1; group <= 6; ++group) {
        if (callbacks->get_group(group, &addresses, &size) != 1 || size != sizes[group]) return 0;
        if (addresses[0] != nullptr || addresses[size] != nullptr) return 0;
        for (unsigned i = 1; i < size; ++i) {
            if (addresses[i] == nullptr) return 0;
        }
    }
    if (callbacks->get_group(5, &addresses, nullptr) != 1) return 0;
    const auto assign = [&](unsigned number, auto function) { *addresses[number] = reinterpret_cast<Function>(function); };
    assign(1, mark);
    assign(2, start);
    assign(3, end);
    assign(4, push);
    assign(5, pop);
    assign(8, name_category);
    assign(10, register_string);
    assign(12, create_domain);
    assign(14, destroy_domain);
    return 1;
}

int InitializeInjectionNvtxExtension(Module* module) {
    if (module->interface_version != 3 || module->size != sizeof *module || module->segment_count != 1) return 0;
    if (module->segments->size != 63) return 0;
    if (module->number == 2 && module->version == 0x0104) {
        const auto* const sizes = static_cast<const std::uint16_t*>(module->more);
        if (sizes[0] != 28 || sizes[1] != 4 || sizes[40] != sizeof(double) || sizes[54] != sizeof(char32_t)) return 0;
        module->segments->functions[0] = reinterpret_cast<std::intptr_t>(register_schema);
        return 1;
    }
    if (module->number != 4 || module->version != 0x0102) return 0;
    const auto assign = [&](unsigned number, auto function) {
        module->segments->functions[number] = reinterpret_cast<std::intptr_t>(function);
    };
    assign(0, create_counter);
    assign(1, sample_integer);
    assign(2, sample_double);
    assign(4, sample_no_value);
    return 1;
}

}  // extern "C"
