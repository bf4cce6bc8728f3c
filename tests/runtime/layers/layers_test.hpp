// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver.hpp>
#include <cubind/layers.hpp>
#include <cubind/substitute.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <regex>
#include <string>
#include <thread>
#include <vector>

#include "support/libraries.hpp"

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

/// Lowest layer, which replaces the vendors' functions. A call that passes all layers ends here, or in stub_function().
class StubLayer final : public layers::Layer {
public:
    void handle(const cubind::Call& call, const layers::Next& next) noexcept override {
        answer(call);
        if (passes_on) next(call);
    }

    std::function<void(const cubind::Call&)> answer = [](const cubind::Call&) {};
    bool passes_on = false;
};

/// Return value of stub_function().
inline int stub_status = 0;

/// Replaces every function. It has no parameters and ignores its arguments, which the calling conventions of C allow.
inline int stub_function() {
    return stub_status;
}

/// A layer that passes calls to a function object.
class FunctionLayer final : public layers::Layer {
public:
    using Handler = std::function<void(const cubind::Call&, const layers::Next&)>;
    explicit FunctionLayer(Handler handler) : handler_(std::move(handler)) {}
    void handle(const cubind::Call& call, const layers::Next& next) noexcept override { handler_(call, next); }

private:
    Handler handler_;
};

/// Fixture in which every function of every library exists and `stub` handles its calls.
class StubbedTest : public ::testing::Test {
protected:
    void SetUp() override {
        for (const auto* const library : all_libraries()) substitute(library->loaded(), library->entry_points(), &everything);
        layers::push(stub);
    }
    void TearDown() override {
        stop_all_layers();
        layers::remove(stub);
        for (const auto* const library : all_libraries()) substitute(library->loaded(), library->entry_points(), nullptr);
    }

    static void* find_any(const char*) noexcept { return reinterpret_cast<void*>(stub_function); }
    static constexpr cubind::Substitute everything{.path = "stub", .found_via = "a test", .find = find_any};
    StubLayer stub;
};

/// Returns the calls of a trace in memory without thread, times and library.
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

/// Runs `work(index)` in `count` threads at the same time.
inline void in_threads(int count, const std::function<void(int)>& work) {
    std::vector<std::thread> threads;
    for (int index = 0; index < count; ++index) threads.emplace_back(work, index);
    for (std::thread& each : threads) each.join();
}

}  // namespace cubind::testing
