// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "token_mutator.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <random>
#include <vector>

namespace cubind::fuzz {

namespace {

// Tokens of headers, and tokens that are hard to parse.
constexpr const char* dictionary[] = {"typedef",
                                      "struct",
                                      "union",
                                      "enum",
                                      "const",
                                      "unsigned",
                                      "int",
                                      "char",
                                      "void",
                                      "(*",
                                      ")",
                                      "(",
                                      "{",
                                      "}",
                                      "[",
                                      "]",
                                      "[4]",
                                      "*",
                                      ",",
                                      ";",
                                      "...",
                                      "= 0",
                                      ": 3",
                                      "\n#define ",
                                      "\n#if 0\n",
                                      "\n#endif\n",
                                      "\n#include <toy.h>\n",
                                      "\n#undef ",
                                      "/**",
                                      "*/",
                                      "/*",
                                      "\\\n",
                                      "\n",
                                      " ",
                                      "0x7fffffffffffffff",
                                      "-1",
                                      "4294967296",
                                      "extern \"C\" {",
                                      "inline",
                                      "static",
                                      "__attribute__((packed))",
                                      "__attribute__((aligned(64)))",
                                      "alignas(32)",
                                      "template <class T>",
                                      "namespace n {",
                                      "class",
                                      "operator",
                                      "auto",
                                      "decltype(0)",
                                      "@{",
                                      "@}",
                                      "\\param[in] ",
                                      "\\defgroup "};

std::vector<std::string> tokens_of(const std::string& text) {
    const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    std::vector<std::string> tokens;
    for (auto at = text.begin(); at != text.end();) {
        auto end = std::next(at);
        if (is_word(*at)) end = std::find_if_not(at, text.end(), is_word);
        tokens.emplace_back(at, end);
        at = end;
    }
    return tokens;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    for (auto at = text.begin(); at != text.end();) {
        auto end = std::find(at, text.end(), '\n');
        if (end != text.end()) ++end;
        lines.emplace_back(at, end);
        at = end;
    }
    return lines;
}

class Mutator {
public:
    Mutator(std::vector<std::string> parts, unsigned seed) : parts_(std::move(parts)), random_(seed) {}

    std::string mutate_once() {
        if (parts_.empty()) return dictionary[random_below(std::size(dictionary))];
        const std::size_t at = random_below(parts_.size());
        const std::size_t other = random_below(parts_.size());
        switch (random_below(6)) {
            case 0:
                parts_.erase(position(at), position(std::min(parts_.size(), at + 1 + random_below(4))));
                break;
            case 1:
                parts_.insert(position(at), parts_[other]);
                break;
            case 2:
                std::swap(parts_[at], parts_[other]);
                break;
            case 3:
                parts_[at] = parts_[other];
                break;
            case 4:
                parts_[at] = dictionary[random_below(std::size(dictionary))];
                break;
            default:
                parts_.insert(position(at), dictionary[random_below(std::size(dictionary))]);
                break;
        }
        std::string text;
        for (const auto& part : parts_) text += part;
        return text;
    }

private:
    std::size_t random_below(std::size_t count) { return random_() % count; }
    std::vector<std::string>::iterator position(std::size_t index) { return parts_.begin() + static_cast<std::ptrdiff_t>(index); }

    std::vector<std::string> parts_;
    std::minstd_rand random_;
};

}  // namespace

std::string mutate_tokens(const std::string& text, unsigned seed) {
    std::minstd_rand random(seed);
    std::string mutated = text;
    for (std::size_t mutations = random() % 4 + 1; mutations > 0; --mutations) {
        const bool by_line = random() % 4 == 0;
        mutated = Mutator(by_line ? lines_of(mutated) : tokens_of(mutated), static_cast<unsigned>(random())).mutate_once();
    }
    return mutated;
}

}  // namespace cubind::fuzz
