// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/program/in_memory_program_cache.hpp>

#include <list>
#include <map>
#include <mutex>

#include "platform/fork_hook.hpp"

namespace CUBIND_NAMESPACE {

struct InMemoryProgramCache::Entries {
    struct Entry {
        CacheKey key;
        Bytes program;
    };

    explicit Entries(std::size_t max_size) : max_size(max_size) {}

    void remove(std::map<CacheKey, std::list<Entry>::iterator>::iterator place) {
        size -= place->second->program.size();
        by_use.erase(place->second);
        by_key.erase(place);
    }

    const std::size_t max_size;
    std::mutex mutex;
    std::size_t size = 0;
    /// The most recently used entry is the first.
    std::list<Entry> by_use;
    std::map<CacheKey, std::list<Entry>::iterator> by_key;
    const detail::ForkHook fork_hook{&mutex};
};

InMemoryProgramCache::InMemoryProgramCache(std::size_t max_size) : entries_(new Entries(max_size)) {}
InMemoryProgramCache::~InMemoryProgramCache() = default;

std::optional<Bytes> InMemoryProgramCache::do_get(const CacheKey& key) {
    const std::lock_guard guard(entries_->mutex);
    const auto place = entries_->by_key.find(key);
    if (place == entries_->by_key.end()) return {};
    entries_->by_use.splice(entries_->by_use.begin(), entries_->by_use, place->second);
    return place->second->program;
}

void InMemoryProgramCache::do_put(const CacheKey& key, const Bytes& program) {
    std::list<Entries::Entry> added;
    added.push_front({key, program});
    std::uint64_t evictions = 0;
    {
        const std::lock_guard guard(entries_->mutex);
        if (const auto place = entries_->by_key.find(key); place != entries_->by_key.end()) entries_->remove(place);
        if (program.size() > entries_->max_size) return;
        entries_->by_key.emplace(key, added.begin());
        entries_->by_use.splice(entries_->by_use.begin(), added);
        entries_->size += program.size();
        for (; entries_->size > entries_->max_size; ++evictions) {
            entries_->remove(entries_->by_key.find(entries_->by_use.back().key));
        }
    }
    count_evictions(evictions);
}

void InMemoryProgramCache::do_erase(const CacheKey& key) {
    const std::lock_guard guard(entries_->mutex);
    if (const auto place = entries_->by_key.find(key); place != entries_->by_key.end()) entries_->remove(place);
}

void InMemoryProgramCache::do_clear() {
    const std::lock_guard guard(entries_->mutex);
    entries_->by_key.clear();
    entries_->by_use.clear();
    entries_->size = 0;
}

bool InMemoryProgramCache::do_contains(const CacheKey& key) const {
    const std::lock_guard guard(entries_->mutex);
    return entries_->by_key.contains(key);
}

std::size_t InMemoryProgramCache::do_count() const {
    const std::lock_guard guard(entries_->mutex);
    return entries_->by_key.size();
}

std::size_t InMemoryProgramCache::do_size_bytes() const {
    const std::lock_guard guard(entries_->mutex);
    return entries_->size;
}

}  // namespace CUBIND_NAMESPACE
