// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <clang-c/Index.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cubind::gen::clang {

/// Copies a libclang string and disposes of it.
std::string to_string(CXString text);

/// Returns whether the text of a type mentions a declaration without a name, which libclang spells with the path of its header,
/// such as "(unnamed enum at include/toy.h:3:1)".
bool names_unnamed(std::string_view text);

class Cursor;

/// A place in a source, at the point of macro expansion.
struct Place {
    CXFile file = nullptr;  ///< null for what is built into the compiler
    unsigned line = 0;
    unsigned column = 0;
    unsigned offset = 0;  ///< in bytes from the beginning of the file
};

/// Returns the path of a file as the compiler found it; empty for null.
std::string path_of(CXFile file);

/// A C or C++ type of libclang. A view that is valid while its translation unit exists.
class Type {
public:
    explicit Type(CXType type) : type_(type) {}

    CXTypeKind kind() const { return type_.kind; }
    std::string spelling() const { return to_string(clang_getTypeSpelling(type_)); }
    Type canonical() const { return Type(clang_getCanonicalType(type_)); }
    Type pointee() const { return Type(clang_getPointeeType(type_)); }
    Type result() const { return Type(clang_getResultType(type_)); }
    Type array_element() const { return Type(clang_getArrayElementType(type_)); }
    Cursor declaration() const;
    std::int64_t size() const { return clang_Type_getSizeOf(type_); }
    std::int64_t alignment() const { return clang_Type_getAlignOf(type_); }
    bool is_const() const { return clang_isConstQualifiedType(clang_getCanonicalType(type_)) != 0; }
    bool is_volatile() const { return clang_isVolatileQualifiedType(clang_getCanonicalType(type_)) != 0; }
    /// Returns the number of elements of an array; negative if the declaration does not state it.
    std::int64_t array_size() const { return clang_getArraySize(type_); }
    bool is_variadic_function() const { return clang_isFunctionTypeVariadic(type_) != 0; }
    /// Returns the type without one layer of typedef or of a keyword such as struct, or the type itself.
    Type desugared() const;
    /// Returns the arguments of a class template that are types.
    std::vector<Type> template_types() const;
    bool is_pointer() const { return canonical().kind() == CXType_Pointer; }
    bool is_function() const;
    bool is_array() const { return kind() == CXType_ConstantArray || kind() == CXType_IncompleteArray; }
    /// Returns every field in order, including the unnamed fields of an anonymous struct or union type.
    std::vector<Cursor> fields() const;
    std::vector<Type> arguments() const;

private:
    CXType type_;
};

/// An argument of a function template.
struct TemplateArgument {
    CXTemplateArgumentKind kind;
    Type type;           ///< of an argument that is a type
    std::int64_t value;  ///< of an argument that is a number
};

/// A node of the syntax tree. A view that is valid while its translation unit exists.
class Cursor {
public:
    explicit Cursor(CXCursor cursor) : cursor_(cursor) {}

