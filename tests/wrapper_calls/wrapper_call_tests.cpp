// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls every wrapper of every library on a C function that records the call, and compares the call with api-specs/.
#include <cubind/layers/layer.hpp>

#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <set>
#include <stdlib.h>
#include <string>
#include <utility>
#include <vector>

#include "checker.hpp"
#include "lists.hpp"

namespace cubind::testing {
namespace {

/// Points all libraries to a missing file, so that a wrapper that uses a wrong entry point fails.
struct NoLibraries : ::testing::Environment {
    void SetUp() override {
        for (const auto& [library, lists] : all_lists()) {
            setenv((*lists.front().entries.begin())->library->environment_variable, "/nonexistent/library", 1);
        }
    }
};
const ::testing::Environment* const no_libraries = ::testing::AddGlobalTestEnvironment(new NoLibraries);

/// Checks the functions of one documentation group of a library in every compilation mode.
class GroupTest : public ::testing::Test {
public:
    GroupTest(const std::vector<FunctionList>& lists, std::string name) : lists_(lists), name_(std::move(name)) {}

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
                const auto errors = is_same ? check_same(function, list, lists_.front()) : check(function, list);
                for (const std::string& error : errors) ADD_FAILURE() << error;
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

/// Checks that api.json has every function that is bound.
class EntryPointTest : public ::testing::Test {
public:
    explicit EntryPointTest(const FunctionList& list) : list_(list) {}

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
        const std::string suite = library + "/WrapperTest";
        ::testing::RegisterTest(suite.c_str(), "HasEveryEntryPointInTheSpec", nullptr, nullptr, __FILE__, __LINE__,
                                [&list = lists.front()]() -> ::testing::Test* { return new EntryPointTest(list); });
        std::set<std::string> groups;
        for (const FunctionList& list : lists) {
            for (const Function& function : list.functions) groups.insert(function.group);
        }
        for (const std::string& group : groups) {
            ::testing::RegisterTest(suite.c_str(), ("CallsTheGroup/" + group).c_str(), nullptr, nullptr, __FILE__, __LINE__,
                                    [&lists = lists, group]() -> ::testing::Test* { return new GroupTest(lists, group); });
        }
    }
}

/// Forwards calls and records their functions, so that every call goes through an interceptor.
class ForwardingLayer final : public cubind::layers::Layer {
public:
    void handle(const cubind::Call& call, const cubind::layers::Next& next) noexcept override {
        called_[call.library.name].insert(call.function.symbol);
        next(call);
    }
    bool has_seen_every_function() const {
        bool all = true;
        for (const auto& [library, lists] : all_lists()) {
            const auto called = called_.find(library);
            const std::size_t count = called != called_.end() ? called->second.size() : 0;
            const auto expected = static_cast<std::size_t>(lists.front().entries.end() - lists.front().entries.begin());
            std::printf("%s: %zu of %zu functions were intercepted\n", library.c_str(), count, expected);
            all = all && count == expected;
        }
        return all;
    }

private:
    std::map<std::string, std::set<std::string>> called_;
};

}  // namespace
}  // namespace cubind::testing

/// Usage: wrapper_call_tests [--intercepted]
int main(int count, char** arguments) {
    ::testing::InitGoogleTest(&count, arguments);
    cubind::testing::add_tests();
    if (count < 2 || std::string(arguments[1]) != "--intercepted") return RUN_ALL_TESTS();
    cubind::testing::ForwardingLayer layer;
    cubind::layers::push(layer);
    const int result = RUN_ALL_TESTS();
    return layer.has_seen_every_function() ? result : 1;
}
