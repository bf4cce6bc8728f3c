// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Wrappers are defined under the names of their symbols, even if the build selects the per-thread default stream.
#undef TOY_PER_THREAD
#include <cubind/toy/functions.hpp>

#include <cubind/call.hpp>

#include "entry_points.hpp"

namespace CUBIND_NAMESPACE::toy {

Result<toyStatus> toyCopy_v1(short from, short to) noexcept {
    Result<toyStatus> result_{};
    result_.status = call<toyStatus(short, short)>(entry_points::toyCopy_v1, from, to);
    return result_;
}

Result<toyStatus> toyCopy_v2(int from, int to) noexcept {
    Result<toyStatus> result_{};
    result_.status = call<toyStatus(int, int)>(entry_points::toyCopy_v2, from, to);
    return result_;
}

Result<toyStatus> toyCopy_v2_ptds(int from, int to) noexcept {
    Result<toyStatus> result_{};
    result_.status = call<toyStatus(int, int)>(entry_points::toyCopy_v2_ptds, from, to);
    return result_;
}

Result<toyStatus> toyRun(int number) noexcept {
    Result<toyStatus> result_{};
    result_.status = call<toyStatus(int)>(entry_points::toyRun, number);
    return result_;
}

Result<toyStatus> toyRun_ptsz(int number) noexcept {
    Result<toyStatus> result_{};
    result_.status = call<toyStatus(int)>(entry_points::toyRun_ptsz, number);
    return result_;
}

Result<toyStatus> toyStop(int number) noexcept {
    Result<toyStatus> result_{};
    result_.status = call<toyStatus(int)>(entry_points::toyStop, number);
    return result_;
}

namespace per_thread {

Result<toyStatus> toyRun(int number) noexcept {
    return toy::toyRun_ptsz(number);
}

}  // namespace per_thread

Rows rows::functions() noexcept {
    static const Row table[] = {
        row(toy::toyCopy_v1, entry_points::toyCopy_v1),
        row(toy::toyCopy_v2, entry_points::toyCopy_v2),
        row(toy::toyCopy_v2_ptds, entry_points::toyCopy_v2_ptds),
        row(toy::toyRun, entry_points::toyRun),
        row(per_thread::toyRun, entry_points::toyRun_ptsz),
        row(toy::toyRun_ptsz, entry_points::toyRun_ptsz),
        row(toy::toyStop, entry_points::toyStop),
    };
    return {table, table + sizeof table / sizeof table[0]};
}

}  // namespace CUBIND_NAMESPACE::toy
