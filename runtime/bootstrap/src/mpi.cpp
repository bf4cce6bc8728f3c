// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "mpi.hpp"

#include <cubind/detail/library_function.hpp>
#include <cubind/failure.hpp>
#include <cubind/library.hpp>

#include <stdexcept>
#include <string>
#include <string_view>

#include "at_exit.hpp"
#include "errors/misuse.hpp"
#include "platform/environment.hpp"
#include "platform/process.hpp"

// Two binary interfaces exist. Handles of Open MPI are pointers to objects that the library exports; those of MPICH, Intel MPI
// and their relatives are numbers.

namespace CUBIND_NAMESPACE::detail::meeting {
namespace {

constexpr const char* open_mpi_first[] = {"libmpi.so.40", "libmpi.so.12", "libmpich.so.12", nullptr};
constexpr const char* mpich_first[] = {"libmpi.so.12", "libmpich.so.12", "libmpi.so.40", nullptr};

// The search of the loader, with its rules about trust. It prefers a library that the process has loaded.
Library& library() {
    static Library row = [] {
        Library made;
        made.name = "MPI";
        made.environment_variable = "CUBIND_MPI_LIBRARY";
        made.file_names = environment_variable("PMI_RANK") != nullptr ? mpich_first : open_mpi_first;
        return made;
    }();
    return row;
}

void* symbol(const char* name) {
    void* const found = find_library_function(library(), name);
    if (found == nullptr) throw_misuse("Bootstrap: the MPI library ", library_path(library()), " has no ", name);
    return found;
}

// A library of another MPI than the launcher believes that its process is alone.
void check_launcher(int size) {
    for (const char* const variable : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
        const char* const started = environment_variable(variable);
        if (started == nullptr) continue;
        if (started != std::to_string(size)) {
            throw_misuse(
                "Bootstrap: the MPI library ", library_path(library()), " knows ", size, size == 1 ? " process" : " processes",
                ", but the launcher has set ", variable, "=", started,
                ": the library is of another MPI than the launcher, so set CUBIND_MPI_LIBRARY to the path of the right one");
        }
        return;
    }
}

// The values of mpi.h.
template <class Handle>
struct Constants;
template <>
struct Constants<void*> {  // Open MPI
    void* world = symbol("ompi_mpi_comm_world");
    void* byte = symbol("ompi_mpi_byte");
    void* no_info = symbol("ompi_mpi_info_null");
    int shared_memory = 0;
};
template <>
struct Constants<int> {  // MPICH
    int world = 0x44000000;
    int byte = 0x4c00010d;
    int no_info = 0x1c000000;
    int shared_memory = 1;
};

template <class... Parameters>
struct Function {
    explicit Function(const char* its_name) : name(its_name), pointer(reinterpret_cast<int (*)(Parameters...)>(symbol(name))) {}
    void operator()(Parameters... arguments) const {
        if (const int error = pointer(arguments...); error != 0)
            throw std::runtime_error(concat("Bootstrap: ", name, " failed with the error ", error, " of MPI"));
    }
    const char* name;
    int (*pointer)(Parameters...);
};

template <class Handle>
class MpiWith final : public Mpi {
public:
    MpiWith() {
        check_not_finalized();
        int is_initialized = 0;
        Function<int*>("MPI_Initialized")(&is_initialized);
        if (is_initialized == 0) {
            Function<int*, char***>("MPI_Init")(nullptr, nullptr);
            initializer_ = process_id();
        }
        // Its messages do not meet those of the program.
        Function<Handle, Handle*>("MPI_Comm_dup")(constants_.world, &world_);
        const Function<Handle, int*> rank("MPI_Comm_rank");
        rank(world_, &rank_);
        Function<Handle, int*>("MPI_Comm_size")(world_, &size_);
        check_launcher(size_);
        Handle host{};
        Function<Handle, int, int, Handle, Handle*>("MPI_Comm_split_type")(world_, constants_.shared_memory, rank_,
                                                                           constants_.no_info, &host);
        rank(host, &local_rank_);
        Function<Handle*>("MPI_Comm_free")(&host);
    }

    void gather(const void* own, std::size_t size, void* all) override {
        check_not_finalized();
        const int count = static_cast<int>(size);
        gather_(own, count, constants_.byte, all, count, constants_.byte, 0, world_);
    }
    void broadcast(void* data, std::size_t size) override {
        check_not_finalized();
        broadcast_(data, static_cast<int>(size), constants_.byte, 0, world_);
    }

    void end() noexcept override {
        int is_finalized = 0;
        if (initializer_ == process_id() && finalized_.pointer(&is_finalized) == 0 && is_finalized == 0) finalize_.pointer();
    }

private:
    void check_not_finalized() const {
        int is_finalized = 0;
        finalized_(&is_finalized);
        if (is_finalized != 0) throw_misuse("Bootstrap: the program has finalized MPI, which cannot be used again");
    }

    Constants<Handle> constants_;
    Function<int*> finalized_{"MPI_Finalized"};
    Function<> finalize_{"MPI_Finalize"};
    Function<const void*, int, Handle, void*, int, Handle, int, Handle> gather_{"MPI_Gather"};
    Function<void*, int, Handle, int, Handle> broadcast_{"MPI_Bcast"};
    Handle world_{};
    int initializer_ = 0;  // the process that has initialized MPI
};

// Returns the places that were searched.
std::string searched() {
    const std::string_view detail = last_failure().detail;
    const std::size_t line = detail.find('\n');
    return line == detail.npos ? std::string() : std::string(detail.substr(line));
}

}  // namespace

bool Mpi::is_found() noexcept {
    return load(library());
}

Mpi& Mpi::get() {
    static Mpi* const only = []() -> Mpi* {
        if (!load(library())) {
            throw_misuse(
                "Bootstrap: no library of MPI was found, such as libmpi.so.40 of Open MPI or libmpi.so.12 of MPICH: install "
                "that of the launcher, set CUBIND_MPI_LIBRARY to its absolute path, or name another meeting point",
                searched());
        }
        Mpi* made = nullptr;
        if (find_library_function(library(), "ompi_mpi_comm_world") != nullptr) {
            made = new MpiWith<void*>();
        } else {
            made = new MpiWith<int>();
        }
        // A process that fails does not wait for the others, which may wait for it: mpirun then ends them.
        call_at_exit([](int status) {
            if (status == 0) get().end();
        });
        return made;
    }();
    return *only;  // never destroyed
}

}  // namespace CUBIND_NAMESPACE::detail::meeting
