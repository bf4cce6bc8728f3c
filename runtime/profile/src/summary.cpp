// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/profile/recording.hpp>

#include <algorithm>
#include <unordered_map>

#include "record_members.hpp"

namespace CUBIND_NAMESPACE::profile {

namespace {

/// Collects durations by name.
class Statistics {
public:
    void add(std::string_view name, Nanoseconds duration, std::uint64_t bytes = 0) {
        Group& group = groups_[name];
        group.durations.push_back(duration);
        group.bytes += bytes;
    }

    std::vector<Summary> take() && {
        std::vector<Summary> all;
        Nanoseconds sum{};
        for (auto& [name, group] : groups_) {
            all.push_back(summary_of(name, group));
            sum += all.back().total;
        }
        for (Summary& each : all)
            each.part = sum.count() == 0 ? 0 : static_cast<double>(each.total.count()) / static_cast<double>(sum.count());
        std::ranges::sort(all, [](const Summary& left, const Summary& right) {
            return left.total != right.total ? left.total > right.total : left.name < right.name;
        });
        return all;
    }

private:
    struct Group {
        std::vector<Nanoseconds> durations;
        std::uint64_t bytes = 0;
    };

    static Summary summary_of(std::string_view name, Group& group) {
        std::vector<Nanoseconds>& durations = group.durations;
        std::ranges::sort(durations);
        Summary summary{.name = name, .count = durations.size(), .bytes = group.bytes};
        for (const Nanoseconds each : durations) summary.total += each;
        summary.mean = summary.total / static_cast<std::int64_t>(summary.count);
        const std::size_t middle = summary.count / 2;
        summary.median = summary.count % 2 != 0 ? durations[middle] : (durations[middle - 1] + durations[middle]) / 2;
        summary.min = durations.front();
        summary.max = durations.back();
        return summary;
    }

    std::unordered_map<std::string_view, Group> groups_;
};

// Returns what the statistics of a subject are grouped by.
std::string_view label_of(const auto& record) {
    if constexpr (requires { record.name; }) {
        return record.name;
    } else if constexpr (requires { record.direction; }) {
        return to_string(record.direction);
    } else if constexpr (requires { record.memory; }) {
        return to_string(record.memory);
    } else {
        return to_string(record.kind);
    }
}

}  // namespace

std::vector<Summary> Recording::summary(Subject subject) const {
    Statistics statistics;
    detail::visit_subject(*this, subject, [&](const auto& records) {
        for (const auto& each : records) {
            if constexpr (requires { each.is_mark; }) {
                if (each.is_mark) continue;
            }
            if constexpr (requires { each.bytes; }) {
                statistics.add(label_of(each), each.duration(), each.bytes);
            } else {
                statistics.add(label_of(each), each.duration());
            }
        }
    });
    return std::move(statistics).take();
}

std::vector<Summary> Recording::kernels_by_range() const {
    Statistics statistics;
    for (const KernelRecord& each : kernels()) {
        const RangeRecord* const range = range_of(each);
        statistics.add(range == nullptr ? std::string_view() : range->name, each.duration());
    }
    return std::move(statistics).take();
}

}  // namespace CUBIND_NAMESPACE::profile
