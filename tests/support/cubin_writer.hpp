// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <elf.h>
#include <string>
#include <string_view>
#include <vector>

namespace cubind::testing {

/// Writes cubins without machine code, in the formats of ptxas of CUDA 12 and of CUDA 13.
class CubinWriter {
public:
    enum Format : unsigned char { cuda_12 = 7, cuda_13 = 8 };

    struct Parameter {
        std::uint16_t offset;
        std::uint16_t size;
    };
    struct Kernel {
        std::string name;
        std::uint32_t registers = 8;
        std::uint32_t shared_bytes = 0;
        std::uint32_t local_bytes = 0;
        std::vector<Parameter> parameters = {};
        std::string attributes = {};  ///< more bytes of its .nv.info, from attribute()
    };

    CubinWriter(Format format, std::uint32_t target, bool is_only_for_target = false)
        : format_(format), target_(target), is_only_for_target_(is_only_for_target) {
        add_section("", SHT_NULL, "");
        symbols_.resize(sizeof(Elf64_Sym));
        global_init_ = add_section(".nv.global.init", SHT_PROGBITS, "");
        constants_ = add_section(".nv.constant3", SHT_PROGBITS, "");
        global_ = add_section(".nv.global", SHT_NOBITS, "");
    }

    /// Adds a kernel, with a section for its machine code that has none.
    CubinWriter& add(const Kernel& kernel) {
        const std::size_t text = add_section(".text." + kernel.name, SHT_PROGBITS, "");
        const std::size_t symbol = add_symbol(kernel.name, STT_FUNC, 0x10, text, 0, 128);
        std::string info;
        std::uint16_t end = 0;
        for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
            const auto [offset, size] = kernel.parameters[i];
            const auto ordinal_and_offset = static_cast<std::uint32_t>(i | std::uint32_t{offset} << 16);
            const bool is_large = size >= 1 << 14;
            info += is_large ? attribute(0x45, {0, ordinal_and_offset, size})
                             : attribute(0x17, {0, ordinal_and_offset, std::uint32_t{size} << 18 | 0x1f000});
            end = static_cast<std::uint16_t>(offset + size);
        }
        const std::uint16_t parameter_bytes = end;
        info += "\3\x19" + text_of(parameter_bytes);
        add_section(".nv.info." + kernel.name, SHT_PROGBITS, info + kernel.attributes);
        const std::uint32_t reserved = target_ >= 90 ? 1024 : 0;
        if (kernel.shared_bytes + reserved != 0)
            sections_[add_section(".nv.shared." + kernel.name, SHT_NOBITS, "")].header.sh_size = kernel.shared_bytes + reserved;
        const auto index = static_cast<std::uint32_t>(symbol);
        sizes_ += attribute(0x2f, {index, kernel.registers}) + attribute(0x11, {index, kernel.local_bytes});
        return *this;
    }

    /// Adds a variable with these contents, or with zeros.
    CubinWriter& add_variable(const std::string& name, const std::string& contents, unsigned char other = 0) {
        return add_contents(name, contents, global_init_, other);
    }
    CubinWriter& add_constant(const std::string& name, const std::string& contents) {
        return add_contents(name, contents, constants_, 0);
    }
    CubinWriter& add_zeros(const std::string& name, std::uint64_t size) {
        std::uint64_t& end = sections_[global_].header.sh_size;
        add_symbol(name, STT_OBJECT, 0, global_, end, size);
        end += size;
        return *this;
    }
    /// Stores the address of a variable at an offset in the contents of the variables.
    CubinWriter& add_address(std::uint64_t offset, std::string_view variable, std::int64_t addend) {
        const Elf64_Rela entry{offset, ELF64_R_INFO(std::uint64_t{index_of(variable)}, 4), addend};
        relocations_ += text_of(entry);
        return *this;
    }

    /// Returns an attribute whose value is a list of numbers.
    static std::string attribute(unsigned char code, const std::vector<std::uint32_t>& numbers) {
        std::string text{'\4', static_cast<char>(code)};
        text += text_of(static_cast<std::uint16_t>(numbers.size() * sizeof(std::uint32_t)));
        for (const std::uint32_t number : numbers) text += text_of(number);
        return text;
    }

    std::string finish() const {
        CubinWriter last = *this;
        return last.write();
    }

private:
    struct Section {
        Elf64_Shdr header;
        std::string contents;
    };

