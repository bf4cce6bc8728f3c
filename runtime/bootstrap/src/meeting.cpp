// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "meeting.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "errors/misuse.hpp"

namespace CUBIND_NAMESPACE::detail::meeting {

namespace {

// The text of a record, which may come from another program.
template <std::size_t size>
std::string text_of(const char (&text)[size]) {
    return std::string(text, ::strnlen(text, size));
}

}  // namespace

std::chrono::milliseconds time_to(Deadline deadline) noexcept {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    return std::max(left, std::chrono::milliseconds(0));
}

// ---- the roll ------------------------------------------------------------------------------------------------------------

Roll::Roll(const Hello& own) : entries_(static_cast<std::size_t>(own.size)) {
    entries_.front() = own;
}

std::string Roll::add(const Hello& hello) {
    const int size = entries_.front().size;
    const std::string who = concat("rank ", hello.rank, " on ", text_of(hello.host));
    if (hello.size != size) {
        return concat("the ranks disagree on their number: ", who, " was started as one of ", hello.size, ", and rank 0 on ",
                      text_of(entries_.front().host), " as one of ", size, ": start all with the same number");
    }
    if (hello.rank < 0 || hello.rank >= size) return concat(who, " does not exist: there are the ranks 0 to ", size - 1);
    Hello& entry = entries_[static_cast<std::size_t>(hello.rank)];
    if (entry.size != 0) {
        return concat("rank ", hello.rank, " was started twice, on ", text_of(entry.host), " and on ", text_of(hello.host),
                      ": give each process a rank of its own");
    }
    for (const Hello& other : entries_) {
        if (other.size != 0 && hello.device[0] != '\0' && text_of(other.device) == text_of(hello.device)) {
            return concat(
                "ranks ", other.rank, " and ", hello.rank, " use the same device, ", text_of(hello.device),
                ": one rank a GPU is allowed, so start at most one process per GPU, and let the local rank select the device");
        }
    }
    entry = hello;
    return {};
}

bool Roll::is_complete() const noexcept {
    return std::ranges::all_of(entries_, [](const Hello& each) { return each.size != 0; });
}

std::string Roll::missing() const {
    std::string ranks;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        if (entries_[i].size == 0) ranks += concat(ranks.empty() ? "" : ", ", i);
    }
    return ranks;
}

// ---- answers -------------------------------------------------------------------------------------------------------------

Answer accepted(const Attendance& self) {
    return {.size = self.own.size, .id = self.create()};
}

Answer refused(Verdict verdict, const std::string& why) {
    Answer answer{.verdict = verdict};
    why.copy(answer.message, sizeof answer.message - 1);
    return answer;
}

Answer late(const Attendance& self, const Roll& roll) {
    return refused(Verdict::late, concat("the ranks ", roll.missing(), " of ", self.own.size, " have not come to ",
                                         self.meeting_point, " within ", self.timeout.count(),
                                         " ms: start them with the same meeting point, or pass a longer timeout"));
}

Bootstrap::Id id_of(const Answer& answer) {
    const std::string why = text_of(answer.message);
    switch (answer.verdict) {
        case Verdict::accepted:
            return answer.id;
        case Verdict::refused:
            throw std::invalid_argument("Bootstrap: " + why);
        default:
            throw std::runtime_error("Bootstrap: " + why);
    }
}

void throw_unusable(const Attendance& self, const std::string& why) {
    throw std::runtime_error(
        concat("Bootstrap: rank ", self.own.rank, " cannot use the meeting point ", self.meeting_point, ": ", why));
}

void throw_no_answer(const Attendance& self, const std::string& detail) {
    throw_unusable(
        self,
        concat(
            "rank 0 has not answered within ", self.timeout.count(), " ms (", detail,
            "): check that it runs with the same meeting point, and that this rank was started once, or pass a longer timeout"));
}

}  // namespace CUBIND_NAMESPACE::detail::meeting
