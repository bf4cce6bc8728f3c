// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/layers/layer.hpp>
#include <cubind/layers/nvtx.hpp>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "platform/nvtx_tool.hpp"
#include "support/libraries.hpp"
#include "support/write.hpp"

namespace CUBIND_NAMESPACE::layers::nvtx {

namespace {

using detail::NvtxEvent;
using detail::NvtxTool;

constexpr std::int32_t plain_text = 1;
constexpr std::int32_t registered_text = 3;
constexpr std::int32_t signed_number = 2;

// Has no lock, so that nothing must be done for fork(). Threads that make the first call at the same time may register a text
// twice, which the tool permits.
class Nvtx final : public Layer {
public:
    Nvtx() {
        for (auto library = libraries(); *library != nullptr; ++library) texts_.emplace_back((*library)->functions.size());
    }

    void handle(const Call& call, const Next& next) noexcept override {
        const NvtxTool& tool = detail::nvtx_tool();
        if (tool.push_range == nullptr || tool.pop_range == nullptr) {
            report_missing_tool();
            return next(call);
        }
        void* const domain = domain_of(tool);
        const NvtxEvent event = event_of(call, tool, domain);
        (void)tool.push_range(domain, &event);
        next(call);
        (void)tool.pop_range(domain);
        if (call.failed()) mark_status(call, tool, domain);
    }

private:
    void* domain_of(const NvtxTool& tool) noexcept {
        if (void* const domain = domain_.load(std::memory_order_acquire); domain != nullptr) return domain;
        if (tool.create_domain == nullptr) return nullptr;
        void* const created = tool.create_domain("cubind");
        void* expected = nullptr;
        if (!domain_.compare_exchange_strong(expected, created, std::memory_order_acq_rel)) {
            if (tool.destroy_domain != nullptr) tool.destroy_domain(created);
            return expected;
        }
        if (tool.name_category == nullptr) return created;
        for (auto library = libraries(); *library != nullptr; ++library) {
            tool.name_category(created, category_of(**library), (*library)->name);
        }
        return created;
    }

    static std::uint32_t category_of(const reflection::LibraryDescription& library) noexcept {
        return static_cast<std::uint32_t>(number_of(library)) + 1;  // 0 is none
    }

    NvtxEvent event_of(const Call& call, const NvtxTool& tool, void* domain) noexcept {
        NvtxEvent event;
        event.category = category_of(call.library);
        event.message_kind = plain_text;
        event.message = call.function.symbol;
        if (tool.register_string == nullptr) return event;
        std::atomic<const void*>& text = texts_[number_of(call.library)][number_of(call.library, call.function)];
        const void* handle = text.load(std::memory_order_acquire);
        if (handle == nullptr) {
            handle = tool.register_string(domain, call.function.symbol);
            text.store(handle, std::memory_order_release);
        }
        if (handle != nullptr) {
            event.message_kind = registered_text;
            event.message = handle;
        }
        return event;
    }

    // Statuses such as CUDA_ERROR_NOT_READY are no mistakes, so the mark only says what was returned.
    static void mark_status(const Call& call, const NvtxTool& tool, void* domain) noexcept {
        if (tool.mark == nullptr) return;
        const char* name = "another status";
        for (const reflection::Enumerator& each : reflection::statuses_of(call.library).enumerators) {
            if (each.value == call.status()) name = each.name;
        }
        char text[256];
        std::snprintf(text, sizeof text, "%s returned %s", call.function.symbol, name);
        NvtxEvent event;
        event.category = category_of(call.library);
        event.payload_kind = signed_number;
        event.payload = static_cast<std::uint64_t>(std::int64_t{call.status()});
        event.message_kind = plain_text;
        event.message = text;
        tool.mark(domain, &event);
    }

    void report_missing_tool() noexcept {
        if (has_reported_.exchange(true, std::memory_order_relaxed)) return;
        print_error(
            "cubind: nvtx: no tool receives ranges, so that calls are not shown; run the program under a profiler, or set "
            "NVTX_INJECTION64_PATH to the library of a tool\n");
    }

    std::vector<std::vector<std::atomic<const void*>>>
        texts_;  ///< the text of each function of each library; null if not registered
    std::atomic<void*> domain_{nullptr};
    std::atomic<bool> has_reported_{false};
};

// Never destroyed: calls may be made until the process ends.
Nvtx& nvtx_layer() {
    static Nvtx& layer = *new Nvtx;
    return layer;
}

}  // namespace

void start() {
    push(nvtx_layer());
}

void stop() {
    remove(nvtx_layer());
}

}  // namespace CUBIND_NAMESPACE::layers::nvtx
