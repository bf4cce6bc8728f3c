// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <exception>

#include "errors/misuse.hpp"
#include "meeting.hpp"
#include "mpi.hpp"

// Rank 0 gathers what the ranks say of themselves, and broadcasts its answer, also if it has failed itself: the others wait for
// it.

namespace CUBIND_NAMESPACE::detail::meeting {
namespace {

Answer answer_to(const Attendance& self, const std::vector<Hello>& hellos) {
    Roll roll(self.own);
    for (std::size_t i = 1; i < hellos.size(); ++i) {
        if (const std::string why = roll.add(hellos[i]); !why.empty()) return refused(Verdict::refused, why);
    }
    return accepted(self);
}

}  // namespace

Bootstrap::Id meet_by_mpi(const Attendance& self) {
    Mpi& mpi = Mpi::get();
    std::vector<Hello> hellos(self.own.rank == 0 ? static_cast<std::size_t>(self.own.size) : 0);
    mpi.gather(&self.own, sizeof self.own, hellos.data());
    Answer answer;
    std::exception_ptr own_failure;
    if (self.own.rank == 0) {
        try {
            answer = answer_to(self, hellos);
        } catch (const std::exception& error) {
            own_failure = std::current_exception();
            answer = refused(Verdict::failed, concat("rank 0 has failed: ", error.what()));
        }
    }
    mpi.broadcast(&answer, sizeof answer);
    if (own_failure != nullptr) std::rethrow_exception(own_failure);
    return id_of(answer);
}

}  // namespace CUBIND_NAMESPACE::detail::meeting
