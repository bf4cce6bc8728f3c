// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "platform/nvtx_tool.hpp"

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <new>
#include <string>
#include <string_view>

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
constexpr unsigned group_without_domains = 1;
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

// Calls the function of the group without domains for the common domain, which is null, as NVIDIA's functions without a domain
// do. CUPTI 13.0 records no ranges of a null domain.
template <std::size_t without_domain, std::size_t of_domain, class Result, class... Arguments>
Result call(NvtxTool::Domain domain, Arguments... arguments) {
    const Function common = tables.functions[group_without_domains][without_domain];
    if (domain == nullptr && common != nullptr) return reinterpret_cast<Result (*)(Arguments...)>(common)(arguments...);
    const Function function = tables.functions[group_of_domains][of_domain];
    if (function == nullptr) return Result();
    return reinterpret_cast<Result (*)(NvtxTool::Domain, Arguments...)>(function)(domain, arguments...);
}

template <std::size_t without_domain, std::size_t of_domain, class Result, class... Arguments>
void assign_either(Result (*&to)(NvtxTool::Domain, Arguments...)) noexcept {
    if (tables.functions[group_without_domains][without_domain] == nullptr &&
        tables.functions[group_of_domains][of_domain] == nullptr)
        return;
    to = call<without_domain, of_domain, Result, Arguments...>;
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
    keep_library_of(&tables);  // the tool has their addresses
    assign_either<1, 1>(tool.mark);
    assign_either<4, 2>(tool.start_range);
    assign_either<7, 3>(tool.end_range);
    assign_either<8, 4>(tool.push_range);
    assign_either<11, 5>(tool.pop_range);
    assign_either<12, 8>(tool.name_category);
    assign(tool.register_string, 10);
    assign(tool.create_domain, 12);
    assign(tool.destroy_domain, 14);
    return tool;
}

// ---- extensions -----------------------------------------------------------------------------------------------------------

// An extension gives the tool a list of functions to fill in, too, with another layout.
struct ExtensionSegment {
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
    ExtensionSegment* segments;
    std::intptr_t (*get_export)(std::uint32_t);
    const void* more;
};
using InitializeExtension = int (*)(Module*);

// The functions of an extension. The tool writes into the list as long as the process runs.
using ExtensionFunctions = std::array<std::intptr_t, 63>;

// Asks the tool for the functions of an extension. Returns whether it has it.
bool attach_extension(std::uint16_t number, std::uint16_t version, const void* more, ExtensionFunctions& functions) {
    if (!nvtx_tool().is_attached) return false;
    const auto initialize = find_initializer<InitializeExtension>("InitializeInjectionNvtxExtension");
    if (initialize == nullptr) return false;
    ExtensionSegment segment{0, functions.size(), functions.data()};
    Module extension{3, sizeof(Module), number, version, 1, &segment, nullptr, more};
    return initialize(&extension) != 0;
}

template <class To>
void assign(To& to, const ExtensionFunctions& functions, std::size_t number) noexcept {
    to = reinterpret_cast<To>(functions[number]);
}

NvtxCounterTool attach_counters() {
    NvtxCounterTool tool;
    static constinit ExtensionFunctions functions{};
    if (!attach_extension(4, 0x0102, nullptr, functions)) return tool;
    assign(tool.create, functions, 0);
    assign(tool.sample_integer, functions, 1);
    assign(tool.sample_double, functions, 2);
    assign(tool.sample_no_value, functions, 4);
    return tool;
}

struct TypeSize {
    std::uint16_t size;
    std::uint16_t alignment;
};

template <class... Types>
constexpr std::array<TypeSize, sizeof...(Types) + 1> sizes_of() {
    return {{{sizeof...(Types) + 1, sizeof(TypeSize)}, {sizeof(Types), alignof(Types)}...}};
}

// The types of the interface by their numbers, from 1 on; the first element describes the list.
constexpr auto type_sizes =
    sizes_of<char, unsigned char, short, unsigned short, int, unsigned, long, unsigned long, long long, unsigned long long,
             std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t, std::int64_t, std::uint64_t,
             float, double, long double, std::size_t, void*, wchar_t, char8_t, char16_t, char32_t>();
static_assert(type_sizes.size() == 28);

NvtxPayloadTool attach_payloads() {
    NvtxPayloadTool tool;
    static constinit ExtensionFunctions functions{};
    if (attach_extension(2, 0x0104, &type_sizes, functions)) assign(tool.register_schema, functions, 0);
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

const NvtxPayloadTool& nvtx_payload_tool() noexcept try {
    static const NvtxPayloadTool tool = attach_payloads();
    return tool;
} catch (const std::bad_alloc&) {
    static constexpr NvtxPayloadTool none{};
    return none;  // the next call searches again
}

const NvtxTool& nvtx_tool() noexcept try {
    static const NvtxTool tool = attach();
    return tool;
} catch (const std::bad_alloc&) {
    static constexpr NvtxTool none{};
    return none;  // the next call searches again
}

}  // namespace CUBIND_NAMESPACE::detail
