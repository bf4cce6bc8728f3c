// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "clang/cursor.hpp"
#include "spec/facts.hpp"

#include <map>
#include <string>
#include <vector>

namespace cubind::gen::extract {

/// Releases that introduced functions, read from the names of the vendor's pointer types (PFN_<name>_v<release>[_ptds]).
class VersionCollector {
public:
    /// Takes the name of one typedef; others than PFN_ names are ignored.
    void take(const std::string& name);
    /// Sets `since` of each function: the n-th symbol of a name belongs to its n-th version. Where their numbers differ nothing
    /// tells which belongs to which, and `since` stays the release whose headers were read.
    void apply(spec::Facts& facts) const;

private:
    struct Family {
        std::string name;
        std::string variant;  ///< "", "ptds" or "ptsz"
        auto operator<=>(const Family&) const = default;
    };
    std::map<Family, std::vector<int>> versions_;
};

}  // namespace cubind::gen::extract
