// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/profile/recording.hpp>
#include <cubind/profile/records.hpp>

#include <functional>
#include <iterator>
#include <unordered_set>

namespace CUBIND_NAMESPACE::profile {

namespace {

struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const noexcept { return std::hash<std::string_view>()(text); }
};

template <std::size_t count, class Enum>
const char* name_in(const char* const (&names)[count], Enum value) noexcept {
    const auto index = static_cast<std::size_t>(value);
    return names[index < count ? index : 0];
}

}  // namespace

struct NamePool::Texts {
    std::unordered_set<std::string, TextHash, std::equal_to<>> all;
};

NamePool::NamePool() : texts_(std::make_unique<Texts>()) {}
NamePool::~NamePool() = default;

std::string_view NamePool::intern(std::string_view text) {
    const auto found = texts_->all.find(text);
    return found != texts_->all.end() ? *found : *texts_->all.emplace(text).first;
}

const char* to_string(CopyDirection direction) noexcept {
    static constexpr const char* names[] = {"unknown",          "host to device", "device to host",  "host to array",
                                            "array to host",    "array to array", "array to device", "device to array",
                                            "device to device", "host to host",   "peer to peer"};
    return name_in(names, direction);
}

const char* to_string(MemoryKind kind) noexcept {
    static constexpr const char* names[] = {"unknown", "pageable", "pinned",        "device",
                                            "array",   "managed",  "device static", "managed static"};
    return name_in(names, kind);
}

const char* to_string(Api api) noexcept {
    return api == Api::driver ? "driver" : "runtime";
}

const char* to_string(SynchronizationKind kind) noexcept {
    static constexpr const char* names[] = {"unknown", "event", "stream waits for event", "stream", "context"};
    return name_in(names, kind);
}

const char* to_string(Subject subject) noexcept {
    static constexpr const char* names[] = {"kernels", "copies", "fills", "calls", "synchronizations", "ranges"};
    return name_in(names, subject);
}

}  // namespace CUBIND_NAMESPACE::profile
