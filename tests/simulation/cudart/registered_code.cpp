// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "registered_code.hpp"

#include "fat_binary.hpp"

namespace cubind::testing {

RegisteredCode::RegisteredCode(int capability)
    : binary_(FatBinaryWriter().add(FatBinaryWriter::ptx, capability, ptx()).finish()),
      structure_{0x466243b1, 1, binary_.data(), nullptr} {
    handle_ = runtime_symbol<void**(void*)>("__cudaRegisterFatBinary")(&structure_);
    const auto add_function =
        runtime_symbol<void(void**, const char*, char*, const char*, int, void*, void*, void*, void*, int*)>(
            "__cudaRegisterFunction");
    char scale_name[] = "scale";
    char missing_name[] = "missing";
    add_function(handle_, &scale_, scale_name, scale_name, -1, nullptr, nullptr, nullptr, nullptr, nullptr);
    add_function(handle_, &missing_, missing_name, missing_name, -1, nullptr, nullptr, nullptr, nullptr, nullptr);
    const auto add_variable =
        runtime_symbol<void(void**, char*, char*, const char*, int, std::size_t, int, int)>("__cudaRegisterVar");
    char factor_name[] = "factor";
    char launches_name[] = "launches";
    add_variable(handle_, &factor_, factor_name, factor_name, 0, sizeof(float), 1, 0);
    add_variable(handle_, &launches_, launches_name, launches_name, 0, sizeof(int), 0, 0);
    const auto add_managed =
        runtime_symbol<void(void**, void**, char*, const char*, int, std::size_t, int, int)>("__cudaRegisterManagedVar");
    char shared_name[] = "shared_launches";
    add_managed(handle_, reinterpret_cast<void**>(&shared_launches_), shared_name, shared_name, 0, sizeof(int), 0, 0);
    runtime_symbol<void(void**)>("__cudaRegisterFatBinaryEnd")(handle_);
}

RegisteredCode::~RegisteredCode() {
    runtime_symbol<void(void**)>("__cudaUnregisterFatBinary")(handle_);
}

bool RegisteredCode::initialize() const {
    return runtime_symbol<char(void**)>("__cudaInitModule")(handle_) != 0;
}

std::string RegisteredCode::ptx() {
    return R"(
.version 8.0
.target sm_75
.address_size 64
.visible .const .align 4 .f32 factor;
.visible .global .align 4 .u32 launches = 3;
.visible .global .attribute(.managed) .align 4 .u32 shared_launches = 5;
.visible .entry scale(.param .u64 values, .param .u32 count) {
    .reg .pred %is_outside, %is_first;
    .reg .u32 %block, %size, %thread, %index, %count, %old;
    .reg .u64 %address, %offset;
    .reg .f32 %value, %factor;
    ld.param.u64 %address, [values];
    ld.param.u32 %count, [count];
    mov.u32 %block, %ctaid.x;
    mov.u32 %size, %ntid.x;
    mov.u32 %thread, %tid.x;
    mad.lo.u32 %index, %block, %size, %thread;
    setp.ge.u32 %is_outside, %index, %count;
    @%is_outside bra END;
    cvta.to.global.u64 %address, %address;
    mul.wide.u32 %offset, %index, 4;
    add.u64 %address, %address, %offset;
    ld.global.f32 %value, [%address];
    ld.const.f32 %factor, [factor];
    mul.f32 %value, %value, %factor;
    st.global.f32 [%address], %value;
    setp.eq.u32 %is_first, %index, 0;
    @!%is_first bra END;
    atom.global.add.u32 %old, [launches], 1;
    atom.global.add.u32 %old, [shared_launches], 1;
END:
    ret;
}
)";
}

}  // namespace cubind::testing
