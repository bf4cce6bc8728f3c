// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "spec/check_facts.hpp"

#include <set>

#include "error.hpp"
#include "spec/timeline.hpp"

namespace cubind::gen::spec {
namespace {

/// Checks the lifetimes of entries against each other and against the releases of one file.
class FactsChecker {
public:
    FactsChecker(const Facts& facts, const std::string& file) : facts_(facts), file_(file) {}

    [[noreturn]] void fail(const std::string& place, const std::string& what) const {
        throw InputError(file_ + ": " + place + ": " + what + ". Undo the edit, or extract the headers again.");
    }

    void check_releases() const {
        if (facts_.releases.empty()) fail("releases", "the list is empty");
        for (const auto& release : facts_.releases) check_release(release, file_ + ": releases");
        for (std::size_t index = 1; index < facts_.releases.size(); ++index) {
            if (!EarlierRelease{}(facts_.releases[index - 1], facts_.releases[index])) {
                fail("releases", facts_.releases[index] + " is listed after " + facts_.releases[index - 1]);
            }
            if (is_version(facts_.releases[index]) != is_version(facts_.releases[0])) {
                fail("releases", "the list has both releases of CUDA and versions of the library: " + facts_.releases[0] +
                                     " and " + facts_.releases[index]);
            }
        }
        for (const auto& [release, version] : facts_.versions) {
            check_known(release, "versions", "versions");
            if (!is_version(version)) fail("versions/" + release, "\"" + version + "\" is not a version such as 2.19.3");
        }
    }

    template <class Body>
    void check(const Entry<Body>& entry, const std::string& place) const {
        check_since(entry.since, place);
        if (!entry.removed.empty()) {
            check_known(entry.removed, "removed", place);
            if (!earlier_(entry.since, entry.removed)) {
                fail(place, "\"removed\" is " + entry.removed + ", which is not after \"since\", " + entry.since);
            }
        }
        for (const auto& release : entry.absent) {
            check_known(release, "absent", place);
            const bool inside = !earlier_(release, entry.since) && (entry.removed.empty() || earlier_(release, entry.removed));
            if (!inside) fail(place, "\"absent\" names " + release + ", which is not between \"since\" and \"removed\"");
        }
        const auto has = [&](const std::string& release) { return body_in(entry, release) != nullptr; };
        if (std::none_of(facts_.releases.begin(), facts_.releases.end(), has))
            fail(place, "the entry is in none of the releases");
        check_history(entry, place);
    }

    void check_meanings(const PublicName& name, const std::map<std::string, const Function*>& functions) const {
        const std::string place = "public_names/" + name.name;
        if (name.meanings.empty()) fail(place, "the list is empty");
        const Meaning* before = nullptr;
        for (const auto& meaning : name.meanings) {
            check_since(meaning.since, place);
            if (!meaning.removed.empty()) {
                check_known(meaning.removed, "removed", place);
                if (!earlier_(meaning.since, meaning.removed)) {
                    fail(place, "\"removed\" is " + meaning.removed + ", which is not after \"since\", " + meaning.since);
                }
            }
            if (before != nullptr && !earlier_(before->since, meaning.since)) {
                fail(place, "the meaning since " + meaning.since + " is listed after the meaning since " + before->since);
            }
            for (const auto& symbol : {meaning.symbol, meaning.per_thread}) {
                if (symbol.empty()) continue;
                const auto function = functions.find(symbol);
                if (function == functions.end()) fail(place, "the symbol " + symbol + " is not among the functions");
                if (symbol == meaning.symbol && earlier_(meaning.since, function->second->since)) {
                    fail(place, "refers to " + symbol + " since " + meaning.since + ", but " + symbol + " exists only since " +
                                    function->second->since);
                }
            }
            before = &meaning;
        }
    }

private:
    void check_since(const std::string& since, const std::string& place) const {
        if (since.empty()) fail(place, "the key \"since\" is missing");
        check_release(since, file_ + ": " + place + ": since");
        if (is_version(since) != is_version(facts_.releases.front())) {
            fail(place, "\"since\" is " + since + ", but the releases are numbered as " + facts_.releases.front());
        }
        if (earlier_(facts_.releases.back(), since)) {
            fail(place, "\"since\" is " + since + ", but the newest release is " + facts_.releases.back());
        }
    }

    void check_known(const std::string& release, const char* key, const std::string& place) const {
        check_release(release, file_ + ": " + place + ": " + key);
        if (std::find(facts_.releases.begin(), facts_.releases.end(), release) == facts_.releases.end()) {
            fail(place, "\"" + std::string(key) + "\" names " + release + ", which is not among the releases");
        }
    }

