// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "device/descriptor.hpp"

#include <cubind/mathdx/code.hpp>

#include "device/architecture.hpp"
#include "device/checked.hpp"
#include "errors/misuse.hpp"

namespace CUBIND_NAMESPACE::math::device::detail {
namespace {

using cubind::detail::concat;
using namespace mathdx;

// Owns a code handle.
class Code {
public:
    explicit Code(const Request& request) : request_(request), handle_(checked(commondxCreateCode(), request.description)) {}
    Code(const Code&) = delete;
    Code& operator=(const Code&) = delete;
    ~Code() { report(commondxDestroyCode(handle_), "destroy code of libmathdx"); }

    commondxCode handle() const noexcept { return handle_; }

    void set_architecture() const {
        const auto set = commondxSetCodeOptionInt64(handle_, COMMONDX_OPTION_TARGET_SM, number_of(request_.arch));
        checked(set, concat(request_.description, " for ", request_.arch));
    }
    std::string bytes() const {
        std::string bytes(checked(commondxGetCodeLTOIRSize(handle_), request_.description), '\0');
        checked(commondxGetCodeLTOIR(handle_, bytes.size(), bytes.data()), request_.description);
        return bytes;
    }

private:
    const Request& request_;
    commondxCode handle_;
};

}  // namespace

Descriptor::Descriptor(const Family& family, const Request& request)
    : family_(family), request_(request), handle_(checked(family.create(), request.description)) {
    try {
        if (family.name_symbol != nullptr) {
            checked(family.name_symbol(handle_, COMMONDX_OPTION_SYMBOL_NAME, request.symbol.c_str()),
                    concat(request.description, " with the symbol \"", request.symbol, "\""));
        }
        for (const Setting& setting : request.settings) apply(setting);
    } catch (...) {
        report(family.destroy(handle_), "destroy a descriptor of libmathdx");
        throw;
    }
}

Descriptor::~Descriptor() {
    report(family_.destroy(handle_), "destroy a descriptor of libmathdx");
}

void Descriptor::apply(const Setting& setting) const {
    const auto& [number, values, is_array] = setting;
    const auto result = is_array ? family_.set_array(handle_, number, values.size(), values.data())
                                 : family_.set(handle_, number, values.front());
    if (result.ok()) return;
    std::string list;
    for (const long long value : values) list += (list.empty() ? "" : ", ") + std::to_string(value);
    throw_failed_call(result.status, concat(request_.description, ", with ", family_.operator_name(number), " = ", list));
}

long long Descriptor::trait_of(int number) const {
    return checked(family_.trait(handle_, number), request_.description);
}

std::vector<long long> Descriptor::traits_of(int number) const {
    std::vector<long long> values(3);
    checked(family_.traits(handle_, number, values.size(), values.data()), request_.description);
    return values;
}

std::string Descriptor::code() const {
    const Code code(request_);
    code.set_architecture();
    checked(family_.finalize(code.handle(), handle_), request_.description);
    return code.bytes();
}

std::string Descriptor::fat_binary() const {
    if (family_.fat_binary == nullptr) return {};
    std::string bytes(checked(family_.fat_binary_size(handle_), request_.description), '\0');
    checked(family_.fat_binary(handle_, bytes.size(), bytes.data()), request_.description);
    return bytes;
}

}  // namespace CUBIND_NAMESPACE::math::device::detail
