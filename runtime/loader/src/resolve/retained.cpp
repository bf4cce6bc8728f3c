// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "resolve/retained.hpp"

#include <utility>

namespace CUBIND_NAMESPACE::detail {

namespace {

// An object in a list, through which leak checkers find it.
template <class Value>
struct Node {
    Value value;
    Node* next;
};

constinit Node<SearchOutcome>* newest_outcome = nullptr;  // atomic
constinit Node<std::string>* newest_text = nullptr;       // atomic

template <class Value>
const Value& add(Node<Value>*& newest, Value value) {
    auto* const node = new Node<Value>{std::move(value), __atomic_load_n(&newest, __ATOMIC_RELAXED)};
    while (!__atomic_compare_exchange_n(&newest, &node->next, node, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
    }
    return node->value;
}

}  // namespace

const SearchOutcome* retain(SearchOutcome outcome) {
    return &add(newest_outcome, std::move(outcome));
}

const char* retain(std::string text) {
    return add(newest_text, std::move(text)).c_str();
}

}  // namespace CUBIND_NAMESPACE::detail
