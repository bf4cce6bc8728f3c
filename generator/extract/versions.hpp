// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "clang/cursor.hpp"
#include "spec/facts.hpp"

namespace cubind::gen::extract {

/// The releases that introduced functions, from the names of the vendor's function pointer types (PFN_<name>_v<release>[_ptds]).
class VersionCollector {
public:
    /// Adds the name of one typedef. Names that do not begin with PFN_ are ignored.
    void collect(const std::string& name);
    /// Sets `since` of each function. The n-th symbol of a name belongs to its n-th version. If there are more symbols than
    /// versions or more versions than symbols, `since` stays the release whose headers were read.
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
