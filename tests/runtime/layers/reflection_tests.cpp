// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/driver/reflection.hpp>

#include <algorithm>
#include <map>
#include <set>

#include "layers_test.hpp"

namespace cubind::testing {
namespace {

using reflection::Kind;
using reflection::Type;

// Returns every type that a library's functions use, directly or indirectly.
std::set<const Type*> all_types(const reflection::LibraryDescription& library) {
    std::set<const Type*> seen;
    std::vector<const Type*> open;
    const auto add = [&](const Type* type) {
        if (type != nullptr && seen.insert(type).second) open.push_back(type);
    };
    for (const auto& function : library.functions) {
        add(function.returns);
        for (const auto& parameter : function.parameters) add(parameter.type);
    }
    while (!open.empty()) {
        const Type& type = *open.back();
        open.pop_back();
        add(type.inner);
        for (const auto& field : type.fields) add(field.type);
    }
    return seen;
}

const Type& type_of(const char* symbol, std::size_t parameter) {
    for (const auto& function : cubind::driver::reflection().functions) {
        if (std::string(function.symbol) == symbol) return *function.parameters[parameter].type;
    }
    throw std::invalid_argument(symbol);
}

TEST(ReflectionTest, HasARowForEachEntryPointInTheirOrder) {
    std::size_t sum = 0;
    for (const auto* const library : all_libraries()) {
        const cubind::EntryPoints entries = library->entry_points();
        ASSERT_EQ(static_cast<std::size_t>(entries.end() - entries.begin()), library->functions.size());
        for (std::size_t index = 0; index < library->functions.size(); ++index) {
            EXPECT_STREQ(library->functions[index].symbol, (*(entries.begin() + index))->symbol);
            EXPECT_EQ(&library->loaded(), (*(entries.begin() + index))->library);
            EXPECT_NE(library->functions[index].invoke, nullptr);
        }
        sum += library->functions.size();
    }
    EXPECT_GE(sum, 1140u);
}

TEST(ReflectionTest, HasADistinctInterceptorForEachFunction) {
    std::set<void*> interceptors;
    std::size_t functions = 0;
    for (const auto* const library : all_libraries()) {
        for (const auto& function : library->functions) interceptors.insert(function.interceptor());
        functions += library->functions.size();
    }
    EXPECT_EQ(interceptors.size(), functions);
}

TEST(ReflectionTest, HasFieldsWithinTheirRecords) {
    for (const auto* const library : all_libraries()) {
        for (const Type* const type : all_types(*library)) {
            EXPECT_EQ(type->fields.empty(), type->kind != Kind::record || type->size == 0) << type->name;
            std::size_t before = 0;
            for (const auto& field : type->fields) {
                EXPECT_LE(field.offset + field.type->size, type->size) << type->name << "." << field.name;
                EXPECT_GT(field.type->size, 0u) << type->name << "." << field.name;
                EXPECT_TRUE(type->is_union ? field.offset == 0 : field.offset >= before) << type->name << "." << field.name;
                before = field.offset + field.type->size;
            }
        }
    }
}

TEST(ReflectionTest, HasInnerTypesOfPointersAndArrays) {
    for (const auto* const library : all_libraries()) {
        for (const Type* const type : all_types(*library)) {
            EXPECT_EQ(type->inner != nullptr, type->kind == Kind::pointer || type->kind == Kind::array) << type->name;
            const bool is_address = type->kind == Kind::pointer || type->kind == Kind::handle || type->kind == Kind::function;
            EXPECT_TRUE(!is_address || type->size == sizeof(void*)) << type->name;
            EXPECT_TRUE(type->kind != Kind::array || type->size == type->extent * type->inner->size) << type->name;
            const Type* inner = type;
            for (int depth = 0; inner != nullptr; inner = inner->inner) ASSERT_LT(++depth, 8) << "a cycle";
            // A record does not contain a record of its own type at any depth.
            std::vector<std::pair<const Type*, int>> open{{type, 0}};
            while (!open.empty()) {
                const auto [record, depth] = open.back();
                open.pop_back();
                ASSERT_LT(depth, 8) << type->name;
                for (const auto& field : record->fields) open.emplace_back(field.type, depth + 1);
            }
        }
    }
}

TEST(ReflectionTest, HasLengthsThatReferToIntegers) {
    for (const auto* const library : all_libraries()) {
        for (const auto& function : library->functions) {
            for (const auto& parameter : function.parameters) {
                for (const auto position : {parameter.length.first, parameter.length.second}) {
                    if (position == reflection::no_parameter) continue;
                    EXPECT_GT(parameter.length.number, 0u);
                    ASSERT_LT(position, function.parameters.size()) << function.symbol;
                    const auto& count = function.parameters[position];
                    const Type& type = count.type->kind == Kind::pointer ? *count.type->inner : *count.type;
                    EXPECT_TRUE(type.kind == Kind::signed_integer || type.kind == Kind::unsigned_integer)
                        << function.symbol << " " << count.name;
                }
                const bool points = parameter.type->kind == Kind::pointer || parameter.type->kind == Kind::function;
                EXPECT_TRUE(points || parameter.direction == reflection::Direction::in)
                    << function.symbol << " " << parameter.name;
                EXPECT_TRUE(points || parameter.shape == reflection::Shape::value || parameter.shape == reflection::Shape::opaque)
                    << function.symbol << " " << parameter.name;
            }
        }
    }
}

TEST(ReflectionTest, FindsEachEnumerator) {
    for (const auto* const library : all_libraries()) {
        for (const Type* const type : all_types(*library)) {
            EXPECT_EQ(type->enumerators.empty(), type->kind != Kind::enumeration) << type->name;
            std::map<long long, std::string> first;
            for (const auto& each : type->enumerators) first.emplace(each.value, each.name);
            for (const auto& [value, name] : first) EXPECT_EQ(reflection::name_of(*type, value), name) << type->name;
            EXPECT_EQ(reflection::name_of(*type, -123456789), nullptr);
        }
    }
}

TEST(ReflectionTest, HasEffectsWithValidParameters) {
    for (const auto* const library : all_libraries()) {
        for (const auto& function : library->functions) {
            for (const auto& effect : function.effects) {
                const bool contents = effect.what == reflection::Effect::What::ends_contents;
                EXPECT_TRUE(contents || effect.kind != nullptr) << function.symbol;
                for (const auto position : {effect.object.parameter, effect.within, effect.owning, effect.uncaptured}) {
                    EXPECT_TRUE(position == reflection::no_parameter || position < function.parameters.size()) << function.symbol;
                }
                EXPECT_TRUE(contents || effect.object.parameter != reflection::no_parameter) << function.symbol;
            }
        }
    }
}

// For each kind of owned object, the library has a function that destroys it.
TEST(ReflectionTest, HasADestructionForEachOwnedObject) {
    for (const auto* const library : all_libraries()) {
        std::set<const reflection::ObjectKind*> owned, ended;
        for (const auto& function : library->functions) {
            for (const auto& effect : function.effects) {
                if (effect.kind != nullptr && effect.kind->is_owned) owned.insert(effect.kind);
                if (effect.what == reflection::Effect::What::ends) ended.insert(effect.kind);
            }
        }
        EXPECT_EQ(owned, ended) << library->name;
    }
}

TEST(ReflectionTest, DescribesSomeTypes) {
    const Type& copy = *type_of("cuMemcpy3D_v2", 0).inner;
    EXPECT_EQ(copy.kind, Kind::record);
    EXPECT_EQ(copy.size, sizeof(CUDA_MEMCPY3D));
    EXPECT_EQ(type_of("cuMemAlloc_v2", 0).kind, Kind::pointer);
    EXPECT_EQ(type_of("cuMemAlloc_v2", 0).inner->kind, Kind::identifier);
    EXPECT_EQ(type_of("cuMemAlloc_v2", 1).kind, Kind::unsigned_integer);
    EXPECT_EQ(type_of("cuStreamSynchronize", 0).kind, Kind::handle);
    EXPECT_EQ(type_of("cuDeviceGetAttribute", 1).kind, Kind::enumeration);
    EXPECT_EQ(type_of("cuDeviceGetAttribute", 2).kind, Kind::signed_integer);
    EXPECT_EQ(type_of("cuLaunchHostFunc", 1).kind, Kind::function);
    EXPECT_EQ(type_of("cuEventElapsedTime_v2", 0).inner->kind, Kind::floating);
    const Type& attribute = *type_of("cuStreamSetAttribute", 2).inner;
    EXPECT_EQ(attribute.size, sizeof(CUstreamAttrValue));
    EXPECT_TRUE(attribute.is_union);
    EXPECT_EQ(cubind::driver::reflection().status->size, sizeof(CUresult));
    EXPECT_EQ(cubind::driver::reflection().invalid_argument, CUDA_ERROR_INVALID_VALUE);
}

}  // namespace
}  // namespace cubind::testing
