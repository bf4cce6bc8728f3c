// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/// What cubind-gen knows of a .cu file: its kernels and variables, with types that the host's compiler has. Types that the
/// generated header declares are written with the prefix of ReadOptions.
namespace cubind::gen::kernels {

struct Field {
    std::string name;
    std::string type;     ///< of one element, such as "float"
    std::string extents;  ///< such as "[4]"; empty if the field is no array
};

/// A struct or union that the generated header declares.
struct Record {
    std::vector<std::string> namespaces;
    std::string name;                   ///< a name that any program may declare
    std::string origin;                 ///< the name in the .cu file
    std::int64_t size = 0;              ///< in bytes; 0 if only pointers to it are used and it has to be declared, not defined
    std::int64_t alignment = 0;         ///< in bytes
    std::vector<Field> fields;          ///< empty if only the bytes are known
    std::vector<std::int64_t> offsets;  ///< of the fields, in bytes
};

/// An enum that the generated header declares.
struct Enum {
    std::vector<std::string> namespaces;
    std::string name;
    std::string underlying;
    bool is_scoped = false;
    std::vector<std::pair<std::string, std::string>> values;  ///< enumerators in order
};

struct Parameter {
    std::string name;           ///< never empty
    std::string type;           ///< a type that may stand before a name
    std::string default_value;  ///< an expression; empty if the caller has to pass the argument
    std::int64_t size = 0;      ///< in bytes
};

/// A kernel that the code has, or an instance of a kernel template.
struct Kernel {
    std::vector<std::string> namespaces;  ///< without unnamed and inline namespaces
    std::string name;
    std::string template_arguments;  ///< such as "float, 4"; empty if the kernel is no instance
    std::string symbol;              ///< empty if only NVRTC knows it: ask for the name expression
    std::string name_expression;     ///< an expression that NVRTC finds the kernel by
    std::vector<Parameter> parameters;
    std::string comment;              ///< lines of plain text
    bool is_tile = false;             ///< a kernel of CUDA Tile
    int max_threads = 0;              ///< of a block, as __launch_bounds__ states; 0 if it states none
    int min_blocks = 0;               ///< on a multiprocessor
    std::array<int, 3> cluster = {};  ///< of __cluster_dims__; zeros if it states none
    std::string file;
    unsigned line = 0;
};

/// A kernel template that has instances.
struct Template {
    std::vector<std::string> namespaces;
    std::string name;
    std::string parameters;  ///< such as "class T, int N"
};

enum class Space { constant, device, managed };

/// A variable in the memory of the device.
struct Variable {
    std::vector<std::string> namespaces;
    std::string name;
    std::string type;             ///< such as "float[16]"
    std::int64_t size = 0;        ///< in bytes
    std::string symbol;           ///< empty if only NVRTC knows it: ask for the name expression
    std::string name_expression;  ///< empty for managed variables, which NVRTC has no expression for
    Space space = Space::device;
    std::string comment;
};

/// A header of the user that NVRTC needs.
struct Header {
    std::string name;  ///< as an #include writes it
    std::string text;
};

struct KernelFile {
    std::string name;
    std::string source;
    std::vector<Header> headers;
    std::vector<std::string> host_includes;  ///< headers whose types the kernels use, such as "\"particle.h\"" with its quotes
    std::vector<Record> records;             ///< a record follows those that it contains; pointers may refer to later ones
    std::vector<Enum> enums;
    std::vector<Kernel> kernels;
    std::vector<Template> templates;
    std::vector<Variable> variables;
    std::vector<std::string> files;     ///< all files of the user that were read
    std::vector<std::string> warnings;  ///< what was left out, with its place
};

}  // namespace cubind::gen::kernels
