// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "spec/field_lifetimes.hpp"

namespace cubind::gen::spec {
namespace {

/// The indices of the first and the last release whose record has a field.
struct Lifetime {
    std::size_t first;
    std::size_t last;
};
using Lifetimes = std::map<std::string, Lifetime>;

std::string path_below(const std::string& prefix, const Field& field) {
    return field.name.empty() ? prefix : prefix + "." + field.name;
}

void collect(const RecordBody& record, const std::string& prefix, std::size_t index, Lifetimes& lifetimes) {
    for (const auto& field : record.fields) {
        const std::string path = path_below(prefix, field);
        if (!field.name.empty()) lifetimes.emplace(path, Lifetime{index, index}).first->second.last = index;
        if (field.record) collect(*field.record, path, index, lifetimes);
    }
}

class LifetimeWriter {
public:
    LifetimeWriter(const Lifetimes& lifetimes, const Sources& sources, std::size_t first, std::size_t last)
        : lifetimes_(lifetimes), sources_(sources), first_(first), last_(last) {}

    void write(std::vector<Field>& fields, const std::string& prefix) const {
        for (auto& field : fields) {
            const std::string path = path_below(prefix, field);
            field.since.clear();
            field.removed.clear();
            if (!field.name.empty()) {
                const Lifetime& lifetime = lifetimes_.at(path);
                if (lifetime.first > first_) field.since = sources_[lifetime.first].release;
                if (lifetime.last < last_) field.removed = sources_[lifetime.last + 1].release;
            }
            if (field.record) {
                NestedRecord nested = *field.record;
                write(nested.fields, path);
                field.record = std::make_shared<const NestedRecord>(std::move(nested));
            }
        }
    }

private:
    const Lifetimes& lifetimes_;
    const Sources& sources_;
    std::size_t first_;
    std::size_t last_;
};

}  // namespace

void set_field_lifetimes(const Timeline<RecordBody>& timeline, const Sources& sources, Record& record) {
    Lifetimes lifetimes;
    for (std::size_t index = 0; index < timeline.bodies.size(); ++index) {
        if (timeline.bodies[index] != nullptr) collect(*timeline.bodies[index], "", index, lifetimes);
    }
    const LifetimeWriter writer(lifetimes, sources, timeline.first(), timeline.last());
    writer.write(record.fields, "");
    for (auto& former : record.history) writer.write(former.fields, "");
}

}  // namespace cubind::gen::spec
