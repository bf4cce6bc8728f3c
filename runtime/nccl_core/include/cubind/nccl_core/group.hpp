// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

namespace CUBIND_NAMESPACE::nccl {

/// Combines the calls of communicators during its lifetime to one operation. A thread that calls for several ranks needs it,
/// because a call outside of a group may wait for the other ranks; so do messages that are sent and received at once.
///
///     {
///         nccl::Group group;
///         ring.send(stream, edge, next);
///         ring.receive(stream, halo, previous);
///         group.end();
///     }
///
/// Groups nest: the calls are submitted when the outermost group ends. It belongs to the thread that has created it.
class [[nodiscard]] CUBIND_EXPORT Group {
public:
    /// Begins a group. Throws CommunicationError (ncclGroupStart).
    Group();
    Group(const Group&) = delete;
    Group& operator=(const Group&) = delete;
    /// Ends the group like end(), unless that was called. A failure is reported to the cleanup handler. If an exception passes,
    /// no call of the group is submitted, because other ranks might wait for those that are missing.
    ~Group();

    /// Submits the calls (ncclGroupEnd). Throws CommunicationError if one of them failed; in that case none is submitted. Ending
    /// a group again does nothing.
    void end();

private:
    int exceptions_;  // those that pass at the creation
    bool is_open_ = true;
};

}  // namespace CUBIND_NAMESPACE::nccl
