// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/bootstrap.hpp>

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

/// @file
/// What the ranks tell each other at a meeting point, in the byte order of the machine.

namespace CUBIND_NAMESPACE::detail::meeting {

/// The beginning of each record, with the version of the protocol.
using Magic = std::array<char, 16>;
inline constexpr Magic magic = {'c', 'u', 'b', 'i', 'n', 'd', ' ', 'm', 'e', 'e', 't', 'i', 'n', 'g', ' ', '1'};

/// What a rank says of itself.
struct Hello {
    Magic begin = magic;
    std::uint64_t nonce = 0;  ///< identifies the process
    std::int32_t rank = 0;
    std::int32_t size = 0;
    char device[64] = {};  ///< UUID, or empty
    char host[64] = {};
};

enum class Verdict : std::uint32_t { accepted, refused, late, failed };

/// What rank 0 tells all ranks.
struct Answer {
    Magic begin = magic;
    Verdict verdict = Verdict::accepted;
    std::int32_t size = 0;
    char message[480] = {};  ///< if not accepted
    Bootstrap::Id id = {};
};

/// How long rank 0 tells late ranks why it has refused another one.
inline constexpr std::chrono::milliseconds grace{1000};

/// A point in time at which an exchange gives up.
using Deadline = std::chrono::steady_clock::time_point;
/// Returns the time to the deadline, at least 0.
std::chrono::milliseconds time_to(Deadline deadline) noexcept;

/// A rank at a meeting point.
struct Attendance {
    Hello own;
    const std::function<Bootstrap::Id()>& create;
    std::string meeting_point;          ///< as the user wrote it
    std::chrono::milliseconds timeout;  ///< as the user wrote it
    Deadline deadline;
};

/// The ranks that have come to rank 0.
class Roll {
public:
    explicit Roll(const Hello& own);
    /// Adds a rank. Returns why it is refused, or an empty text.
    std::string add(const Hello& hello);
    [[nodiscard]] bool has(int rank) const noexcept { return entries_[static_cast<std::size_t>(rank)].size != 0; }
    [[nodiscard]] bool is_complete() const noexcept;
    /// Returns the numbers of the ranks that have not come.
    [[nodiscard]] std::string missing() const;
    [[nodiscard]] const std::vector<Hello>& entries() const noexcept { return entries_; }

private:
    std::vector<Hello> entries_;  // by rank; the size is 0 until the rank comes
};

/// Returns the answer with a new id.
[[nodiscard]] Answer accepted(const Attendance& self);
/// Returns the answer that all ranks are refused, or that ranks are late.
[[nodiscard]] Answer refused(Verdict verdict, const std::string& why);
[[nodiscard]] Answer late(const Attendance& self, const Roll& roll);
/// Returns the id of an answer, or throws what it says.
[[nodiscard]] Bootstrap::Id id_of(const Answer& answer);
[[noreturn]] void throw_unusable(const Attendance& self, const std::string& why);
/// Throws that rank 0 has not answered in time. `detail` says what was tried.
[[noreturn]] void throw_no_answer(const Attendance& self, const std::string& detail);

/// Meet by the means of one kind.
[[nodiscard]] Bootstrap::Id meet_by_file(const Attendance& self, const std::string& path);
[[nodiscard]] Bootstrap::Id meet_by_mpi(const Attendance& self);
[[nodiscard]] Bootstrap::Id meet_by_network(const Attendance& self, const std::string& host, const std::string& port);

}  // namespace CUBIND_NAMESPACE::detail::meeting
