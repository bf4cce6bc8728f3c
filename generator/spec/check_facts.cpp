// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "spec/check_facts.hpp"

#include "error.hpp"
#include "spec/timeline.hpp"

#include <set>

namespace cubind::gen::spec {
namespace {

/// Checks lives against the releases of one file.
class LifeChecker {
public:
    LifeChecker(const Facts& facts, const std::string& file) : facts_(facts), file_(file) {}

    [[noreturn]] void fail(const std::string& place, const std::string& what) const {
        throw InputError(file_ + ": " + place + ": " + what + "; undo the edit, or extract the headers again");
    }

    void check_releases() const {
        if (facts_.releases.empty()) fail("releases", "is empty");
        for (const auto& release : facts_.releases) check_release(release, file_ + ": releases");
        for (std::size_t index = 1; index < facts_.releases.size(); ++index) {
            if (!EarlierRelease{}(facts_.releases[index - 1], facts_.releases[index])) {
                fail("releases", facts_.releases[index] + " stands after " + facts_.releases[index - 1]);
            }
        }
    }

    template <class Body>
    void check(const Entry<Body>& entry, const std::string& place) const {
        check_since(entry.since, place);
        if (!entry.removed.empty()) {
            check_known(entry.removed, "removed", place);
            if (!earlier_(entry.since, entry.removed)) {
                fail(place, "was removed in " + entry.removed + ", before it was introduced in " + entry.since);
            }
        }
        for (const auto& release : entry.absent) {
            check_known(release, "absent", place);
            const bool inside = !earlier_(release, entry.since) && (entry.removed.empty() || earlier_(release, entry.removed));
            if (!inside) fail(place, "says that " + release + " lacks it, which lies outside its life");
        }
        const auto has = [&](const std::string& release) { return body_in(entry, release) != nullptr; };
        if (std::none_of(facts_.releases.begin(), facts_.releases.end(), has)) fail(place, "is in none of the releases");
        check_history(entry, place);
    }

    void check_meanings(const PublicName& name, const std::map<std::string, const Function*>& functions) const {
        const std::string place = "public_names/" + name.name;
        if (name.meanings.empty()) fail(place, "is empty");
        const Meaning* before = nullptr;
        for (const auto& meaning : name.meanings) {
            check_since(meaning.since, place);
            if (!meaning.removed.empty()) {
                check_known(meaning.removed, "removed", place);
                if (!earlier_(meaning.since, meaning.removed)) {
                    fail(place, "ends in " + meaning.removed + ", before it begins in " + meaning.since);
                }
            }
            if (before != nullptr && !earlier_(before->since, meaning.since)) {
                fail(place, "has a meaning since " + meaning.since + " after one since " + before->since);
            }
            for (const auto& symbol : {meaning.symbol, meaning.per_thread}) {
                if (symbol.empty()) continue;
                const auto function = functions.find(symbol);
                if (function == functions.end()) fail(place, "leads to " + symbol + ", which is not among the functions");
                if (symbol == meaning.symbol && earlier_(meaning.since, function->second->since)) {
                    fail(place, "means " + symbol + " since " + meaning.since + ", which exists since " + function->second->since);
                }
            }
            before = &meaning;
        }
    }

private:
    void check_since(const std::string& since, const std::string& place) const {
        if (since.empty()) fail(place, "lacks the key \"since\"");
        check_release(since, file_ + ": " + place + ": since");
        if (earlier_(facts_.releases.back(), since)) {
            fail(place, "exists since " + since + ", but the newest release is " + facts_.releases.back());
        }
    }

    void check_known(const std::string& release, const char* key, const std::string& place) const {
        check_release(release, file_ + ": " + place + ": " + key);
        if (std::find(facts_.releases.begin(), facts_.releases.end(), release) == facts_.releases.end()) {
            fail(place, std::string(key) + " names " + release + ", which is not among the releases");
        }
    }

