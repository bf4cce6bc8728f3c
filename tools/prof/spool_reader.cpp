// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <type_traits>
#include <utility>

#include "platform/file_handle.hpp"
#include "profile/src/record_members.hpp"
#include "spool.hpp"

namespace cubind::prof {

namespace {

namespace fs = std::filesystem;

/// Reads the content of a part. Throws std::runtime_error beyond its end.
class PartReader {
public:
    PartReader(std::string_view content, std::vector<std::string_view>& texts, profile::NamePool& names)
        : rest_(content), texts_(texts) {
        for (auto count = take<std::uint64_t>(); count > 0; --count) {
            const auto size = take<std::uint64_t>();
            require(size);
            texts_.push_back(names.intern(rest_.substr(0, size)));
            rest_.remove_prefix(size);
        }
    }

    template <class Record>
    void take_list(std::vector<Record>& list) {
        for (auto count = take<std::uint64_t>(); count > 0; --count)
            profile::detail::visit_members(list.emplace_back(),
                                           [&]<class Value>(std::string_view, Value& value) { value = take<Value>(); });
    }

    template <class Value>
    Value take() {
        if constexpr (std::is_same_v<Value, std::string_view>) {
            const auto number = take<std::uint32_t>();
            if (number >= texts_.size()) throw std::runtime_error("a text of the file is missing");
            return texts_[number];
        } else {
            static_assert(std::is_trivially_copyable_v<Value>);
            require(sizeof(Value));
            Value value;
            std::memcpy(&value, rest_.data(), sizeof value);
            rest_.remove_prefix(sizeof value);
            return value;
        }
    }

private:
    void require(std::uint64_t size) const {
        if (size > rest_.size()) throw std::runtime_error("a part of the file ends too early");
    }

    std::string_view rest_;
    std::vector<std::string_view>& texts_;
};

// The first part begins the recording, and the last one ends it.
void add_part(PartReader reader, bool is_first_part, profile::Records& records) {
    profile::detail::visit_lists(records, [&](std::string_view, auto& list) { reader.take_list(list); });
    const auto start = reader.take<profile::TimePoint>();
    if (is_first_part) records.start = start;
    records.end = reader.take<profile::TimePoint>();
    records.dropped.by_cupti += reader.take<std::uint64_t>();
    records.dropped.by_limit += reader.take<std::uint64_t>();
    records.dropped.incomplete += reader.take<std::uint64_t>();
    for (auto count = reader.take<std::uint64_t>(); count > 0; --count) {
        const std::string note(reader.take<std::string_view>());
        if (std::find(records.notes.begin(), records.notes.end(), note) == records.notes.end()) records.notes.push_back(note);
    }
}

}  // namespace

bool read_head(const std::string& path, SpoolHead& head) {
    const cubind::detail::FileHandle file(std::fopen(path.c_str(), "rbe"));
    SpoolHead read;
    if (file == nullptr || std::fread(&read, sizeof read, 1, file.get()) != 1) return false;
    if (std::memcmp(read.magic, SpoolHead().magic, sizeof read.magic) != 0) return false;
    read.program[sizeof read.program - 1] = '\0';
    head = read;
    return true;
}

SpoolContent read_spool(const std::string& path) {
    SpoolContent content;
    if (!read_head(path, content.head)) throw std::runtime_error(path + " is no file of records of this version of cubind-prof");
    const cubind::detail::FileHandle file(std::fopen(path.c_str(), "rbe"));
    if (file == nullptr || std::fseek(file.get(), sizeof(SpoolHead), SEEK_SET) != 0) return content;
    std::error_code error;
    const std::uint64_t size = fs::file_size(path, error);
    const auto names = std::make_shared<profile::NamePool>();
    content.records.names.push_back(names);
    std::vector<std::string_view> texts;
    std::string part;
    bool is_first_part = true;
    for (PartHead head; std::fread(&head, sizeof head, 1, file.get()) == 1;) {
        if (head.magic != PartHead().magic || head.size > size) break;
        part.resize(head.size);
        if (std::fread(part.data(), 1, part.size(), file.get()) != part.size() || hash_of(part) != head.hash) break;
        if (head.is_first != 0) texts.clear();
        add_part(PartReader(part, texts, *names), std::exchange(is_first_part, false), content.records);
    }
    return content;
}

std::vector<std::string> spool_files(const std::string& folder) {
    std::vector<std::string> files;
    std::error_code error;
    for (fs::directory_iterator each(folder, error); !error && each != fs::directory_iterator(); each.increment(error)) {
        if (each->path().extension() == ".records") files.push_back(each->path().string());
    }
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace cubind::prof
