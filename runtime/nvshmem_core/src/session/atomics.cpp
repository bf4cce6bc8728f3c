// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/launch/launch.hpp>
#include <cubind/core/program/object_code.hpp>
#include <cubind/nvshmem_core/atomics.hpp>

#include <memory>
#include <string>
#include <string_view>

#include "errors/misuse.hpp"
#include "lifetime/once_per_driver.hpp"
#include "support/session_state.hpp"

namespace CUBIND_NAMESPACE::nvshmem::detail {

using cubind::detail::throw_misuse;

namespace {

// PTX, because the operations must not need a compiler. Each `$name` is replaced. Operands of 4 bytes are the low halves.
constexpr std::string_view kernel_text = R"(.version 7.0
.target sm_60
.address_size 64
.visible .entry atomic(.param .u64 result, .param .u64 target, .param .u64 value, .param .u64 expected)
{
    .reg .pred %has_result;
    .reg .u64 %result, %target;
    .reg .$type %old, %value, %expected;
    ld.param.u64 %result, [result];
    ld.param.u64 %target, [target];
    ld.param.$type %value, [value];
    ld.param.$type %expected, [expected];
    atom.sys.global.$operation.$type %old, [%target], $operands;
    setp.ne.u64 %has_result, %result, 0;
    @%has_result st.global.$type [%result], %old;
    ret;
}
)";

struct Form {
    const char* operation;
    const char* kind;  ///< letter of the type; that of addition depends on the element
    const char* operands;
};

// In the order of AtomicKind. PTX has no atomic read: adding no bits reads.
constexpr Form forms[] = {{"or", "b", "%value"},  {"exch", "b", "%value"}, {"cas", "b", "%expected, %value"},
                          {"add", "u", "%value"}, {"and", "b", "%value"},  {"or", "b", "%value"},
                          {"xor", "b", "%value"}};

std::string text_of(AtomicKind kind, bool is_float, std::size_t element_size) {
    const Form& form = forms[static_cast<std::size_t>(kind)];
    const std::string letter = kind == AtomicKind::add && is_float ? "f" : form.kind;
    std::string text(kernel_text);
    const auto replace = [&](std::string_view name, const std::string& by) {
        for (std::size_t at; (at = text.find(name)) != text.npos;) text.replace(at, name.size(), by);
    };
    replace("$type", letter + (element_size == 4 ? "32" : "64"));
    replace("$operation", form.operation);
    replace("$operands", form.operands);
    return text;
}

constinit cubind::detail::OncePerDriver<Kernel> kernels[std::size(forms)][2][2];

const Kernel& kernel_for(AtomicKind kind, ElementType type) {
    const bool is_float = kind == AtomicKind::add && !is_integer(type);
    const std::size_t size = size_of(type);
    return kernels[static_cast<std::size_t>(kind)][is_float ? 1 : 0][size == 8 ? 1 : 0].get([&] {
        const auto code =
            ObjectCode::from_bytes(CodeType::ptx, text_of(kind, is_float, size), {.name = "atomic operations of NVSHMEM's heap"});
        return std::make_unique<Kernel>(code.kernel("atomic"));
    });
}

void check_element(const char* name, const char* what, const Operand& memory) {
    if (memory.count != 1)
        throw_misuse(name, ": the ", what, " has ", memory.count, " elements, but must be one: pass a part of the view");
    if (memory.address % memory.element_size != 0)
        throw_misuse(name, ": the address of the ", what, ", ", memory.address, ", is no multiple of ", memory.element_size);
}

}  // namespace

void AtomicCall::submit(const char* name, const Session& session, StreamRef stream, const Operand* result, const Operand& target,
                        int pe) const {
    check_element(name, "target", target);
    if (result != nullptr) check_element(name, "result", *result);
    const void* const address = session.peer_address(name, target, pe);
    if (address == nullptr) {
        throw_misuse(name, ": the device cannot access the memory of PE ", pe,
                     ", and NVSHMEM has atomic operations over a network in kernels only: call them there");
    }
    if (result != nullptr) retain(session.state(), stream, {result});
    const std::uint64_t result_address = result == nullptr ? 0 : result->address;
    launch(stream, {.grid = 1, .block = 1}, kernel_for(kind, type), result_address, reinterpret_cast<std::uint64_t>(address),
           value, expected);
}

}  // namespace CUBIND_NAMESPACE::nvshmem::detail
