// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "settings.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>

namespace cubind::prof {

namespace {

bool set_activity(std::string_view name, profile::RecorderOptions& options) {
    if (name == "kernels") return options.kernels = true;
    if (name == "copies") return options.copies = true;
    if (name == "fills") return options.fills = true;
    if (name == "memory") return options.memory_operations = true;
    if (name == "calls") return options.driver_calls = options.runtime_calls = true;
    if (name == "waits") return options.synchronizations = true;
    if (name == "ranges") return options.ranges = true;
    return false;
}

}  // namespace

std::string read_activities(std::string_view list, profile::RecorderOptions& options) {
    options.kernels = options.copies = options.fills = options.memory_operations = options.driver_calls = options.runtime_calls =
        options.synchronizations = options.ranges = false;
    for (;;) {
        const std::size_t end = list.find(',');
        const std::string_view word = list.substr(0, end);
        if (!set_activity(word, options)) return word.empty() ? "(empty)" : std::string(word);
        if (end == std::string_view::npos) return {};
        list.remove_prefix(end + 1);
    }
}

bool read_size(std::string_view text, std::size_t& size) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc()) return false;
    const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
    unsigned shift = 0;
    if (unit == "K")
        shift = 10;
    else if (unit == "M")
        shift = 20;
    else if (unit == "G")
        shift = 30;
    else if (!unit.empty())
        return false;
    if (value > (std::numeric_limits<std::size_t>::max() >> shift)) return false;
    size = static_cast<std::size_t>(value) << shift;
    return true;
}

// Half of the memory is for the buffers of CUPTI, and half for the records in them, of which one needs about 100 bytes.
void limit_memory(std::size_t bytes, profile::RecorderOptions& options) {
    constexpr std::size_t bytes_per_record = 128;
    options.max_buffers = std::max<std::size_t>(2, bytes / 2 / options.buffer_size);
    options.max_records = std::max<std::size_t>(1, bytes / 2 / bytes_per_record);
}

}  // namespace cubind::prof
