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

/// What the test passes as a pointer is null or has bits in its highest bytes, which no address of a program has.
const char* why_unwritable(const Bytes& argument, std::size_t alignment) {
    std::uintptr_t address = 0;
    if (argument.size() != sizeof address) return "is no pointer";
    std::memcpy(&address, argument.data(), sizeof address);
    if (address == 0) return "is null";
    if (address >> 48 != 0) return "is what was passed for another";
    if (address % alignment != 0) return "is misaligned";
    return nullptr;
}

}  // namespace

RecordedCall* RecordedCall::current = nullptr;

void RecordedCall::take(std::size_t index, void* argument, std::size_t size) const {
    if (size != 0) std::memcpy(argument, passed.at(index).data(), size);
}

void RecordedCall::give_back(const void* object, std::size_t size) {
    returned.push_back(bytes_of(object, size));
}

void RecordedCall::arrive(const void* argument, std::size_t size) {
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

void RecordedCall::take_answer(void* result, std::size_t size) const {
    std::memcpy(result, answer.data(), size);
}

}  // namespace cubind::testing
