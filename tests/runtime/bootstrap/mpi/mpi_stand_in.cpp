// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// A stand-in for the library of Open MPI, or of MPICH, whose processes exchange by files. Like those, it believes that a process
// is alone if the launcher of the other one has started it.
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#if defined(CUBIND_TEST_OPEN_MPI)
using Handle = void*;
extern "C" {
extern int ompi_mpi_comm_world, ompi_mpi_byte, ompi_mpi_info_null;
int ompi_mpi_comm_world, ompi_mpi_byte, ompi_mpi_info_null;
}
#else
using Handle = int;
#endif

namespace {

#if defined(CUBIND_TEST_OPEN_MPI)
const char* const rank_variable = "OMPI_COMM_WORLD_RANK";
const char* const size_variable = "OMPI_COMM_WORLD_SIZE";
int duplicate_object, host_object;
const Handle world = &ompi_mpi_comm_world, byte = &ompi_mpi_byte, no_info = &ompi_mpi_info_null;
const Handle duplicate = &duplicate_object, host = &host_object;
const int shared_memory = 0;
#else
const char* const rank_variable = "PMI_RANK";
const char* const size_variable = "PMI_SIZE";
const Handle world = 0x44000000, byte = 0x4c00010d, no_info = 0x1c000000, duplicate = -0x7bffffff, host = -0x7bfffffe;
const int shared_memory = 1;
#endif

constexpr int failure = 5;
bool is_initialized = false, is_finalized = false;
int operations = 0;

int variable(const char* name, int missing) {
    const char* const text = std::getenv(name);
    return text == nullptr ? missing : std::atoi(text);
}
int own_rank() {
    return variable(rank_variable, 0);
}
int own_size() {
    return variable(size_variable, 1);
}

std::string file(const std::string& name) {
    return std::string(std::getenv("CUBIND_TEST_MPI_FOLDER")) + "/" + name;
}
void write(const std::string& name, const void* data, int size) {
    const std::string draft = file(name) + ".draft" + std::to_string(own_rank());
    std::ofstream(draft, std::ios::binary).write(static_cast<const char*>(data), size);
    std::filesystem::rename(draft, file(name));
}
void read(const std::string& name, void* data, int size) {
    while (!std::filesystem::exists(file(name))) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::ifstream(file(name), std::ios::binary).read(static_cast<char*>(data), size);
}

}  // namespace

extern "C" {

int MPI_Initialized(int* answer) {
    *answer = is_initialized;
    return 0;
}
int MPI_Finalized(int* answer) {
    *answer = is_finalized;
    return 0;
}
int MPI_Init(int*, char***) {
    if (is_initialized) return failure;
    is_initialized = true;
    return 0;
}
int MPI_Finalize() {
    if (!is_initialized || is_finalized) return failure;
    is_finalized = true;
    write("finalized" + std::to_string(own_rank()), "", 0);
    return 0;
}
int MPI_Comm_dup(Handle communicator, Handle* made) {
    *made = duplicate;
    return communicator == world && is_initialized ? 0 : failure;
}
int MPI_Comm_free(Handle* communicator) {
    return *communicator == host ? 0 : failure;
}
int MPI_Comm_rank(Handle communicator, int* rank) {
    *rank = communicator == host ? own_rank() % 2 : own_rank();  // two processes for each host
    return communicator == host || communicator == duplicate ? 0 : failure;
}
int MPI_Comm_size(Handle communicator, int* size) {
    *size = own_size();
    return communicator == duplicate ? 0 : failure;
}
int MPI_Comm_split_type(Handle communicator, int type, int key, Handle info, Handle* made) {
    *made = host;
    return communicator == duplicate && type == shared_memory && key == own_rank() && info == no_info ? 0 : failure;
}
int MPI_Gather(const void* own, int count, Handle type, void* all, int all_count, Handle all_type, int root,
               Handle communicator) {
    if (communicator != duplicate || type != byte || all_type != byte || count != all_count) return failure;
    const std::string name = "gather" + std::to_string(operations++) + "-";
    write(name + std::to_string(own_rank()), own, count);
    for (int i = 0; own_rank() == root && i < own_size(); ++i)
        read(name + std::to_string(i), static_cast<char*>(all) + i * count, count);
    return 0;
}
int MPI_Bcast(void* data, int count, Handle type, int root, Handle communicator) {
    if (communicator != duplicate || type != byte) return failure;
    const std::string name = "broadcast" + std::to_string(operations++);
    if (own_rank() == root) {
        write(name, data, count);
    } else {
        read(name, data, count);
    }
    return 0;
}

}  // extern "C"
