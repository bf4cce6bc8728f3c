// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "sparse_record.hpp"

#include <cubind/cudss/loading.hpp>
#include <cubind/cusparse/loading.hpp>
#include <cubind/substitute.hpp>

#include "unlimited_memory.hpp"

namespace cubind::testing {
namespace {

constexpr Substitute cusparse_stand_in{.path = "a stand-in", .found_via = "a test", .find = find_cusparse};
constexpr Substitute cudss_stand_in{.path = "a stand-in", .found_via = "a test", .find = find_cudss};

}  // namespace

SparseRecord& sparse_record() {
    static SparseRecord record;
    return record;
}

std::string name_of(const void* address) {
    const auto found = sparse_record().names.find(address);
    if (found != sparse_record().names.end()) return found->second;
    return address == nullptr ? "0" : "memory";
}

ScopedSparseStandIns::ScopedSparseStandIns() {
    const UnlimitedMemory memory;
    sparse_record() = {};
    substitute(cusparse::library(), cusparse::all_entry_points(), &cusparse_stand_in);
    substitute(cudss::library(), cudss::all_entry_points(), &cudss_stand_in);
}

ScopedSparseStandIns::~ScopedSparseStandIns() {
    const UnlimitedMemory memory;
    substitute(cusparse::library(), cusparse::all_entry_points(), nullptr);
    substitute(cudss::library(), cudss::all_entry_points(), nullptr);
}

}  // namespace cubind::testing
