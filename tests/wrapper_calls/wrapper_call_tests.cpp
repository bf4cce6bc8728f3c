// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Every wrapper of every library against a C function that records its call, as api-specs/ says it should be.
#include <stdlib.h>

#include <cstdio>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <cubind/layers/layer.hpp>
#include <gtest/gtest.h>

#include "checker.hpp"
#include "lists.hpp"

namespace cubind::testing {
namespace {

/// A wrapper that calls something else than it should must find no library to call it in.
struct NoLibraries : ::testing::Environment {
    void SetUp() override {
        for (const auto& [library, lists] : all_lists()) {
            setenv((*lists.front().entries.begin())->library->environment_variable, "/nonexistent/library", 1);
        }
    }
};
const ::testing::Environment* const no_libraries = ::testing::AddGlobalTestEnvironment(new NoLibraries);

/// The functions of one group of a library's documentation, in every mode of compiling.
class Group : public ::testing::Test {
public:
    Group(const std::vector<FunctionList>& lists, std::string name) : lists_(lists), name_(std::move(name)) {}

    void TestBody() override {
        std::set<std::string> symbols;
        std::size_t arguments = 0;
        std::size_t values = 0;
        std::size_t checked = 0;
        for (const FunctionList& list : lists_) {
            for (const Function& function : list.functions) {
                if (function.group != name_) continue;
                ++checked;
                const bool is_same = function.signature == nullptr;
                const auto complaints = is_same ? check_same(function, list, lists_.front()) : check(function, list);
                for (const std::string& complaint : complaints) ADD_FAILURE() << complaint;
                if (is_same || !symbols.insert(function.symbol).second) continue;
                arguments += function.signature->parameters.count;
                values += function.signature->values.count;
            }
        }
        RecordProperty("functions", std::to_string(symbols.size()));
        RecordProperty("parameters", std::to_string(arguments));
        RecordProperty("values", std::to_string(values));
        RecordProperty("wrappers", std::to_string(checked));
    }

private:
    const std::vector<FunctionList>& lists_;
    const std::string name_;
};

/// api.json has every function that is bound.
class EveryEntryPoint : public ::testing::Test {
public:
    explicit EveryEntryPoint(const FunctionList& list) : list_(list) {}

    void TestBody() override {
        std::set<std::string> symbols;
        for (const Function& function : list_.functions) symbols.insert(function.symbol);
        for (const cubind::EntryPoint* const entry : list_.entries) EXPECT_EQ(symbols.count(entry->symbol), 1u) << entry->symbol;
    }

private:
    const FunctionList& list_;
};

void add_tests() {
    for (const auto& [library, lists] : all_lists()) {
        ::testing::RegisterTest(library.c_str(), "EveryEntryPoint", nullptr, nullptr, __FILE__, __LINE__,
                                [&list = lists.front()]() -> ::testing::Test* { return new EveryEntryPoint(list); });
        std::set<std::string> groups;
        for (const FunctionList& list : lists) {
            for (const Function& function : list.functions) groups.insert(function.group);
        }
        for (const std::string& group : groups) {
            ::testing::RegisterTest(library.c_str(), group.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                                    [&lists = lists, group]() -> ::testing::Test* { return new Group(lists, group); });
        }
    }
}

/// Lets calls pass, and knows which functions there were: with it, every call goes through an interceptor.
class Passing final : public cubind::layers::Layer {
public:
    void handle(const cubind::Call& call, const cubind::layers::Next& next) noexcept override {
        seen_[call.library.name].insert(call.function.symbol);
        next(call);
    }
    bool has_seen_all() const {
        bool all = true;
        for (const auto& [library, lists] : all_lists()) {
            const auto seen = seen_.find(library);
            const std::size_t count = seen != seen_.end() ? seen->second.size() : 0;
            const auto expected = static_cast<std::size_t>(lists.front().entries.end() - lists.front().entries.begin());
            std::printf("%s: %zu of %zu functions were intercepted\n", library.c_str(), count, expected);
            all = all && count == expected;
        }
        return all;
    }

private:
    std::map<std::string, std::set<std::string>> seen_;
};

}  // namespace
}  // namespace cubind::testing

/// usage: wrapper_call_tests [--intercepted]
int main(int count, char** arguments) {
    ::testing::InitGoogleTest(&count, arguments);
    cubind::testing::add_tests();
    if (count < 2 || std::string(arguments[1]) != "--intercepted") return RUN_ALL_TESTS();
    cubind::testing::Passing passing;
    cubind::layers::push(passing);
    const int result = RUN_ALL_TESTS();
    return passing.has_seen_all() ? result : 1;
}
