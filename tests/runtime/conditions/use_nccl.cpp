// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core.hpp>
#include <cubind/nccl_core.hpp>

#include <chrono>

#include "nccl_stand_in.hpp"
#include "use.hpp"

namespace cubind::testing {

void use_nccl(const std::string&) {
    const ScopedNcclStandIn stand_in;
    {
        const Device device;
        nccl::Communicator all = nccl::Communicator::init(device, 4, 2, nccl::UniqueId::create());
        const Stream stream(device);
        const nccl::NcclMemoryResource memory(device);
        auto data = memory.allocate<float>(stream, 8);
        const nccl::Window window(all, data);
        const auto scaled = nccl::ReductionOperator::premultiplied_sum(all, 2.0f);
        all.all_reduce(stream, data, scaled);
        {
            nccl::Group group;
            all.send(stream, data, 0);
            all.receive(stream, data, 0);
            group.end();
        }
        nccl::Communicator part = all.split(0);
        part.broadcast(stream, data, 0);
        part.wait(stream, std::chrono::seconds(60));
    }
    require(nccl_stand_in().living == 0 && nccl_stand_in().registered == 0 && nccl_stand_in().operators == 0, "all is released");
}

}  // namespace cubind::testing
