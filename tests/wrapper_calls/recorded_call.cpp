// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "recorded_call.hpp"

#include <cstdint>
#include <cstring>

namespace cubind::testing {
namespace {

Bytes bytes_of(const void* object, std::size_t size) {
    const auto* const begin = static_cast<const unsigned char*>(object);
    return Bytes(begin, begin + size);
}

/// Returns why a C argument is not a pointer to a value, or null if it is. Pointers that the test passes are null or have bits
/// set in the highest bytes, unlike valid addresses.
const char* why_unwritable(const Bytes& argument, std::size_t alignment) {
    std::uintptr_t address = 0;
    if (argument.size() != sizeof address) return "is not a pointer";
    std::memcpy(&address, argument.data(), sizeof address);
    if (address == 0) return "is null";
    if (address >> 48 != 0) return "is the argument of another parameter";
    if (address % alignment != 0) return "is misaligned";
    return nullptr;
}

}  // namespace

RecordedCall* RecordedCall::current = nullptr;

void RecordedCall::take(std::size_t index, void* argument, std::size_t size) const {
    if (size != 0) std::memcpy(argument, passed.at(index).data(), size);
}

void RecordedCall::add_returned(const void* object, std::size_t size) {
    returned.push_back(bytes_of(object, size));
}

void RecordedCall::add_arrived(const void* argument, std::size_t size) {
    arrived.push_back(bytes_of(argument, size));
}

void RecordedCall::write_outputs() {
    if (++calls > 1) return;
    for (std::size_t index = 0; index < arrived.size(); ++index) {
        if (roles[index] == 'p') continue;
        const Bytes& bytes = written.at(starts.size());
        const char* const why = why_unwritable(arrived[index], alignments.at(starts.size()));
        unwritable.push_back(why);
        starts.emplace_back();
        if (why != nullptr) continue;
        void* output = nullptr;
        std::memcpy(&output, arrived[index].data(), sizeof output);
        starts.back() = bytes_of(output, bytes.size());
        std::memcpy(output, bytes.data(), bytes.size());
    }
}

void RecordedCall::take_result(void* output, std::size_t size) const {
    std::memcpy(output, result.data(), size);
}

}  // namespace cubind::testing
