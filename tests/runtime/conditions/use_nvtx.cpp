// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core.hpp>
#include <cubind/nvtx.hpp>

#include <cstdint>

#include "use.hpp"

namespace cubind::testing {

namespace {

struct Step {
    int layer;
    double loss;
};

}  // namespace

void use_nvtx(const std::string&) {
    const Device device;
    const ProfilerRange recorded(device.context());
    const NvtxDomain domain("domain");
    const NvtxCategory category = domain.category("category");
    const NvtxString text = domain.register_string("text");
    const NvtxPayloadSchema<Step> schema(domain, "step", {{"layer", &Step::layer}, {"loss", &Step::loss}});
    const Step step{3, 0.25};
    const NvtxRange range(domain, text, {.category = category, .payload = schema(step)});
    const NvtxProcessRange request(domain, "request");
    domain.counter("queued", {.unit = "requests"}).sample(12);
    domain.mark("mark");
}

}  // namespace cubind::testing