    template <class Body>
    void check_history(const Entry<Body>& entry, const std::string& place) const {
        for (std::size_t index = 0; index < entry.history.size(); ++index) {
            const auto& former = entry.history[index];
            check_known(former.until, "history", place);
            const bool in_order = index == 0 || earlier_(entry.history[index - 1].until, former.until);
            if (!in_order)
                fail(place, "the history until " + former.until + " is listed after the history until " +
                                entry.history[index - 1].until);
            const auto was_before = [&](const std::string& release) {
                return earlier_(release, former.until) && body_in(entry, release) != nullptr;
            };
            if (std::none_of(facts_.releases.begin(), facts_.releases.end(), was_before)) {
                fail(place, "has a history until " + former.until + ", but is in no earlier release");
            }
            if (body_in(entry, former.until) == nullptr) {
                fail(place, "has a history until " + former.until + ", but is not in " + former.until);
            }
            const Body& next = index + 1 < entry.history.size() ? static_cast<const Body&>(entry.history[index + 1]) : entry;
            if (former == next)
                fail(place, "has a history until " + former.until + ", but is the same before and after that release");
        }
    }

    const Facts& facts_;
    const std::string& file_;
    EarlierRelease earlier_;
};

/// The releases that have each name. A type may change its kind between releases, but has one kind in each.
using ReleasesByName = std::map<std::string, std::set<std::string>>;

template <class Entries>
void check_all(const Facts& facts, const Entries& entries, const std::string& kind, const FactsChecker& checker,
               ReleasesByName& releases_by_name) {
    std::set<std::string> seen;
    for (const auto& entry : entries) {
        if (entry.name.empty()) checker.fail(kind, "the name of an entry is empty");
        checker.check(entry, kind + "/" + entry.name);
        bool twice = !seen.insert(entry.name).second;
        for (const auto& release : facts.releases) {
            if (body_in(entry, release) != nullptr) twice = !releases_by_name[entry.name].insert(release).second || twice;
        }
        if (twice) checker.fail(kind + "/" + entry.name, "the name is defined twice");
    }
}

/// Checks that the order of each release names exactly the enumerators of that release.
void check_orders(const Facts& facts, const Enum& entry, const FactsChecker& checker) {
    for (const auto& [release, order] : entry.orders) {
        const std::string place = "enums/" + entry.name + "/orders/" + release;
        if (std::find(facts.releases.begin(), facts.releases.end(), release) == facts.releases.end()) {
            checker.fail(place, release + " is not among the releases");
        }
        const std::multiset<std::string> named(order.begin(), order.end());
        std::multiset<std::string> present;
        for (const auto& enumerator : entry.enumerators) {
            if (body_in(enumerator, release) != nullptr) present.insert(enumerator.name);
        }
        std::vector<std::string> differing;
        std::set_symmetric_difference(named.begin(), named.end(), present.begin(), present.end(), std::back_inserter(differing));
        if (differing.empty()) continue;
        checker.fail(place, differing.front() + (present.contains(differing.front())
                                                     ? " is missing"
                                                     : " is not an enumerator of that release, or is listed twice"));
    }
}

}  // namespace

void check_facts(const Facts& facts, const std::string& file) {
    const FactsChecker checker(facts, file);
    checker.check_releases();
    ReleasesByName functions, types, constants;
    check_all(facts, facts.functions, "functions", checker, functions);
    check_all(facts, facts.variables, "variables", checker, functions);  // in one scope with functions, and both are symbols
    check_all(facts, facts.enums, "enums", checker, types);
    check_all(facts, facts.records, "records", checker, types);
    check_all(facts, facts.opaque_records, "opaque_records", checker, types);
    check_all(facts, facts.handles, "handles", checker, types);
    check_all(facts, facts.aliases, "aliases", checker, types);
    check_all(facts, facts.callbacks, "callbacks", checker, types);
    check_all(facts, facts.constants, "constants", checker, constants);
    for (const auto& entry : facts.enums) {
        ReleasesByName enumerators;
        check_all(facts, entry.enumerators, "enums/" + entry.name, checker, enumerators);
        for (const auto& enumerator : entry.enumerators) {
            if (EarlierRelease{}(enumerator.since, entry.since)) {
                checker.fail("enums/" + entry.name + "/" + enumerator.name,
                             "\"since\" is " + enumerator.since + ", but its enum exists only since " + entry.since);
            }
        }
        check_orders(facts, entry, checker);
    }
    std::map<std::string, const Function*> by_name;
    for (const auto& function : facts.functions) by_name[function.name] = &function;
    for (const auto& name : facts.public_names) checker.check_meanings(name, by_name);
}

}  // namespace cubind::gen::spec
