// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "spec/field_lives.hpp"

namespace cubind::gen::spec {
namespace {

/// Indices of the first and last release whose record has a field.
struct Life {
    std::size_t first;
    std::size_t last;
};
using Lives = std::map<std::string, Life>;

std::string path_below(const std::string& prefix, const Field& field) {
    return field.name.empty() ? prefix : prefix + "." + field.name;
}

void collect(const RecordBody& record, const std::string& prefix, std::size_t index, Lives& lives) {
    for (const auto& field : record.fields) {
        const std::string path = path_below(prefix, field);
        if (!field.name.empty()) lives.emplace(path, Life{index, index}).first->second.last = index;
        if (field.record) collect(*field.record, path, index, lives);
    }
}

class Annotator {
public:
    Annotator(const Lives& lives, const Sources& sources, std::size_t first, std::size_t last)
        : lives_(lives), sources_(sources), first_(first), last_(last) {}

    void annotate(std::vector<Field>& fields, const std::string& prefix) const {
        for (auto& field : fields) {
            const std::string path = path_below(prefix, field);
            field.since.clear();
            field.removed.clear();
            if (!field.name.empty()) {
                const Life& life = lives_.at(path);
                if (life.first > first_) field.since = sources_[life.first].release;
                if (life.last < last_) field.removed = sources_[life.last + 1].release;
            }
            if (field.record) {
                NestedRecord nested = *field.record;
                annotate(nested.fields, path);
                field.record = std::make_shared<const NestedRecord>(std::move(nested));
            }
        }
    }

private:
    const Lives& lives_;
    const Sources& sources_;
    std::size_t first_;
    std::size_t last_;
};

}  // namespace

void note_field_lives(const Timeline<RecordBody>& timeline, const Sources& sources, Record& record) {
    Lives lives;
    for (std::size_t index = 0; index < timeline.bodies.size(); ++index) {
        if (timeline.bodies[index] != nullptr) collect(*timeline.bodies[index], "", index, lives);
    }
    const Annotator annotator(lives, sources, timeline.first(), timeline.last());
    annotator.annotate(record.fields, "");
    for (auto& former : record.history) annotator.annotate(former.fields, "");
}

}  // namespace cubind::gen::spec
