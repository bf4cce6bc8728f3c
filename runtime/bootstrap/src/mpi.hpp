// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <cstddef>

/// @file
/// MPI, which is found at run time. An error ends the program, as MPI's default is, or throws std::runtime_error.

namespace CUBIND_NAMESPACE::detail::meeting {

/// The processes of MPI_COMM_WORLD. The calls of all of them must have the same order, and no time limit.
class Mpi {
public:
    /// Returns whether a library of MPI is loaded or can be. Does not initialize it.
    static bool is_found() noexcept;
    /// Returns MPI, which all processes must do together at the first time. If the program has not initialized MPI, it is
    /// initialized, and finalized if this process exits with the status 0. Throws std::invalid_argument if there is no library,
    /// if MPI was finalized, or if the library is of another MPI than the launcher.
    static Mpi& get();

    Mpi() = default;
    Mpi(const Mpi&) = delete;
    Mpi& operator=(const Mpi&) = delete;
    virtual ~Mpi() = default;

    [[nodiscard]] int rank() const noexcept { return rank_; }
    [[nodiscard]] int size() const noexcept { return size_; }
    /// Returns the rank among the processes of this host.
    [[nodiscard]] int local_rank() const noexcept { return local_rank_; }
    /// Copies `size` bytes of each rank, in order of the ranks, to `all` of rank 0 (MPI_Gather).
    virtual void gather(const void* own, std::size_t size, void* all) = 0;
    /// Copies bytes of rank 0 to all ranks (MPI_Bcast).
    virtual void broadcast(void* data, std::size_t size) = 0;
    /// Finalizes MPI, if get() has initialized it in this process, and not in one from which it was forked.
    virtual void end() noexcept = 0;

protected:
    int rank_ = 0;
    int size_ = 1;
    int local_rank_ = 0;
};

}  // namespace CUBIND_NAMESPACE::detail::meeting
