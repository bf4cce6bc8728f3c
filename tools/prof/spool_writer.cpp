// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <system_error>
#include <type_traits>

#include "platform/file.hpp"
#include "platform/file_handle.hpp"
#include "platform/write_signals.hpp"
#include "profile/src/record_members.hpp"
#include "spool.hpp"

namespace cubind::prof {

namespace {

constexpr unsigned permissions = 0600;

}  // namespace

/// The content of a part: the new texts, and the records, which have the numbers of texts.
class PartWriter {
public:
    explicit PartWriter(SpoolWriter& spool) : spool_(spool) {}

    template <class... Values>
    void operator()(const Values&... values) {
        (put(values), ...);
    }

    template <class Record>
    void put_list(const std::vector<Record>& list) {
        put(static_cast<std::uint64_t>(list.size()));
        for (const Record& each : list)
            profile::detail::visit_members(each, [&](std::string_view, const auto& value) { put(value); });
    }

    std::string finish() {
        std::string part(sizeof(PartHead), '\0');
        const std::uint64_t count = new_texts_;
        part.append(reinterpret_cast<const char*>(&count), sizeof count);
        part += texts_;
        part += records_;
        return part;
    }

private:
    template <class Value>
    void put(const Value& value) {
        static_assert(std::is_trivially_copyable_v<Value>);
        records_.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    void put(const std::string_view& text) {
        auto found = spool_.texts_.find(text);
        if (found == spool_.texts_.end()) {
            found = spool_.texts_.emplace(text, static_cast<std::uint32_t>(spool_.texts_.size())).first;
            ++new_texts_;
            const std::uint64_t size = text.size();
            texts_.append(reinterpret_cast<const char*>(&size), sizeof size);
            texts_ += text;
        }
        put(found->second);
    }
    void put(const std::string& text) { put(std::string_view(text)); }

    SpoolWriter& spool_;
    std::uint64_t new_texts_ = 0;
    std::string texts_, records_;

    friend class SpoolWriter;
};

SpoolWriter::SpoolWriter(const std::string& folder, std::uint32_t process, std::string_view program) {
    head_.process = process;
    program.copy(head_.program, std::min(program.size(), sizeof head_.program - 1));
    // A process that executes another program has a file for each.
    for (unsigned number = 0;; ++number) {
        path_ = folder + "/" + std::to_string(process) + "." + std::to_string(number) + ".records";
        if (cubind::detail::create_file(path_.c_str(), permissions)) break;
        if (errno != EEXIST) throw std::system_error(errno, std::generic_category(), path_);
    }
    if (const int error = write(0, {}, head_)) throw std::system_error(error, std::generic_category(), path_);
}

// Writes the text first: the head counts what is complete.
int SpoolWriter::write(std::uint64_t offset, std::string_view text, const SpoolHead& head) noexcept {
    cubind::detail::WithoutWriteSignals signals;
    const cubind::detail::FileHandle file = cubind::detail::open_to_change(path_.c_str());
    if (file == nullptr) return errno;
    const auto put = [&](std::uint64_t place, const void* data, std::size_t size) {
        return std::fseek(file.get(), static_cast<long>(place), SEEK_SET) == 0 &&
               std::fwrite(data, 1, size, file.get()) == size && std::fflush(file.get()) == 0;
    };
    errno = 0;
    if ((text.empty() || put(offset, text.data(), text.size())) && put(0, &head, sizeof head)) return 0;
    signals.has_failed = true;
    return errno != 0 ? errno : EIO;
}

void SpoolWriter::append(const profile::Records& records) {
    const bool is_first = texts_.empty();
    PartWriter part(*this);
    profile::detail::visit_lists(records, [&](std::string_view, const auto& list) { part.put_list(list); });
    part(records.start, records.end, static_cast<std::uint64_t>(records.dropped.by_cupti),
         static_cast<std::uint64_t>(records.dropped.by_limit), static_cast<std::uint64_t>(records.dropped.incomplete),
         static_cast<std::uint64_t>(records.notes.size()));
    for (const std::string& each : records.notes) part(each);
    std::string text = part.finish();
    PartHead head;
    head.size = text.size() - sizeof head;
    head.hash = hash_of(std::string_view(text).substr(sizeof head));
    head.is_first = is_first ? 1 : 0;
    std::memcpy(text.data(), &head, sizeof head);

    SpoolHead next = head_;
    next.records += records.size();
    next.kernels += records.kernels.size();
    const int error = write(end_, text, next);
    if (error == 0) {
        head_ = next;
        end_ += text.size();
        return;
    }
    // Readers lack the texts of the lost part, so that all texts are written again.
    texts_.clear();
    head_.lost += records.size();
    head_.error = error;
    (void)write(0, {}, head_);
}

void SpoolWriter::complete() noexcept {
    head_.is_complete = 1;
    (void)write(0, {}, head_);
}

}  // namespace cubind::prof
