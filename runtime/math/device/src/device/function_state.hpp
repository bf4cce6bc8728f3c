// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/launch/dim3.hpp>
#include <cubind/core/program/object_code.hpp>
#include <cubind/core/program/program_cache.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "device/descriptor.hpp"

namespace CUBIND_NAMESPACE::math::device::detail {

/// What libmathdx has answered about a request: numbers and names, as text.
class Answers {
public:
    Answers() = default;
    /// Reads what text() has written.
    explicit Answers(const std::string& text);

    void add(long long number) { lines_.push_back(std::to_string(number)); }
    void add(const std::vector<long long>& numbers) {
        for (const long long number : numbers) add(number);
    }
    void add(std::string name) { lines_.push_back(std::move(name)); }

    /// Returns a number, which must not be negative.
    unsigned int number(std::size_t index) const;
    const std::string& name(std::size_t index) const { return lines_.at(index); }
    std::size_t count() const noexcept { return lines_.size(); }

    std::string text() const;

private:
    std::vector<std::string> lines_;
};

/// What all copies of a function share. Any thread may use it.
class FunctionState {
public:
    /// Asks libmathdx what `query` asks, unless the cache has the answers.
    FunctionState(const Family& family, Request request, ProgramCache* cache,
                  const std::function<Answers(const Descriptor&)>& query);

    const Request& request() const noexcept { return request_; }
    const Answers& answers() const noexcept { return answers_; }
    std::vector<ObjectCode> code();

    // The constructors of the functions set these before other threads know the state.
    Dim3 block = {};
    std::size_t shared_memory_size = 0;
    std::string declaration = {};

private:
    Bytes from_cache(const char* part, const std::function<Bytes()>& make) const;

    const Family& family_;
    const Request request_;
    ProgramCache* const cache_;
    Answers answers_;
    std::mutex mutex_;
    std::vector<ObjectCode> code_;
};

}  // namespace CUBIND_NAMESPACE::math::device::detail
