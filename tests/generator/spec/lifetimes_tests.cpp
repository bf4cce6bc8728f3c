// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "spec/merge.hpp"
#include "spec/merge_case.hpp"
#include "spec/release.hpp"

namespace cubind::testing {
namespace {

TEST(FunctionLifetimesTest, FollowFromTheReleasesThatHaveTheFunction) {
    for_each_case([](MergeCase& each) {
        for (const auto& function : each.all.functions) {
            const gen::spec::EarlierRelease earlier;
            std::string since;
            std::string removed;
            std::vector<std::string> lacking;
            std::size_t last = 0;
            for (std::size_t index = 0; index < each.headers.size(); ++index) {
                for (const auto& declared : each.headers[index].functions) {
                    if (declared.name != function.name) continue;
                    if (since.empty() || earlier(declared.since, since)) since = declared.since;
                    last = index;
                }
            }
            for (std::size_t index = 0; index < last; ++index) {
                const auto& there = each.headers[index].functions;
                const bool has =
                    std::any_of(there.begin(), there.end(), [&](const auto& declared) { return declared.name == function.name; });
                if (!has && !earlier(each.release(index), since)) lacking.push_back(each.release(index));
            }
            if (last + 1 < each.headers.size()) removed = each.release(last + 1);
            EXPECT_EQ(function.since, since) << function.name;
            EXPECT_EQ(function.removed, removed) << function.name;
            EXPECT_EQ(function.absent, lacking) << function.name;
        }
    });
}

TEST(RandomFactsTest, CoversEveryCase) {
    // The other tests rely on these cases.
    bool gap = false, early = false, reordered = false, returned = false, history = false, own_name = false;
    for (unsigned seed = 0; seed < case_count; ++seed) {
        const gen::spec::Facts facts = MergeCase(seed).all;
        for (const auto& function : facts.functions) {
            gap = gap || !function.absent.empty();
            early = early || gen::spec::EarlierRelease{}(function.since, facts.releases.front());
        }
        for (const auto& entry : facts.enums) reordered = reordered || !entry.orders.empty();
        for (const auto& record : facts.records) history = history || !record.history.empty();
        for (const auto& name : facts.public_names) {
            for (const auto& meaning : name.meanings) {
                own_name = own_name || meaning.symbol == name.name;
                returned = returned || (!meaning.removed.empty() && &meaning != &name.meanings.back());
            }
        }
    }
    EXPECT_TRUE(gap && early && reordered && returned && history && own_name);
}

}  // namespace
}  // namespace cubind::testing
