// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// A tool for NVTX that records what it receives as text. It uses the binary interface, and no header of cubind.
#include <cinttypes>
#include <cstddef>
#include <cstdint>
#include <cstdio>
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
    std::int32_t reserved;
    union {
        std::uint64_t positive;
        std::int64_t integer;
        double number;
    } payload;
    std::int32_t message_kind;
    const char* message;
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
    std::string all = event.message_kind == 1 ? event.message : event.message == nullptr ? "(no message)" : "(wrong message)";
    if (event.version != 3 || event.size != sizeof event || event.reserved != 0) all += " WRONG";
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
    assign(12, create_domain);
    assign(14, destroy_domain);
    return 1;
}

}  // extern "C"
