// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/device.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace CUBIND_NAMESPACE {

/// The place of this process among the processes of a program, and how they exchange the id by which a communication library
/// connects them:
///
///     Bootstrap bootstrap = Bootstrap::from_environment();
///     auto communicator = nccl::Communicator::init(bootstrap);     // on bootstrap.device()
///
/// It is a value: copies are equal. Any thread may use it, but one exchange at a time may use a meeting point.
class CUBIND_EXPORT Bootstrap {
public:
    /// The bytes of an id, of NCCL or of NVSHMEM.
    using Id = std::array<std::byte, 128>;

    /// How long an exchange waits for the other ranks.
    CUBIND_HIDDEN static constexpr std::chrono::milliseconds default_timeout{60'000};

    /// Describes rank `rank` of `size` processes, which is the `local_rank`-th process of its host. `meeting_point` is
    ///
    /// - "HOST:PORT": rank 0 listens there, and the others connect. For localhost, 127.0.0.1 and [::1] it listens on this host
    /// only.
    /// - "file:PATH": a path without a file, in a folder that all ranks can write, such as one of a network file system.
    /// - empty, if there is one rank.
    ///
    /// Throws std::invalid_argument for ranks outside of 0 to size - 1, and for another meeting point.
    Bootstrap(int rank, int size, int local_rank, std::string meeting_point);

    /// Reads the first complete set of variables: CUBIND_RANK, CUBIND_SIZE, CUBIND_LOCAL_RANK; RANK, WORLD_SIZE, LOCAL_RANK of
    /// torchrun; OMPI_COMM_WORLD_RANK, _SIZE, _LOCAL_RANK of Open MPI's mpirun; PMI_RANK, PMI_SIZE, MPI_LOCALRANKID of MPICH's;
    /// SLURM_PROCID, SLURM_NTASKS, SLURM_LOCALID of srun. Without any, the process is alone. The meeting point is
    /// CUBIND_MEETING_POINT, or else MASTER_ADDR and MASTER_PORT, to which 1 is added if torchrun itself listens there. If there
    /// is none and mpirun has started several processes, or if it is "mpi", returns from_mpi(). Throws std::invalid_argument for
    /// an incomplete set, for values that are no such numbers, and for several ranks without a meeting point.
    [[nodiscard]] static Bootstrap from_environment();

    /// Describes this process of MPI_COMM_WORLD, whose ranks then exchange ids by MPI. All of them must call it, and then make
    /// their exchanges in the same order. The library of Open MPI, MPICH or a relative is found at run time; CUBIND_MPI_LIBRARY
    /// names another one. If the program has not initialized MPI, this does (MPI_Init), and MPI is finalized if the process exits
    /// with the status 0; after another one, mpirun ends the other processes. Throws std::invalid_argument without a library,
    /// after MPI_Finalize, and if the library is of another MPI than the launcher. MPI has no time limits: a rank that never
    /// comes leaves the others waiting, until mpirun ends them.
    [[nodiscard]] static Bootstrap from_mpi();

    /// Returns the number of this process, from 0 on.
    [[nodiscard]] int rank() const noexcept { return rank_; }
    /// Returns the number of processes.
    [[nodiscard]] int size() const noexcept { return size_; }
    /// Returns the number of this process among those of its host, from 0 on.
    [[nodiscard]] int local_rank() const noexcept { return local_rank_; }
    /// Returns where the processes meet; "mpi" for from_mpi().
    [[nodiscard]] const std::string& meeting_point() const noexcept { return meeting_point_; }

    /// Returns the device whose ordinal is the local rank; device 0 if the launcher shows each process one device only. Throws
    /// std::invalid_argument if there is none: one rank a GPU is allowed.
    [[nodiscard]] Device device() const;

    /// Waits for all ranks, and returns the id that rank 0 has created by `create`. `device_uuid` is Device::uuid() of the device
    /// that this rank will use, or empty. Throws std::invalid_argument in all ranks if they disagree on the size, if a rank has
    /// come twice, or if two ranks name the same device. Throws std::runtime_error if the meeting point cannot be used, and if a
    /// rank does not come within the timeout, which MPI ignores. Ranks may exchange repeatedly. Who can reach the meeting point
    /// can take part: use a trusted network.
    [[nodiscard]] Id exchange(const std::function<Id()>& create, std::string_view device_uuid = {},
                              std::chrono::milliseconds timeout = default_timeout) const;

private:
    int rank_;
    int size_;
    int local_rank_;
    std::string meeting_point_;
};

}  // namespace CUBIND_NAMESPACE
