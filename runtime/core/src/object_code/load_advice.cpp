// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "object_code/load_advice.hpp"

#include <cubind/driver/types.hpp>
#include <cubind/driver/version.hpp>

#include <cstdio>
#include <string_view>

#include "object_code/object_code_state.hpp"
#include <cubind/detail/ptx_isa.hpp>

namespace cubind::detail {
namespace {

/// The version that PTX says it is of, 9040 for 9.4; 0 where it says none.
int ptx_version(const ObjectCodeState& code) {
    const auto bytes = code.bytes().span();
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    constexpr std::string_view directive = ".version";
    const std::size_t at = text.find(directive);
    if (at == std::string_view::npos) return 0;
    int major = 0;
    int minor = 0;
    const std::string number(text.substr(at + directive.size(), 16));
    return std::sscanf(number.c_str(), "%d.%d", &major, &minor) == 2 ? 1000 * major + 10 * minor : 0;
}

// PTX can only be translated by a driver that is as new as its compiler.
std::string too_new(const ObjectCodeState& code) {
    const int version = ptx_version(code);
    const int driver = driver::cuDriverGetVersion().value;
    const int needed = first_release_with(version);
    std::string text = ": it is PTX ";
    text.append(version != 0 ? release_text(version) : "of a version that it does not say").append(", and this driver, of CUDA ");
    text.append(release_text(driver));
    if (const int newest = ptx_limit(driver).ptx_isa; newest != 0) text.append(", takes PTX up to ").append(release_text(newest));
    text.append(needed != 0 ? ". It needs a driver of CUDA " : ". It needs a driver that is newer than CUDA ");
    text.append(needed != 0 ? release_text(needed).append(" or newer") : release_text(std::end(ptx_isa_of_releases)[-1].release));
    return text.append("; or compile to CodeType::cubin, which any driver of the same major release takes");
}

std::string reason(const Error& failure, const ObjectCodeState& code) {
    if (failure.library() != "driver") return {};
    switch (failure.code().value()) {
        case driver::CUDA_ERROR_UNSUPPORTED_PTX_VERSION: return too_new(code);
        case driver::CUDA_ERROR_NO_BINARY_FOR_GPU:
            return ": it holds nothing for this device; compile for the device's architecture, which is what an empty arch means";
        case driver::CUDA_ERROR_INVALID_IMAGE: return ": the bytes are damaged, or of another kind";
        default: return {};
    }
}

}  // namespace

std::string load_advice(const Error& failure, const ObjectCodeState& code, const std::string& log) {
    std::string text = "The driver does not load the ";
    text.append(code.title()).append(reason(failure, code));
    if (!log.empty()) text.append("\n").append(log);
    return text;
}

std::string unknown_kernel_advice(const std::string& name, const ObjectCodeState& code, const std::vector<std::string>& kernels) {
    constexpr std::size_t most = 30;
    std::string text = "There is no kernel \"";
    text.append(name).append("\" in the ").append(code.title());
    std::size_t listed = 0;
    const auto list = [&](const std::string& one) {
        if (listed++ < most) text.append(listed == 1 ? "; it has " : ", ").append(one);
    };
    for (const auto& mapped : code.symbol_mapping()) list(mapped.first);
    for (const std::string& kernel : kernels) {
        bool is_mapped = false;
        for (const auto& mapped : code.symbol_mapping()) is_mapped = is_mapped || mapped.second == kernel;
        if (!is_mapped) list(kernel);
    }
    if (listed > most) text.append(" and ").append(std::to_string(listed - most)).append(" more");
    if (kernels.empty()) text.append(listed == 0 ? "; drivers before CUDA 12.4 cannot list what it has, or it has none" : "");
    return text.append(". A kernel is found by its symbol, which for C++ is mangled unless it is extern \"C\", or by a name expression that "
                       "it was compiled with");
}

}  // namespace cubind::detail