    template <class Body>
    void check_history(const Entry<Body>& entry, const std::string& place) const {
        for (std::size_t index = 0; index < entry.history.size(); ++index) {
            const auto& former = entry.history[index];
            check_known(former.until, "history", place);
            const bool in_order = index == 0 || earlier_(entry.history[index - 1].until, former.until);
            if (!in_order) fail(place, "has a history until " + former.until + " after one until " + entry.history[index - 1].until);
            const auto was_before = [&](const std::string& release) { return earlier_(release, former.until) && body_in(entry, release) != nullptr; };
            if (std::none_of(facts_.releases.begin(), facts_.releases.end(), was_before)) {
                fail(place, "has a history until " + former.until + ", but no release before has it");
            }
            if (body_in(entry, former.until) == nullptr) {
                fail(place, "changed in " + former.until + ", as history says, but is not there in " + former.until);
            }
            const Body& next = index + 1 < entry.history.size() ? static_cast<const Body&>(entry.history[index + 1]) : entry;
            if (former == next) fail(place, "is the same before and after " + former.until + ", where history says that it changed");
        }
    }

    const Facts& facts_;
    const std::string& file_;
    EarlierRelease earlier_;
};

/// By name, the releases in which it is taken. A type may change its kind, but is never two at once.
using Taken = std::map<std::string, std::set<std::string>>;

template <class Entries>
void check_all(const Facts& facts, const Entries& entries, const std::string& kind, const LifeChecker& checker, Taken& taken) {
    std::set<std::string> seen;
    for (const auto& entry : entries) {
        if (entry.name.empty()) checker.fail(kind, "an entry has an empty name");
        checker.check(entry, kind + "/" + entry.name);
        bool twice = !seen.insert(entry.name).second;
        for (const auto& release : facts.releases) {
            if (body_in(entry, release) != nullptr) twice = !taken[entry.name].insert(release).second || twice;
        }
        if (twice) checker.fail(kind + "/" + entry.name, "stands there twice");
    }
}

/// The order of a release names just the enumerators that the release has.
void check_orders(const Facts& facts, const Enum& entry, const LifeChecker& checker) {
    for (const auto& [release, order] : entry.orders) {
        const std::string place = "enums/" + entry.name + "/orders/" + release;
        if (std::find(facts.releases.begin(), facts.releases.end(), release) == facts.releases.end()) {
            checker.fail(place, "is of a release that is not among the releases");
        }
        const std::multiset<std::string> named(order.begin(), order.end());
        std::multiset<std::string> present;
        for (const auto& enumerator : entry.enumerators) {
            if (body_in(enumerator, release) != nullptr) present.insert(enumerator.name);
        }
        std::vector<std::string> differing;
        std::set_symmetric_difference(named.begin(), named.end(), present.begin(), present.end(), std::back_inserter(differing));
        if (differing.empty()) continue;
        checker.fail(place, differing.front() + (present.contains(differing.front()) ? " is missing from it" : " is not an enumerator of that release, or stands there twice"));
    }
}

}  // namespace

void check_facts(const Facts& facts, const std::string& file) {
    const LifeChecker checker(facts, file);
    checker.check_releases();
    Taken functions, types, constants;
    check_all(facts, facts.functions, "functions", checker, functions);
    check_all(facts, facts.enums, "enums", checker, types);
    check_all(facts, facts.records, "records", checker, types);
    check_all(facts, facts.handles, "handles", checker, types);
    check_all(facts, facts.aliases, "aliases", checker, types);
    check_all(facts, facts.callbacks, "callbacks", checker, types);
    check_all(facts, facts.constants, "constants", checker, constants);
    for (const auto& entry : facts.enums) {
        Taken enumerators;
        check_all(facts, entry.enumerators, "enums/" + entry.name, checker, enumerators);
        for (const auto& enumerator : entry.enumerators) {
            if (EarlierRelease{}(enumerator.since, entry.since)) {
                checker.fail("enums/" + entry.name + "/" + enumerator.name,
                             "exists since " + enumerator.since + ", before its enum, which exists since " + entry.since);
            }
        }
        check_orders(facts, entry, checker);
    }
    std::map<std::string, const Function*> by_name;
    for (const auto& function : facts.functions) by_name[function.name] = &function;
    for (const auto& name : facts.public_names) checker.check_meanings(name, by_name);
}

}  // namespace cubind::gen::spec
