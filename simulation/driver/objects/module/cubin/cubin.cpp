// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// A cubin is an ELF file. Its table of symbols has the kernels and the variables; sections .nv.info and .nv.info.KERNEL describe
// the kernels. The layouts and numbers follow from cubins that NVRTC 12.0 to 13.5 and ptxas 13.0 have written.
#include "objects/module/cubin/cubin.hpp"

#include <algorithm>
#include <unordered_map>

#include "objects/module/cubin/attributes.hpp"
#include "shared/escaped.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

namespace elf = cubind::detail::elf;
using cubind::detail::DamagedFile;
using cubind::detail::ElfImage;
using cubind::detail::read_value;

constexpr std::uint16_t cuda_machine = 190;
constexpr unsigned char abi_versions[] = {7, 8};  ///< of CUDA 11 and 12, and of CUDA 13 and of all code for sm_100 and later
constexpr unsigned char entry_flag = 0x10;        ///< of a symbol that is a kernel
constexpr unsigned char managed_flag = 0x04;      ///< of a symbol that is a managed variable
constexpr std::uint64_t address_relocation = 4;

/// Shared memory that the system takes from each block of devices of compute capability 9.0 and later. The sections of these
/// devices include it.
constexpr std::size_t reserved_shared_bytes = 1024;

class CubinReader {
public:
    explicit CubinReader(std::string_view bytes) : file_(bytes) {}

    ptx::ModuleInterface read() {
        if (!is_cubin(&file_.header())) throw DamagedFile("it is no 64-bit ELF file for CUDA devices");
        read_target();
        symbols_ = file_.read_symbols();
        find_kernels();
        for (const ElfImage::Section& section : file_.sections()) read_section(section);
        finish_kernels();
        for (const ElfImage::Section& section : file_.sections()) read_relocations(section);
        return std::move(image_);
    }

private:
    // Older files have the capability in bits 0 to 7, that of their PTX in bits 16 to 23, and the variant in bit 11. Newer ones
    // have the capability in bits 8 to 23 and, in CUDA 12.9, the variant in bit 3.
    void read_target() {
        const elf::FileHeader& header = file_.header();
        const unsigned char version = header.identity[elf::abi_version];
        if (std::find(std::begin(abi_versions), std::end(abi_versions), version) == std::end(abi_versions))
            throw DamagedFile("the version of its format is " + std::to_string(version) + ", but the known ones are 7 and 8");
        if (header.type != elf::executable)
            throw DamagedFile("it is relocatable (nvcc -rdc=true) and must be linked; link the PTX with cuLinkAddData instead");
        const std::uint32_t flags = header.flags;
        const bool is_old = version == abi_versions[0];
        image_.machine_target = static_cast<int>(is_old ? flags & 0xff : flags >> 8 & 0xffff);
        image_.target = is_old ? static_cast<int>(flags >> 16 & 0xff) : image_.machine_target;
        if ((flags & (is_old ? 0x800u : 0x8u)) != 0) image_.variant = 'a';
    }

    void find_kernels() {
        for (std::size_t i = 0; i < symbols_.size(); ++i) {
            const ElfImage::Symbol& symbol = symbols_[i];
            if (symbol.section == 0) continue;
            const bool is_kernel =
                elf::type_of(symbol.facts) == elf::SymbolType::function && (symbol.facts.other & entry_flag) != 0;
            if (is_kernel && kernels_.emplace(symbol.name, image_.kernels.size()).second) {
                kernel_of_symbol_.emplace(i, image_.kernels.size());
                image_.kernels.emplace_back().name = symbol.name;
            }
            if (elf::type_of(symbol.facts) == elf::SymbolType::object) add_variable(symbol);
        }
    }

    void add_variable(const ElfImage::Symbol& symbol) {
        const ElfImage::Section& section = file_.sections()[symbol.section];
        const bool is_constant = section.name.starts_with(".nv.constant");
        const bool is_variable = is_constant || section.name == ".nv.global" || section.name == ".nv.global.init";
        if (!is_variable || symbol.name.empty() || !variables_.emplace(symbol.name, image_.variables.size()).second) return;
        const std::uint64_t offset = symbol.facts.value;
        const std::uint64_t size = symbol.facts.size;
        if (offset > section.header.size || size > section.header.size - offset)
            throw DamagedFile("the variable " + std::string(symbol.name) + " extends beyond its section");
        ptx::Variable& variable = image_.variables.emplace_back();
        variable.name = symbol.name;
        variable.space = is_constant ? ptx::Space::constant : ptx::Space::global;
        variable.size = size;
        variable.is_managed = (symbol.facts.other & managed_flag) != 0;
        places_.push_back({symbol.section, offset});
        if (section.header.type == elf::no_bits) return;
        ElfImage::Section part = section;
        part.header.offset += offset;
        part.header.size = size;
        const std::string_view bytes = file_.contents(part);
        const auto* const begin = reinterpret_cast<const std::byte*>(bytes.data());
        variable.initial.assign(begin, begin + bytes.size());
    }

