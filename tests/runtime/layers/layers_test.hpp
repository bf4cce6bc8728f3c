// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver.hpp>
#include <cubind/layers.hpp>
#include <cubind/substitute.hpp>

#include <functional>
#include <regex>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "chain/libraries.hpp"

namespace cubind::testing {

using namespace cubind::driver;
namespace layers = cubind::layers;
namespace reflection = cubind::reflection;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

inline std::vector<const reflection::LibraryDescription*> all_libraries() {
    std::vector<const reflection::LibraryDescription*> all;
    for (auto each = layers::libraries(); *each != nullptr; ++each) all.push_back(*each);
    return all;
}

inline void stop_all_layers() {
    layers::trace::stop();
    layers::validate::stop();
    layers::faults::stop();
    layers::leaks::stop();
}

/// Takes the place of the vendors' functions: what goes through all layers ends here, or in any_function().
class Bottom final : public layers::Layer {
public:
    void handle(const cubind::Call& call, const layers::Next& next) noexcept override {
        answer(call);
        if (goes_on) next(call);
    }

    std::function<void(const cubind::Call&)> answer = [](const cubind::Call&) {};
    bool goes_on = false;
};

/// What any_function() returns.
inline int any_status = 0;

/// Is called with the arguments of any function, of which it takes none: the calling conventions of C allow for that.
inline int any_function() {
    return any_status;
}

/// A layer that does what a function says.
class Lambda final : public layers::Layer {
public:
    using Handler = std::function<void(const cubind::Call&, const layers::Next&)>;
    explicit Lambda(Handler handler) : handler_(std::move(handler)) {}
    void handle(const cubind::Call& call, const layers::Next& next) noexcept override { handler_(call, next); }

private:
    Handler handler_;
};

/// Every function of every library is there, and is answered by `bottom`.
class AnsweredTest : public ::testing::Test {
protected:
    void SetUp() override {
        for (const auto* const library : all_libraries()) substitute(library->loaded(), library->entry_points(), &everything);
        layers::push(bottom);
    }
    void TearDown() override {
        stop_all_layers();
        layers::remove(bottom);
        for (const auto* const library : all_libraries()) substitute(library->loaded(), library->entry_points(), nullptr);
    }

    static void* find_any(const char*) noexcept { return reinterpret_cast<void*>(any_function); }
    static constexpr cubind::Substitute everything{.path = "answered", .found_via = "a test", .find = find_any};
    Bottom bottom;
};

/// The calls of a trace in memory without thread, times and library.
inline std::vector<std::string> traced_calls() {
    const std::string text = layers::trace::recorded();
    static const std::regex head(R"(^\[\d+\] +\d+\.\d+ s +\d+\.\d us  \w+ )");
    std::vector<std::string> calls;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        calls.push_back(std::regex_replace(text.substr(begin, end - begin), head, ""));
        begin = end + 1;
    }
    return calls;
}

template <class Handle>
Handle handle(std::uintptr_t value) {
    return reinterpret_cast<Handle>(value);
}

/// Has that many threads do the same at once.
inline void in_threads(int count, const std::function<void(int)>& work) {
    std::vector<std::thread> threads;
    for (int index = 0; index < count; ++index) threads.emplace_back(work, index);
    for (std::thread& each : threads) each.join();
}

}  // namespace cubind::testing
