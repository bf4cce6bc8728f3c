// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/nvtx/nvtx_payload.hpp>

#include <vector>

#include "errors/misuse.hpp"
#include "platform/nvtx_tool.hpp"

namespace CUBIND_NAMESPACE::detail {

std::uint64_t register_nvtx_schema(NvtxDomainRef domain, const char* name, const NvtxMember* members, std::size_t count,
                                   std::size_t record_size) {
    constexpr std::uint64_t is_array = 16;
    if (name == nullptr) throw_misuse("the name of an NvtxPayloadSchema is null");
    if (count == 0) throw_misuse("the NvtxPayloadSchema \"", name, "\" has no field");
    std::vector<NvtxPayloadEntry> entries;
    for (const NvtxMember* member = members; member != members + count; ++member) {
        if (member->name == nullptr) throw_misuse("a field of the NvtxPayloadSchema \"", name, "\" has no name");
        entries.push_back({.flags = member->array_size > 0 ? is_array : 0,
                           .type = member->type,
                           .name = member->name,
                           .array_size = member->array_size,
                           .offset = member->offset});
    }
    const auto register_schema = nvtx_payload_tool().register_schema;
    if (register_schema == nullptr) return 0;
    const NvtxSchemaAttributes attributes{
        .name = name, .entries = entries.data(), .entry_count = entries.size(), .record_size = record_size};
    return register_schema(domain.native_handle(), &attributes);
}

}  // namespace CUBIND_NAMESPACE::detail
