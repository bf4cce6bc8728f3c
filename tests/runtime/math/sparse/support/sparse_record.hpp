// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace cubind::testing {

/// What the stand-ins for cuSPARSE and cuDSS have received, and what they return.
struct SparseRecord {
    std::vector<std::string> calls;                    ///< "SpMV(0, 1, csr(...), ...)", in their order
    std::map<const void*, std::string> names;          ///< the names of addresses in the texts
    std::map<std::string, int, std::less<>> statuses;  ///< what functions return instead of success
    int living = 0;                                    ///< handles, descriptors and other objects that exist
    long long entries = 0;                             ///< of results whose size the library determines
    std::size_t workspace = 1024;                      ///< bytes of each workspace
    long long result = 0;                              ///< of cudssDataGet; arrays count up from it
    bool has_wide_results = false;                     ///< whether cudssDataGet returns int64_t where it may return int
    std::size_t allocation = 0;                        ///< bytes that cudssExecute allocates
    std::vector<void*> allocations;                    ///< and those that the factors own

    /// Returns the latest call whose text begins so, or "".
    [[nodiscard]] std::string latest(std::string_view prefix) const {
        for (auto call = calls.rbegin(); call != calls.rend(); ++call) {
            if (call->starts_with(prefix)) return *call;
        }
        return {};
    }
    [[nodiscard]] long count(std::string_view prefix) const {
        long number = 0;
        for (const std::string& call : calls) number += call.starts_with(prefix);
        return number;
    }
};

SparseRecord& sparse_record();

/// Returns the name of an address: "0" for null, "memory" for one without a name.
std::string name_of(const void* address);

/// An object of a library, with the text that calls contain.
struct RecordedObject {
    explicit RecordedObject(std::string object_text) : text(std::move(object_text)) { ++sparse_record().living; }
    ~RecordedObject() { --sparse_record().living; }
    RecordedObject(const RecordedObject&) = delete;
    RecordedObject& operator=(const RecordedObject&) = delete;
    std::string text;
};

template <class Argument>
std::string text_of(const Argument& argument) {
    if constexpr (std::is_convertible_v<Argument, std::string>) {
        return argument;
    } else if constexpr (std::is_enum_v<Argument>) {
        return std::to_string(static_cast<long long>(argument));
    } else if constexpr (std::is_arithmetic_v<Argument>) {
        return std::to_string(argument);
    } else if constexpr (requires { argument->text; }) {
        return argument == nullptr ? "0" : argument->text;
    } else {
        return name_of(argument);
    }
}

template <class... Arguments>
std::string call_text(const std::string& function, const Arguments&... arguments) {
    std::string text;
    ((text += (text.empty() ? "" : ", ") + text_of(arguments)), ...);
    return function + "(" + text + ")";
}

/// Records a call, and returns its status.
template <class... Arguments>
int recorded(const std::string& function, const Arguments&... arguments) {
    sparse_record().calls.push_back(call_text(function, arguments...));
    const auto status = sparse_record().statuses.find(function);
    return status == sparse_record().statuses.end() ? 0 : status->second;
}

/// Replaces cuSPARSE and cuDSS while it exists.
class ScopedSparseStandIns {
public:
    ScopedSparseStandIns();
    ScopedSparseStandIns(const ScopedSparseStandIns&) = delete;
    ScopedSparseStandIns& operator=(const ScopedSparseStandIns&) = delete;
    ~ScopedSparseStandIns();
};

void* find_cusparse(const char* symbol) noexcept;
void* find_cudss(const char* symbol) noexcept;

}  // namespace cubind::testing
