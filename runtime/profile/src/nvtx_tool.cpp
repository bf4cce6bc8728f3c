// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "nvtx_tool.hpp"

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <new>
#include <string>
#include <string_view>
#include <type_traits>

#include "platform/dynamic_library.hpp"
#include "platform/environment.hpp"
#include "platform/exhausted.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

using Function = void (*)();
using GetExportTable = const void* (*)(std::uint32_t);
using Initialize = int (*)(GetExportTable);

// The groups of functions and their sizes, with an unused function 0: functions without and with domains, names of objects of
// the driver, OpenCL and the runtime library, and synchronization. A tool may fill in each of them.
constexpr unsigned group_of_domains = 5;
constexpr std::array<unsigned, 7> sizes = {0, 16, 9, 15, 7, 16, 7};

/// The functions that the tool fills in, and the addresses that it receives. Each list of addresses ends with null.
struct Tables {
    std::array<std::array<Function, 16>, sizes.size()> functions{};
    std::array<std::array<Function*, 17>, sizes.size()> addresses{};
};
constinit Tables tables;

int get_group(unsigned group, Function*** addresses, unsigned* size) noexcept {
    if (group == 0 || group >= sizes.size()) return 0;
    if (addresses != nullptr) *addresses = tables.addresses[group].data();
    if (size != nullptr) *size = sizes[group];
    return 1;
}

void set_tool_version(std::uint32_t) noexcept {}

struct Callbacks {
    std::size_t size = sizeof(Callbacks);
    int (*get_group)(unsigned, Function***, unsigned*) = detail::get_group;
};

struct Version {
    std::size_t size = sizeof(Version);
    std::uint32_t version = 3;
    std::uint32_t reserved = 0;
    void (*set_tool_version)(std::uint32_t) = detail::set_tool_version;
};

const void* get_export_table(std::uint32_t number) noexcept {
    static constexpr Callbacks callbacks{};
    static constexpr Version version{};
    return number == 1 ? static_cast<const void*>(&callbacks) : number == 3 ? static_cast<const void*>(&version) : nullptr;
}

// Throws std::bad_alloc if the last open_library() failed because memory or file descriptors are exhausted. Only its text states
// that.
void throw_if_loader_is_exhausted() {
    const char* const error = loader_error();
    const std::string_view text = error != nullptr ? error : "";
    for (const int each : {ENOMEM, EMFILE, ENFILE}) {
        if (text.ends_with(std::strerror(each))) throw_if_exhausted(each);
    }
}

// Returns the function of the tool with this name, or null. Without a library of the tool, looks for it with the suffix
// "Preinject" in the libraries that are loaded.
template <class To>
To find_initializer(const char* name) {
    if (const char* const path = environment_variable("NVTX_INJECTION64_PATH"); path != nullptr && *path != '\0') {
        void* const library =
            open_library(path, Binding::at_first_call);  // remains loaded: its functions are called until the process ends
        if (library == nullptr) throw_if_loader_is_exhausted();
        return library == nullptr ? nullptr : reinterpret_cast<To>(find_symbol(library, name));
    }
    return reinterpret_cast<To>(find_global_symbol((std::string(name) + "Preinject").c_str()));
}

template <class To>
void assign(To& to, std::size_t number) noexcept {
    to = reinterpret_cast<To>(tables.functions[group_of_domains][number]);
}

NvtxTool attach() {
    NvtxTool tool;
    const auto initialize = find_initializer<Initialize>("InitializeInjectionNvtx2");
    if (initialize == nullptr) return tool;
    for (std::size_t group = 1; group < sizes.size(); ++group) {
        for (std::size_t i = 1; i < sizes[group]; ++i) tables.addresses[group][i] = &tables.functions[group][i];
    }
    tool.is_attached = initialize(get_export_table) != 0;
    if (!tool.is_attached) return tool;
    assign(tool.mark, 1);
    assign(tool.start_range, 2);
    assign(tool.end_range, 3);
    assign(tool.push_range, 4);
    assign(tool.pop_range, 5);
    assign(tool.name_category, 8);
    assign(tool.register_string, 10);
    assign(tool.create_domain, 12);
    assign(tool.destroy_domain, 14);
    return tool;
}

// ---- counters -------------------------------------------------------------------------------------------------------------

// An extension gives the tool a list of functions to fill in, too, with another layout.
struct Segment {
    std::size_t number;
    std::size_t size;
    std::intptr_t* functions;
};

struct Module {
    std::uint16_t interface_version;
    std::uint16_t size;
    std::uint16_t number;
    std::uint16_t version;
    std::size_t segment_count;
    Segment* segments;
    std::intptr_t (*get_export)(std::uint32_t);
    const void* more;
};
using InitializeExtension = int (*)(Module*);

NvtxCounterTool attach_counters() {
    NvtxCounterTool tool;
    if (!nvtx_tool().is_attached) return tool;
    const auto initialize = find_initializer<InitializeExtension>("InitializeInjectionNvtxExtension");
    if (initialize == nullptr) return tool;
    static constinit std::array<std::intptr_t, 63> functions{};
    Segment segment{0, functions.size(), functions.data()};
    Module counters{3, sizeof(Module), 4, 0x0102, 1, &segment, nullptr, nullptr};
    if (initialize(&counters) == 0) return tool;
    const auto assign = [](auto& to, std::size_t number) {
        to = reinterpret_cast<std::decay_t<decltype(to)>>(functions[number]);
    };
    assign(tool.create, 0);
    assign(tool.sample_integer, 1);
    assign(tool.sample_double, 2);
    assign(tool.sample_no_value, 4);
    return tool;
}

}  // namespace

const NvtxCounterTool& nvtx_counter_tool() noexcept try {
    static const NvtxCounterTool tool = attach_counters();
    return tool;
} catch (const std::bad_alloc&) {
    static constexpr NvtxCounterTool none{};
    return none;  // the next call searches again
}

const NvtxTool& nvtx_tool() noexcept try {
    static const NvtxTool tool = attach();
    return tool;
} catch (const std::bad_alloc&) {
    static constexpr NvtxTool none{};
    return none;  // the next call searches again
}

NvtxEvent nvtx_event(NvtxMessage message, const NvtxAttributes& attributes) noexcept {
    NvtxEvent event;
    event.category = attributes.category;
    event.color_kind = attributes.color ? 1 : 0;
    event.color = attributes.color.value_or(0);
    if (attributes.payload) {
        event.payload_kind = attributes.payload->kind();
        event.payload = attributes.payload->bits();
    }
    event.message_kind = message.kind();
    event.message = message.text();
    return event;
}

}  // namespace CUBIND_NAMESPACE::detail
