// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "lists.hpp"

#include <algorithm>
#include <string_view>

namespace cubind::testing {

std::map<std::string, std::vector<FunctionList>>& all_lists() {
    static std::map<std::string, std::vector<FunctionList>> lists;
    return lists;
}

bool add(const FunctionList& part) {
    std::vector<FunctionList>& lists = all_lists()[part.library];
    const auto place = std::lower_bound(lists.begin(), lists.end(), std::string_view(part.mode),
                                        [](const FunctionList& list, std::string_view mode) { return list.mode < mode; });
    if (place != lists.end() && std::string_view(place->mode) == part.mode) {
        place->functions.insert(place->functions.end(), part.functions.begin(), part.functions.end());
    } else {
        lists.insert(place, part);
    }
    return true;
}

}  // namespace cubind::testing