    ptx::Kernel* find_kernel(std::string_view name) {
        const auto found = kernels_.find(name);
        return found != kernels_.end() ? &image_.kernels[found->second] : nullptr;
    }

    void read_section(const ElfImage::Section& section) {
        constexpr std::string_view info = ".nv.info.";
        constexpr std::string_view shared = ".nv.shared.";
        if (section.name == ".nv.info") read_sizes(file_.contents(section));
        if (section.name == ".nv.compat") read_variant(file_.contents(section));
        if (section.name == ".note.nv.cuinfo") read_virtual_target(file_.contents(section));
        if (section.name.starts_with(info)) {
            if (ptx::Kernel* const kernel = find_kernel(section.name.substr(info.size())))
                read_kernel(*kernel, file_.contents(section));
        }
        if (section.name.starts_with(shared)) {
            if (ptx::Kernel* const kernel = find_kernel(section.name.substr(shared.size()))) {
                const std::size_t reserved = image_.machine_target >= 90 ? reserved_shared_bytes : 0;
                kernel->shared_bytes = section.header.size - std::min<std::size_t>(reserved, section.header.size);
            }
        }
    }

    // Attributes that name a function by its symbol.
    void read_sizes(std::string_view section) {
        CubinAttributeReader reader(section);
        CubinAttribute attribute{};
        for (std::string_view value; reader.next(attribute, value);) {
            if (attribute != CubinAttribute::registers && attribute != CubinAttribute::frame_bytes) continue;
            const auto found = kernel_of_symbol_.find(read_value<std::uint32_t>(value, 0, "an attribute"));
            if (found == kernel_of_symbol_.end()) continue;
            ptx::Kernel& kernel = image_.kernels[found->second];
            const auto size = read_value<std::uint32_t>(value, 4, "an attribute");
            if (attribute == CubinAttribute::registers) kernel.registers = std::min(size, 255u);
            if (attribute == CubinAttribute::frame_bytes) kernel.local_bytes = size;
        }
    }

    // Since CUDA 13, this section states whether the code is for one capability only.
    void read_variant(std::string_view section) {
        constexpr std::uint8_t only_this_capability = 9;
        CubinAttributeReader reader(section);
        CubinAttribute attribute{};
        for (std::string_view value; reader.next(attribute, value);) {
            if (static_cast<std::uint8_t>(attribute) == only_this_capability && value.size() >= 1 && value[0] == 1)
                image_.variant = 'a';
        }
    }

    // A note with the capability of the PTX from which the code was compiled.
    void read_virtual_target(std::string_view note) {
        constexpr std::size_t header_and_name = 24;
        image_.target = read_value<std::uint16_t>(note, header_and_name + 2, "a note");
    }

    static Extent3 read_extent(std::string_view value) {
        const auto number = [&](std::size_t i) { return read_value<std::uint32_t>(value, 4 * i, "an attribute"); };
        return {number(0), number(1), number(2)};
    }

    void read_kernel(ptx::Kernel& kernel, std::string_view section) {
        CubinAttributeReader reader(section);
        CubinAttribute attribute{};
        for (std::string_view value; reader.next(attribute, value);) {
            switch (attribute) {
                case CubinAttribute::parameter: {
                    const auto size = read_value<std::uint32_t>(value, 8, "a parameter") >> 18;
                    add_parameter(kernel, value, size);
                    break;
                }
                case CubinAttribute::large_parameter:
                    add_parameter(kernel, value, read_value<std::uint16_t>(value, 8, "a parameter"));
                    break;
                case CubinAttribute::parameter_bytes:
                    kernel.parameter_bytes = read_value<std::uint16_t>(value, 0, "an attribute");
                    break;
                case CubinAttribute::max_threads:
                case CubinAttribute::required_threads:
                    kernel.block = read_extent(value);
                    kernel.is_block_required = attribute == CubinAttribute::required_threads;
                    break;
                case CubinAttribute::cluster:
                    kernel.cluster = read_extent(value);
                    break;
                case CubinAttribute::must_have_cluster:
                    kernel.must_have_cluster = true;
                    break;
                case CubinAttribute::max_cluster_blocks:
                    kernel.max_cluster_blocks = read_value<std::uint32_t>(value, 0, "an attribute");
                    break;
                default:
                    break;
            }
        }
    }

    // The positions are in any order; finish_kernels() sorts them.
    void add_parameter(ptx::Kernel& kernel, std::string_view value, std::size_t size) {
        const std::size_t offset = read_value<std::uint16_t>(value, 6, "a parameter");
        kernel.parameters.push_back({.offset = offset, .size = size});
    }

