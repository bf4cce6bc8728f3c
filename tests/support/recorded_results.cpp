// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "recorded_results.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>

#include "files/hash.hpp"

namespace cubind::testing {

namespace {

constexpr std::size_t shown_digits = 16;

std::string name_of(const ::testing::TestInfo& test) {
    return std::string(test.test_suite_name()) + "." + test.name();
}

std::string digits_of(const detail::RunningHash& hash) {
    return detail::hexadecimal(hash.value()).substr(0, shown_digits);
}

/// A line without its name.
struct Line {
    std::string inputs;
    std::string results;
    std::set<int> excluded;  ///< numbers of launches
};

}  // namespace

class RecordedResults::Listener : public ::testing::EmptyTestEventListener {
public:
    void read(const std::filesystem::path& file) {
        std::ifstream lines(file);
        std::string line;
        while (std::getline(lines, line)) {
            if (line.empty() || line.front() == '#') continue;
            std::istringstream words(line);
            std::string name;
            words >> name;
            Line& recorded = recorded_.emplace(name, Line{})->second;
            words >> recorded.inputs >> recorded.results;
            for (int number = 0; words >> number;) recorded.excluded.insert(number);
        }
    }

    void OnTestStart(const ::testing::TestInfo& test) override {
        inputs_ = {};
        results_ = {};
        excluded_.clear();
        values_.clear();
        instructions_.clear();
        launch_ = 0;
        has_results_ = false;
        is_excluded_ = false;
        lines_ = std::as_const(recorded_).equal_range(name_of(test));
        if (record_folder() != nullptr) lines_ = {recorded_.end(), recorded_.end()};
    }

    void OnTestEnd(const ::testing::TestInfo& test) override {
        if (!test.result()->Passed()) return;
        const bool has_results = has_results_ && !is_excluded_;
        if (record_folder() != nullptr) {
            if (has_results) record(test);
            return;
        }
        const bool is_compared = has_results && compare();
        if (check_ != nullptr) check_(name_of(test), is_compared, instructions_);
    }

    void add_result(std::span<const std::byte> bytes) {
        has_results_ = true;
        results_.add(bytes.data(), bytes.size());
        if (record_folder() == nullptr) return;
        const std::size_t stored = std::min(bytes.size(), max_stored_bytes - std::min(values_.size(), max_stored_bytes));
        values_.append(reinterpret_cast<const char*>(bytes.data()), stored);
    }

    bool is_used() const { return record_folder() != nullptr || lines_.first != lines_.second; }

    bool begin_launch() {
        ++launch_;
        return lines_.first == lines_.second || !lines_.first->second.excluded.contains(launch_);
    }

    detail::RunningHash inputs_;
    std::set<int> excluded_;
    int launch_ = 0;
    bool is_excluded_ = false;

    std::set<std::string> instructions_;
    Check check_ = nullptr;

private:
    void record(const ::testing::TestInfo& test) {
        const char* const folder = record_folder();
        std::string file = name_of(test);
        std::replace(file.begin(), file.end(), '/', '-');
        std::ofstream line(std::filesystem::path(folder) / file);
        line << name_of(test) << ' ' << digits_of(inputs_) << ' ' << digits_of(results_);
        for (const int number : excluded_) line << ' ' << number;
        line << '\n';
        std::ofstream(std::filesystem::path(folder) / (file + ".values"), std::ios::binary) << values_;
    }

    // Returns false if the code or the data of the test differ from what was recorded.
    bool compare() const {
        const auto same =
            std::find_if(lines_.first, lines_.second, [&](const auto& line) { return line.second.inputs == digits_of(inputs_); });
        if (same == lines_.second) return false;
        EXPECT_EQ(digits_of(results_), same->second.results)
            << "the bits of the results differ from those that a GPU computed for the same code and data. "
               "scripts/compare-kernels-with-gpu shows where, on a machine with a GPU";
        return true;
    }

    static constexpr std::size_t max_stored_bytes = std::size_t{1} << 20;

    using Lines = std::multimap<std::string, Line>;  // a line for each code that compilers make of a test
    static const char* record_folder() { return std::getenv("CUBIND_TEST_RECORD"); }

    detail::RunningHash results_;
    bool has_results_ = false;
    std::string values_;  ///< the first bytes of the results, to find differences
    Lines recorded_;
    std::pair<Lines::const_iterator, Lines::const_iterator> lines_;  ///< of the current test
};

// GoogleTest owns the listener.
RecordedResults::Listener& RecordedResults::listener() {
    static Listener& only = [&]() -> Listener& {
        auto* const created = new Listener;
        ::testing::UnitTest::GetInstance()->listeners().Append(created);
        return *created;
    }();
    return only;
}

bool uses_gpu() {
    static const bool is_set = std::getenv("CUBIND_TEST_GPU") != nullptr;
    return is_set;
}

void RecordedResults::compare_with(const std::filesystem::path& file) {
    listener().read(file);
}

void RecordedResults::add_input(std::span<const std::byte> bytes) {
    listener().inputs_.add(bytes.data(), bytes.size());
}

void RecordedResults::add_result(std::span<const std::byte> bytes) {
    listener().add_result(bytes);
}

void RecordedResults::add_instruction(const std::string& instruction) {
    listener().instructions_.insert(instruction);
}

void RecordedResults::check_with(Check check) {
    listener().check_ = check;
}

void RecordedResults::exclude_test() {
    listener().is_excluded_ = true;
}

bool RecordedResults::is_used() {
    return listener().is_used();
}

bool RecordedResults::begin_launch() {
    return listener().begin_launch();
}

void RecordedResults::exclude_launch() {
    listener().excluded_.insert(listener().launch_);
}

}  // namespace cubind::testing
