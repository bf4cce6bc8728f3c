// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "platform/environment.hpp"

#include <cubind/bootstrap.hpp>

#include <charconv>
#include <limits>
#include <string>
#include <string_view>

#include "errors/misuse.hpp"

namespace CUBIND_NAMESPACE {

using detail::environment_variable;
using detail::throw_misuse;

namespace {

// The variables of a launcher.
struct Launcher {
    const char* rank;
    const char* size;
    const char* local_rank;
};

// Programs that mpirun starts in a job of Slurm have the variables of both, of which Slurm's describe the job.
constexpr Launcher launchers[] = {
    {"CUBIND_RANK", "CUBIND_SIZE", "CUBIND_LOCAL_RANK"},
    {"RANK", "WORLD_SIZE", "LOCAL_RANK"},
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"},
    {"SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID"},
};

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
    for (const Launcher& each : launchers) {
        if (environment_variable(each.rank) == nullptr && environment_variable(each.size) == nullptr) continue;
        const int size = number_of(each.size, each, max);
        const int rank = number_of(each.rank, each, max);
        const int local_rank = number_of(each.local_rank, each, max);
        return {rank, size, local_rank, size == 1 ? std::string() : meeting_point_for(each)};
    }
    return {0, 1, 0, {}};
}

}  // namespace CUBIND_NAMESPACE
