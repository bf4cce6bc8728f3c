// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "platform/environment.hpp"

#include <cubind/bootstrap.hpp>

#include <charconv>
#include <limits>
#include <string>
#include <string_view>

#include "errors/misuse.hpp"
#include "mpi.hpp"

namespace CUBIND_NAMESPACE {

using detail::environment_variable;
using detail::throw_misuse;

namespace {

// The variables of a launcher.
struct Launcher {
    const char* rank;
    const char* size;
    const char* local_rank;
    bool is_mpi = false;
};

// Programs that mpirun starts in a job of Slurm have the variables of both, of which Slurm's describe the job.
constexpr Launcher launchers[] = {
    {"CUBIND_RANK", "CUBIND_SIZE", "CUBIND_LOCAL_RANK"},
    {"RANK", "WORLD_SIZE", "LOCAL_RANK"},
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK", true},
    {"PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", true},
    {"SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID"},
};

// Whether the launcher has started this process. Slurm, too, sets two of the three variables of MPICH's mpirun.
bool has_started_us(const Launcher& launcher) {
    const bool has_any = environment_variable(launcher.rank) != nullptr || environment_variable(launcher.size) != nullptr;
    const bool is_of_mpich = std::string_view(launcher.local_rank) == "MPI_LOCALRANKID";
    return has_any && (!is_of_mpich || environment_variable(launcher.local_rank) != nullptr);
}

int number_of(const char* variable, const Launcher& launcher, int max) {
    const char* const text = environment_variable(variable);
    if (text == nullptr) {
        throw_misuse("Bootstrap: of ", launcher.rank, ", ", launcher.size, " and ", launcher.local_rank,
                     ", the environment lacks ", variable, ": set all of them, or none");
    }
    const std::string_view all = text;
    int number = -1;
    const auto [stop, error] = std::from_chars(all.data(), all.data() + all.size(), number);
    if (error != std::errc() || stop != all.data() + all.size() || number < 0 || number > max) {
        throw_misuse("Bootstrap: ", variable, "=", all, " is no number from 0 to ", max);
    }
    return number;
}

// torchrun listens at MASTER_PORT for the time of the run, so that rank 0 listens at the next port.
std::string meeting_point_for(const Launcher& launcher) {
    if (const char* const own = environment_variable("CUBIND_MEETING_POINT"); own != nullptr) return own;
    const char* const host = environment_variable("MASTER_ADDR");
    if (host == nullptr || environment_variable("MASTER_PORT") == nullptr) return {};
    int port = number_of("MASTER_PORT", launcher, 65535);
    const char* const agent = environment_variable("TORCHELASTIC_USE_AGENT_STORE");
    if (agent != nullptr && std::string_view(agent) == "True") port += port < 65535 ? 1 : -1;
    const bool needs_brackets = std::string_view(host).find(':') != std::string_view::npos;
    return (needs_brackets ? "[" + std::string(host) + "]" : std::string(host)) + ":" + std::to_string(port);
}

}  // namespace

Bootstrap Bootstrap::from_environment() {
    constexpr int max = std::numeric_limits<int>::max();
    const char* const named = environment_variable("CUBIND_MEETING_POINT");
    if (named != nullptr && std::string_view(named) == "mpi") return from_mpi();
    for (const Launcher& each : launchers) {
        if (!has_started_us(each)) continue;
        const int size = number_of(each.size, each, max);
        const int rank = number_of(each.rank, each, max);
        const int local_rank = number_of(each.local_rank, each, max);
        const std::string point = size == 1 ? std::string() : meeting_point_for(each);
        if (size > 1 && point.empty() && each.is_mpi && detail::meeting::Mpi::is_found()) return from_mpi();
        return {rank, size, local_rank, point};
    }
    return {0, 1, 0, {}};
}

}  // namespace CUBIND_NAMESPACE