    template <class Value>
    static std::string text_of(const Value& value) {
        return {reinterpret_cast<const char*>(&value), sizeof value};
    }

    std::size_t add_section(const std::string& name, std::uint32_t type, std::string contents) {
        Elf64_Shdr header{};
        header.sh_name = static_cast<std::uint32_t>(section_names_.size());
        header.sh_type = type;
        section_names_ += name + '\0';
        sections_.push_back({header, std::move(contents)});
        return sections_.size() - 1;
    }
    std::size_t add_symbol(const std::string& name, unsigned char type, unsigned char other, std::size_t section,
                           std::uint64_t offset, std::uint64_t size) {
        names_.push_back(name);
        Elf64_Sym symbol{};
        symbol.st_name = static_cast<std::uint32_t>(symbol_names_.size());
        symbol.st_info = ELF64_ST_INFO(STB_GLOBAL, type);
        symbol.st_other = other;
        symbol.st_shndx = static_cast<std::uint16_t>(section);
        symbol.st_value = offset;
        symbol.st_size = size;
        symbol_names_ += name + '\0';
        symbols_ += text_of(symbol);
        return names_.size();
    }
    std::size_t index_of(std::string_view name) const {
        for (std::size_t i = 0; i < names_.size(); ++i) {
            if (names_[i] == name) return i + 1;
        }
        return 0;
    }
    CubinWriter& add_contents(const std::string& name, const std::string& contents, std::size_t section, unsigned char other) {
        std::string& all = sections_[section].contents;
        add_symbol(name, STT_OBJECT, other, section, all.size(), contents.size());
        all += contents;
        return *this;
    }

    std::string write() {
        add_section(".nv.info", SHT_PROGBITS, sizes_);
        if (format_ == cuda_13) {
            add_section(".nv.compat", SHT_PROGBITS, std::string{'\2', '\x9', is_only_for_target_ ? '\1' : '\0', '\0'});
            std::string note = std::string(24, '\0') + text_of(std::uint16_t{2});
            note += text_of(static_cast<std::uint16_t>(target_)) + std::string(4, '\0');
            add_section(".note.nv.cuinfo", SHT_NOTE, note);
        }
        if (!relocations_.empty()) {
            sections_[add_section(".rela.nv.global.init", SHT_RELA, relocations_)].header.sh_info =
                static_cast<std::uint32_t>(global_init_);
        }
        const auto texts = static_cast<std::uint32_t>(add_section(".strtab", SHT_STRTAB, symbol_names_));
        sections_[add_section(".symtab", SHT_SYMTAB, symbols_)].header.sh_link = texts;
        const std::size_t names = add_section(".shstrtab", SHT_STRTAB, "");
        sections_[names].contents = section_names_;
        Elf64_Ehdr header{};
        std::memcpy(header.e_ident,
                    "\x7f"
                    "ELF\2\1\1",
                    7);
        header.e_ident[EI_OSABI] = format_ == cuda_12 ? 51 : 65;
        header.e_ident[EI_ABIVERSION] = format_;
        header.e_type = ET_EXEC;
        header.e_machine = 190;
        header.e_flags =
            format_ == cuda_12 ? target_ << 16 | 0x500 | (is_only_for_target_ ? 0x800u : 0) | target_ : 0x6000004 | target_ << 8;
        header.e_shoff = sizeof header;
        header.e_shentsize = sizeof(Elf64_Shdr);
        header.e_shnum = static_cast<std::uint16_t>(sections_.size());
        header.e_shstrndx = static_cast<std::uint16_t>(names);
        std::string contents;
        std::string headers;
        for (Section& section : sections_) {
            section.header.sh_offset = sizeof header + sections_.size() * sizeof(Elf64_Shdr) + contents.size();
            if (section.header.sh_type != SHT_NOBITS) section.header.sh_size = section.contents.size();
            headers += text_of(section.header);
            contents += section.contents;
        }
        return text_of(header) + headers + contents;
    }

    Format format_;
    std::uint32_t target_;
    bool is_only_for_target_;
    std::vector<Section> sections_;
    std::vector<std::string> names_;  ///< of the symbols
    std::string section_names_;
    std::string symbol_names_ = std::string(1, '\0');
    std::string symbols_;
    std::string sizes_;
    std::string relocations_;
    std::size_t global_init_ = 0;
    std::size_t constants_ = 0;
    std::size_t global_ = 0;
};

}  // namespace cubind::testing
