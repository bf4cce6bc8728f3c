// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "device/function_state.hpp"

#include <cubind/core/program/program_cache_key.hpp>
#include <cubind/library.hpp>
#include <cubind/mathdx/loading.hpp>
#include <cubind/nvrtc/loading.hpp>

#include <algorithm>
#include <string_view>
#include <utility>

#include "program/library_build.hpp"

namespace CUBIND_NAMESPACE::math::device::detail {
namespace {

Bytes bytes_of(const std::string& text) {
    return Bytes::copy_of(text.data(), text.size());
}

std::string text_of(const Bytes& bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// A text that identifies the build of libmathdx and of NVRTC, which it compiles with. Empty if a library cannot be read.
std::string compilers() {
    const char* const own = library_path(mathdx::library());
    const char* const nvrtc = library_path(nvrtc::library());
    if (own == nullptr || nvrtc == nullptr) return {};
    const std::string build = cubind::detail::library_build(own);
    const std::string nvrtc_build = cubind::detail::nvrtc_build(nvrtc, version(nvrtc::library()));
    if (build.empty() || nvrtc_build.empty()) return {};
    return "libmathdx " + std::to_string(version(mathdx::library())) + " " + build + ", NVRTC " + nvrtc_build;
}

}  // namespace

Answers::Answers(const std::string& text) {
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        lines_.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
}

unsigned int Answers::number(std::size_t index) const {
    return static_cast<unsigned int>(std::stoul(lines_.at(index)));
}

std::string Answers::text() const {
    std::string text;
    for (const std::string& line : lines_) text += line + "\n";
    return text;
}

FunctionState::FunctionState(const Family& family, Request request, ProgramCache* cache,
                             const std::function<Answers(const Descriptor&)>& query)
    : family_(family), request_(std::move(request)), cache_(cache) {
    answers_ = Answers(text_of(from_cache("traits", [&] { return bytes_of(query(Descriptor(family_, request_)).text()); })));
}

Bytes FunctionState::from_cache(const char* part, const std::function<Bytes()>& make) const {
    const std::string builds = cache_ == nullptr ? std::string() : compilers();
    if (builds.empty()) return make();
    constexpr const char* format = "cubind::math::device 1";  // another number if the answers have another order
    CacheKeyBuilder key;
    key.add(format, part).add("compilers", builds).add("family", family_.name);
    key.add("symbol", request_.symbol).add("architecture", request_.arch);
    for (const Setting& setting : request_.settings) {
        key.add("operator", std::to_string(setting.number));
        for (const long long value : setting.values) key.add("value", std::to_string(value));
    }
    return cache_->get_or_compile(key.key(), make);
}

std::vector<ObjectCode> FunctionState::code() {
    const std::lock_guard lock(mutex_);
    if (!code_.empty()) return code_;
    const std::string name = request_.symbol + " of libmathdx";
    std::vector<ObjectCode> found;
    found.push_back(ObjectCode::from_bytes(
        CodeType::lto_ir, from_cache("code", [&] { return bytes_of(Descriptor(family_, request_).code()); }), {.name = name}));
    if (family_.fat_binary != nullptr) {
        const std::string fat_binary = Descriptor(family_, request_).fat_binary();
        found.push_back(ObjectCode::from_bytes(CodeType::fatbin, std::string_view(fat_binary),
                                               {.name = std::string(family_.name) + " functions of libmathdx"}));
    }
    code_ = std::move(found);
    return code_;
}

}  // namespace CUBIND_NAMESPACE::math::device::detail