    CXCursorKind kind() const { return cursor_.kind; }
    std::string spelling() const { return to_string(clang_getCursorSpelling(cursor_)); }
    Type type() const { return Type(clang_getCursorType(cursor_)); }
    Type underlying_type() const { return Type(clang_getTypedefDeclUnderlyingType(cursor_)); }
    Type enum_integer_type() const { return Type(clang_getEnumDeclIntegerType(cursor_)); }
    /// Returns the value. One of 2^63 or more is negative.
    std::int64_t enumerator_value(bool is_unsigned) const {
        return is_unsigned ? static_cast<std::int64_t>(clang_getEnumConstantDeclUnsignedValue(cursor_))
                           : clang_getEnumConstantDeclValue(cursor_);
    }
    bool is_definition() const { return clang_isCursorDefinition(cursor_) != 0; }
    bool is_null() const { return clang_Cursor_isNull(cursor_) != 0; }
    bool is_anonymous_record() const;
    /// Returns whether this is an enum, struct or union that has neither a tag nor a typedef.
    bool is_unnamed() const { return names_unnamed(type().spelling()); }
    /// Returns whether this is a struct or union defined inside another, with or without a tag. C++ cannot refer to it by its C
    /// name.
    bool is_nested_record() const;
    /// Returns whether the declaration is a member of a struct or union.
    bool is_in_record() const;
    bool is_variadic() const { return clang_Cursor_isVariadic(cursor_) != 0; }
    bool is_bit_field() const { return clang_Cursor_isBitField(cursor_) != 0; }
    /// Returns the width of a bit-field in bits.
    int bit_width() const { return clang_getFieldDeclBitWidth(cursor_); }
    bool is_inline_function() const {
        return clang_Cursor_isFunctionInlined(cursor_) != 0 || clang_Cursor_getStorageClass(cursor_) == CX_SC_Static;
    }
    bool is_extern() const { return clang_Cursor_getStorageClass(cursor_) == CX_SC_Extern; }
    /// Returns whether a member is private or protected.
    bool is_private() const {
        const CX_CXXAccessSpecifier access = clang_getCXXAccessSpecifier(cursor_);
        return access == CX_CXXPrivate || access == CX_CXXProtected;
    }
    /// Returns whether this is a struct that C cannot declare: it has private fields, base classes or member functions.
    bool is_class() const;
    /// Returns whether objects of this class are copied or destroyed by functions that the class defines.
    bool has_own_copy_or_destructor() const;
    Cursor definition() const { return Cursor(clang_getCursorDefinition(cursor_)); }
    /// Returns whether the declaration is in a header of the compiler or of the C library, rather than in a folder of -I.
    bool is_in_system_header() const { return clang_Location_isInSystemHeader(clang_getCursorLocation(cursor_)) != 0; }
    std::int64_t field_offset_bits() const { return clang_Cursor_getOffsetOfField(cursor_); }
    std::vector<Cursor> children() const;
    std::vector<Cursor> parameters() const;
    /// Returns the namespace or class that the declaration is a member of.
    Cursor parent() const { return Cursor(clang_getCursorSemanticParent(cursor_)); }
    /// Returns the declaration that an expression names.
    Cursor referenced() const { return Cursor(clang_getCursorReferenced(cursor_)); }
    /// Returns the template that this is a specialization of; a null cursor if it is none.
    Cursor specialized_template() const { return Cursor(clang_getSpecializedCursorTemplate(cursor_)); }
    std::vector<TemplateArgument> template_arguments() const;
    /// Returns the texts of the annotate attributes.
    std::vector<std::string> annotations() const;
    /// Returns the same text for all declarations of one entity.
    std::string usr() const { return to_string(clang_getCursorUSR(cursor_)); }
    std::string mangled_name() const { return to_string(clang_Cursor_getMangling(cursor_)); }
    bool is_inline_namespace() const { return clang_Cursor_isInlineNamespace(cursor_) != 0; }
    bool is_scoped_enum() const { return clang_EnumDecl_isScoped(cursor_) != 0; }
    bool is_virtual() const { return clang_CXXMethod_isVirtual(cursor_) != 0 || clang_isVirtualBase(cursor_) != 0; }
    /// Returns whether other sources cannot name the declaration: it is static, or it uses an unnamed namespace.
    bool has_internal_linkage() const {
        const CXLinkageKind linkage = clang_getCursorLinkage(cursor_);
        return linkage == CXLinkage_Internal || linkage == CXLinkage_UniqueExternal;
    }
    /// Returns the place of the name.
    Place place() const;
    Place start() const;
    Place end() const;
    /// Returns the value of the expression or of the variable's initializer, if it is an integer constant.
    std::optional<std::int64_t> integer_value() const;
    /// Returns the value of an expression that is a floating-point constant.
    std::optional<double> floating_value() const;
    /// Returns the file of the declaration's name, at the point of macro expansion. Null for declarations built into the
    /// compiler.
    CXFile file() const;
    unsigned line() const;
    /// Returns the first line of the whole declaration.
    unsigned start_line() const;
    /// Returns the token at the position of the name in the header. It differs from spelling() if a macro renames the
    /// declaration.
    std::string written_name() const;

private:
    CXCursor cursor_;
};

/// Calls `visit` for each child in source order, without an intermediate container.
template <class Visit>
void for_each_child(CXCursor parent, Visit&& visit) {
    clang_visitChildren(
        parent,
        [](CXCursor child, CXCursor, CXClientData data) {
            (*static_cast<std::remove_reference_t<Visit>*>(data))(Cursor(child));
            return CXChildVisit_Continue;
        },
        &visit);
}

}  // namespace cubind::gen::clang
