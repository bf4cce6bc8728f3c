// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "spec/json.hpp"
#include "spec/text_rules.hpp"

/// Reader and Writer convert the structs of the spec from and to JSON. One function `describe(archive, value)` describes the
/// JSON form of a struct. It names every key once, as `required` or `optional`. An optional key is omitted if its value is the
/// default.
namespace cubind::gen::spec {

class Writer {
public:
    Json json = object_for(12);

    template <class T>
    void required(const char* key, T& value) {
        json[key] = encode(value);
    }
    template <class T>
    void optional(const char* key, T& value) {
        if (!(is_default(value))) json[key] = encode(value);
    }

private:
    template <class T>
    static bool is_default(const T& value) {
        if constexpr (requires { value.empty(); }) {
            return value.empty();
        } else if constexpr (requires { value == T{}; }) {
            return value == T{};
        } else {
            return false;
        }
    }
    template <class T>
    static Json encode(T& value) {
        if constexpr (std::is_constructible_v<Json, const T&> && !requires(Writer & w) { describe(w, value); }) {
            return Json(value);
        } else {
            Writer inner;
            describe(inner, value);
            return std::move(inner.json);
        }
    }
    template <class T>
    static Json encode(std::vector<T>& values) {
        Json list = Json::array();
        for (T& value : values) list.push_back(encode(value));
        return list;
    }
    template <class T>
    static Json encode(std::map<std::string, T>& values) {
        Json object = Json::object();
        for (auto& [key, value] : values) object[key] = encode(value);
        return object;
    }
    template <class T>
    static Json encode(std::shared_ptr<const T>& value) {
        T copy = *value;
        return encode(copy);
    }
};

class Reader {
public:
    Reader(const ParsedJson& json, std::string place) : json_(json), place_(std::move(place)) {
        if (!json.is_object()) fail("must be an object, such as { \"key\": ... }");
    }
    /// Throws InputError for an unknown key, so that a misspelled key is reported.
    void finish() const {
        for (auto entry = json_.begin(); entry != json_.end(); ++entry) {
            if (known_.contains(entry.key())) continue;
            std::string names;
            for (const auto& name : known_) names += (names.empty() ? "" : ", ") + name;
            fail("the key \"" + entry.key() + "\" is unknown. The known keys are: " + names);
        }
    }

    template <class T>
    void required(const char* key, T& value) {
        known_.insert(key);
        const auto entry = json_.find(key);
        if (entry == json_.end()) fail("the key \"" + std::string(key) + "\" is missing; add it");
        decode(*entry, value, place_ + "/" + key);
    }
    template <class T>
    void optional(const char* key, T& value) {
        known_.insert(key);
        const auto entry = json_.find(key);
        if (entry != json_.end()) decode(*entry, value, place_ + "/" + key);
    }
    /// The texts of the value, or of the values of an object, must follow the rule.
    template <class T>
    void required(const char* key, T& value, const TextRule& rule) {
        required(key, value);
        check_text(value, rule, place_ + "/" + key);
    }
    template <class T>
    void optional(const char* key, T& value, const TextRule& rule) {
        optional(key, value);
        if (json_.contains(key)) check_text(value, rule, place_ + "/" + key);
    }
    template <class T>
    void keys(const char* key, const T& object, const TextRule& rule) {
        check_keys(object, rule, place_ + "/" + key);
    }
    [[noreturn]] void fail(const std::string& what) const { throw InputError(place_ + ": " + what); }

private:
    template <class T>
    static void decode(const ParsedJson& json, T& value, const std::string& place) {
        if constexpr (requires(Reader & r) { describe(r, value); }) {
            Reader inner(json, place_of(json, place));
            describe(inner, value);
            inner.finish();
        } else {
            scalar(json, value, place);
        }
    }
    template <class T>
    static void decode(const ParsedJson& json, std::vector<T>& values, const std::string& place) {
        if (!json.is_array()) throw InputError(place + ": must be a list, such as [ ... ]");
        values.resize(json.size());
        for (std::size_t index = 0; index < json.size(); ++index) {
            decode(json[index], values[index], place + "/" + std::to_string(index));
        }
    }
    template <class T>
    static void decode(const ParsedJson& json, std::map<std::string, T>& values, const std::string& place) {
        if (!json.is_object()) throw InputError(place + ": must be an object, such as { \"name\": ... }");
        for (auto entry = json.begin(); entry != json.end(); ++entry) {
            check_characters(entry.key(), place);
            decode(*entry, values[entry.key()], place + "/" + entry.key());
        }
    }
    template <class T>
    static void decode(const ParsedJson& json, std::shared_ptr<const T>& value, const std::string& place) {
        auto fresh = std::make_shared<T>();
        decode(json, *fresh, place);
        value = std::move(fresh);
    }
    static void scalar(const ParsedJson& json, std::string& value, const std::string& place) {
        if (!json.is_string()) throw InputError(place + ": must be a string, not " + json.dump());
        value = json.get<std::string>();
        check_characters(value, place);
    }
    static void scalar(const ParsedJson& json, std::int64_t& value, const std::string& place) {
        if (!json.is_number_integer()) throw InputError(place + ": must be a whole number, not " + json.dump());
        value = json.get<std::int64_t>();
    }
    static void scalar(const ParsedJson& json, bool& value, const std::string& place) {
        if (!json.is_boolean()) throw InputError(place + ": must be true or false, not " + json.dump());
        value = json.get<bool>();
    }
    /// Adds the entry's name to `place`, because an index into a long list is hard to find.
    static std::string place_of(const ParsedJson& json, const std::string& place) {
        if (json.is_object()) {
            const auto name = json.find("name");
            if (name != json.end() && name->is_string()) return place + " (" + name->get<std::string>() + ")";
        }
        return place;
    }

    const ParsedJson& json_;
    std::string place_;
    std::set<std::string> known_;
};

}  // namespace cubind::gen::spec
