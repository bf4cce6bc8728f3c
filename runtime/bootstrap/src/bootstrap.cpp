// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/bootstrap.hpp>

#include <algorithm>
#include <charconv>
#include <cstring>

#include "errors/misuse.hpp"
#include "meeting.hpp"
#include "mpi.hpp"
#include "platform/process.hpp"
#include "platform/random.hpp"

namespace CUBIND_NAMESPACE {

using detail::throw_misuse;
namespace meeting = detail::meeting;

namespace {

struct Address {
    std::string host;
    std::string port;
};

constexpr std::string_view file_prefix = "file:";
constexpr std::string_view mpi_point = "mpi";

// Splits "HOST:PORT". Brackets surround an IPv6 address.
Address address_of(const std::string& text) {
    const std::size_t colon = text.rfind(':');
    Address found;
    if (colon != text.npos) found = {text.substr(0, colon), text.substr(colon + 1)};
    if (found.host.starts_with('[') && found.host.ends_with(']')) found.host = found.host.substr(1, found.host.size() - 2);
    unsigned port = 0;
    const char* const end = found.port.data() + found.port.size();
    const auto [stop, error] = std::from_chars(found.port.data(), end, port);
    if (found.host.empty() || error != std::errc() || stop != end || port == 0 || port > 65535) {
        throw_misuse("Bootstrap: the meeting point \"", text,
                     "\" is neither HOST:PORT, with a port from 1 to 65535, nor file:PATH; for MPI, call Bootstrap::from_mpi()");
    }
    return found;
}

}  // namespace

Bootstrap::Bootstrap(int rank, int size, int local_rank, std::string meeting_point)
    : rank_(rank), size_(size), local_rank_(local_rank), meeting_point_(std::move(meeting_point)) {
    if (size < 1 || rank < 0 || rank >= size || local_rank < 0) {
        throw_misuse("Bootstrap: rank ", rank, " of ", size, " ranks with the local rank ", local_rank,
                     " does not exist: ranks are from 0 to the size - 1");
    }
    if (meeting_point_.find('\0') != meeting_point_.npos) throw_misuse("Bootstrap: the meeting point contains a NUL");
    if (meeting_point_.empty()) {
        if (size > 1) {
            throw_misuse("Bootstrap: ", size,
                         " ranks need a meeting point: set CUBIND_MEETING_POINT to HOST:PORT, where HOST is that of rank 0, to "
                         "file:PATH, or to mpi if a library of MPI is installed");
        }
    } else if (!meeting_point_.starts_with(file_prefix)) {
        static_cast<void>(address_of(meeting_point_));
    } else if (meeting_point_.size() == file_prefix.size()) {
        throw_misuse("Bootstrap: the meeting point \"file:\" has no path");
    }
}

Bootstrap Bootstrap::from_mpi() {
    const meeting::Mpi& mpi = meeting::Mpi::get();
    Bootstrap made(0, 1, 0, {});
    made.rank_ = mpi.rank();
    made.size_ = mpi.size();
    made.local_rank_ = mpi.local_rank();
    made.meeting_point_ = mpi_point;
    return made;
}

Device Bootstrap::device() const {
    const int count = Device::count();
    if (count == 1 && size_ > 1) return Device(0);  // exchange() finds out whether the ranks see the same device
    if (local_rank_ >= count) {
        throw_misuse("Bootstrap: local rank ", local_rank_, " has no device, because this host has ", count,
                     ": one rank a GPU is allowed, so start at most ", count, " processes on it");
    }
    return Device(local_rank_);
}

Bootstrap::Id Bootstrap::exchange(const std::function<Id()>& create, std::string_view device_uuid,
                                  std::chrono::milliseconds timeout) const {
    if (timeout.count() < 0) throw_misuse("Bootstrap: a timeout of ", timeout.count(), " ms is negative");
    if (size_ == 1) return create();
    constexpr std::chrono::milliseconds longest = std::chrono::hours(24 * 365);
    meeting::Attendance self{.own = {.rank = rank_, .size = size_},
                             .create = create,
                             .meeting_point = meeting_point_,
                             .timeout = timeout,
                             .deadline = std::chrono::steady_clock::now() + std::min(timeout, longest)};
    const int error = detail::fill_randomly(&self.own.nonce, sizeof self.own.nonce);
    if (error != 0) meeting::throw_unusable(self, std::string("no random number: ") + std::strerror(error));
    device_uuid.copy(self.own.device, sizeof self.own.device - 1);
    detail::host_name().copy(self.own.host, sizeof self.own.host - 1);
    if (meeting_point_ == mpi_point) return meeting::meet_by_mpi(self);
    if (meeting_point_.starts_with(file_prefix)) return meeting::meet_by_file(self, meeting_point_.substr(file_prefix.size()));
    const Address address = address_of(meeting_point_);
    return meeting::meet_by_network(self, address.host, address.port);
}

}  // namespace CUBIND_NAMESPACE
