// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core.hpp>
#include <cubind/nvshmem_core.hpp>

#include <cstdint>

#include "nvshmem_stand_in.hpp"
#include "use.hpp"

namespace cubind::testing {

void use_nvshmem(const std::string&) {
    const ScopedNvshmemStandIn stand_in;
    {
        const Device device;
        const nvshmem::Session session = nvshmem::Session::init(device, 1, 0, nvshmem::Session::create_id());
        const Stream stream(device);
        const nvshmem::SymmetricMemoryResource memory(session);
        auto data = memory.allocate<float>(stream, 8);
        auto signal = memory.allocate<std::uint64_t>(stream, 1);
        session.put_signal(stream, data, data, signal, 1, nvshmem::SignalOperation::set, 0);
        session.wait_signal(stream, signal, nvshmem::Comparison::equal, 1);
        session.world().all_reduce(stream, data);
        const nvshmem::Team team = session.world().split_strided(0, 1, 1);
        team.barrier(stream);
        stream.synchronize();
    }
    require(nvshmem_stand_in().size == 0 && nvshmem_stand_in().allocated == 0, "the session has ended");
}

}  // namespace cubind::testing