    void finish_kernels() {
        for (ptx::Kernel& kernel : image_.kernels) {
            std::sort(kernel.parameters.begin(), kernel.parameters.end(),
                      [](const auto& left, const auto& right) { return left.offset < right.offset; });
            std::size_t end = 0;
            for (const auto& [offset, size] : kernel.parameters) {
                if (offset < end) throw DamagedFile("parameters of kernel " + escaped(kernel.name) + " overlap");
                end = offset + size;
            }
            kernel.parameter_bytes = std::max(kernel.parameter_bytes, end);
            if (kernel.parameter_bytes > ptx::max_parameter_bytes) {
                throw DamagedFile("the parameters of kernel " + escaped(kernel.name) + " have " +
                                  std::to_string(kernel.parameter_bytes) + " bytes, but the limit is " +
                                  std::to_string(ptx::max_parameter_bytes));
            }
        }
    }

    // Addresses of variables in the first contents of variables. Code for devices before 9.0 stores what is added to an address
    // at the place of the address.
    void read_relocations(const ElfImage::Section& section) {
        const bool has_addends = section.header.type == elf::relocations_with_addends && section.name == ".rela.nv.global.init";
        const bool has_none = section.header.type == elf::relocations && section.name == ".rel.nv.global.init";
        if (!has_addends && !has_none) return;
        const auto begin = [&](std::size_t i) { return places_[i].offset; };
        std::vector<std::size_t> in_order;
        for (std::size_t i = 0; i < places_.size(); ++i) {
            if (places_[i].section == section.header.info) in_order.push_back(i);
        }
        std::sort(in_order.begin(), in_order.end(), [&](auto left, auto right) { return begin(left) < begin(right); });
        const std::string_view entries = file_.contents(section);
        const std::size_t size = has_addends ? sizeof(elf::RelocationWithAddend) : sizeof(elf::Relocation);
        for (std::size_t at = 0; entries.size() - at >= size; at += size) {
            const auto entry = read_value<elf::Relocation>(entries, at, "a relocation");
            if (elf::type_of(entry.info) != address_relocation) continue;
            const auto next = std::upper_bound(in_order.begin(), in_order.end(), entry.offset,
                                               [&](std::uint64_t offset, std::size_t each) { return offset < begin(each); });
            if (next == in_order.begin()) continue;
            const std::size_t variable = *std::prev(next);
            const auto addend = has_addends ? read_value<std::int64_t>(entries, at + sizeof entry, "a relocation")
                                            : stored_addend(variable, entry.offset - begin(variable));
            add_relocation(variable, entry.offset - begin(variable), elf::symbol_of(entry.info), addend);
        }
    }

    std::int64_t stored_addend(std::size_t variable, std::uint64_t offset) const {
        const std::vector<std::byte>& bytes = image_.variables[variable].initial;
        std::int64_t addend = 0;
        if (bytes.size() >= sizeof addend && offset <= bytes.size() - sizeof addend)
            std::memcpy(&addend, bytes.data() + offset, sizeof addend);
        return addend;
    }

    void add_relocation(std::size_t index, std::uint64_t offset, std::size_t symbol, std::int64_t addend) {
        if (symbol >= symbols_.size()) throw DamagedFile("a relocation has no symbol");
        ptx::Variable& variable = image_.variables[index];
        constexpr std::size_t size = sizeof(std::uint64_t);
        const auto target = variables_.find(symbols_[symbol].name);
        if (target == variables_.end() || variable.size < size || offset > variable.size - size) return;
        variable.relocations.push_back({offset, image_.variables[target->second].name, addend});
    }

    /// Where a variable is.
    struct Place {
        std::size_t section;
        std::uint64_t offset;
    };

    ElfImage file_;
    ptx::ModuleInterface image_;
    std::vector<ElfImage::Symbol> symbols_;
    std::unordered_map<std::string_view, std::size_t> kernels_;  ///< index by name
    std::unordered_map<std::size_t, std::size_t> kernel_of_symbol_;
    std::unordered_map<std::string_view, std::size_t> variables_;  ///< index by name
    std::vector<Place> places_;                                    ///< of each variable
};

}  // namespace

bool is_cubin(const void* data) noexcept {
    constexpr unsigned char current_version = 1;
    constexpr unsigned char beginning[] = {0x7f, 'E', 'L', 'F', 2, 1, current_version};  // elf::magic_64
    const auto* const bytes = static_cast<const volatile unsigned char*>(data);  // compilers must not read several bytes at once
    for (std::size_t i = 0; i < sizeof beginning; ++i) {
        if (bytes[i] != beginning[i]) return false;
    }
    constexpr std::size_t machine_offset = 18;
    return bytes[machine_offset] == cuda_machine && bytes[machine_offset + 1] == 0;
}

std::size_t cubin_size(const void* data) {
    return cubind::detail::elf_size(data);
}

CubinReading read_cubin(std::string_view bytes) {
    CubinReading reading;
    try {
        reading.image = CubinReader(bytes).read();
    } catch (const DamagedFile& damage) {
        reading.problem = std::string("the cubin cannot be loaded: ") + damage.what();
    }
    return reading;
}

bool can_run_machine_code(int target, char variant, int capability) noexcept {
    if (variant == 'a') return target == capability;
    return target / 10 == capability / 10 && target <= capability;
}

}  // namespace CUBIND_NAMESPACE::sim
