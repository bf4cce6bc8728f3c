// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core.hpp>
#include <cubind/nvshmem_core.hpp>

#include <cstddef>
#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace cubind::testing {

/// What two processes do together. `run` throws if something is wrong.
struct NvshmemCheck {
    const char* name;
    void (*run)();
    std::vector<const char*> variables = {};  ///< of the environment, as NAME=VALUE
};

/// The name of the check in GoogleTest's list.
inline void PrintTo(const NvshmemCheck& check, std::ostream* out) {
    *out << check.name;
}

/// Returns all checks.
std::vector<NvshmemCheck> nvshmem_checks();

/// Throws an exception with this text unless the condition holds.
inline void require(bool condition, const std::string& what) {
    if (!condition) throw std::runtime_error("wrong: " + what);
}

/// What each check needs. The members are destroyed in reverse order, before the session.
struct Pe {
    template <class Element>
    TypedBuffer<Element> allocate(std::size_t count, Element value) const {
        auto made = memory.allocate<Element>(stream, count);
        if constexpr (sizeof(Element) == 1 || sizeof(Element) == 2 || sizeof(Element) == 4) {
            made.fill(stream, value);
        } else {
            const std::vector<Element> all(count, value);
            copy(stream, made, all);
        }
        stream.synchronize();
        session.world().barrier();  // nobody writes before all are filled
        return made;
    }
    template <class Element>
    std::vector<Element> values(const TypedBuffer<Element>& buffer) const {
        std::vector<Element> all(buffer.count());
        copy(stream, all, buffer);
        stream.synchronize();
        return all;
    }

    nvshmem::Session session = nvshmem::Session::from_environment();
    int me = session.my_pe();
    int other = 1 - me;
    Device device = session.device();
    Stream stream{device};
    nvshmem::SymmetricMemoryResource memory{session};
};

void check_transfers();
void check_many_elements();
void check_signals();
void check_atomics();
void check_graphs();
void check_collectives();
void check_teams();
void check_memory_of_peers();
void check_registrations();
void check_small_heap();
void check_mistakes();
void check_kernels();
void check_shared_device();

}  // namespace cubind::testing
