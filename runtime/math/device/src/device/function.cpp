// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/program/linker.hpp>
#include <cubind/math_device/function.hpp>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "device/function_state.hpp"
#include "errors/misuse.hpp"

namespace CUBIND_NAMESPACE::math::device {

using cubind::detail::throw_misuse;

Function::Function(std::shared_ptr<detail::FunctionState> state) noexcept : state_(std::move(state)) {}

detail::FunctionState& Function::state() const {
    if (state_ == nullptr) throw_misuse("a function of libmathdx was used after it was moved from");
    return *state_;
}

const std::string& Function::symbol() const {
    return state().request().symbol;
}

const std::string& Function::arch() const {
    return state().request().arch;
}

const std::string& Function::description() const {
    return state().request().description;
}

const std::string& Function::declaration() const {
    return state().declaration;
}

Dim3 Function::block() const {
    return state().block;
}

std::size_t Function::shared_memory_size() const {
    return state().shared_memory_size;
}

std::vector<ObjectCode> Function::code() const {
    return state().code();
}

ObjectCode Function::link(const ObjectCode& caller, LinkerOptions options, CodeType target) const {
    return device::link({caller}, {*this}, std::move(options), target);
}

ObjectCode link(std::vector<ObjectCode> callers, const std::vector<Function>& functions, LinkerOptions options, CodeType target) {
    std::set<std::string> symbols;
    for (const Function& function : functions) {
        const Function& first = functions.front();
        if (function.arch() != first.arch()) {
            throw_misuse("the functions have different architectures, but are linked to one code: ", first.symbol(), " ",
                         first.arch(), ", ", function.symbol(), " ", function.arch(),
                         ": set the same arch in their descriptions");
        }
        if (!symbols.insert(function.symbol()).second) {
            throw_misuse("two functions have the symbol ", function.symbol(), ": set another symbol in one of the descriptions");
        }
    }
    for (const Function& function : functions) {
        for (const ObjectCode& code : function.code()) {
            // Functions of one family have equal fat binaries.
            const auto is_equal = [&](const ObjectCode& other) { return other.shared_bytes() == code.shared_bytes(); };
            if (std::none_of(callers.begin(), callers.end(), is_equal)) callers.push_back(code);
        }
    }
    options.link_time_optimization = true;
    options.ptx |= target == CodeType::ptx;
    if (options.arch.empty() && !functions.empty()) {
        options.arch = functions.front().arch();
        if (target == CodeType::ptx) options.arch.replace(0, std::string_view("sm_").size(), "compute_");
    }
    return Linker(std::move(callers), std::move(options)).link(target);
}

}  // namespace CUBIND_NAMESPACE::math::device
