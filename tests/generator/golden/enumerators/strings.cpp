// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

#include <cubind/toy/strings.hpp>

namespace CUBIND_NAMESPACE::toy {

const char* to_string(toyLevel value) noexcept {
    switch (value) {
        case TOY_LEVEL_LOWEST: return "TOY_LEVEL_LOWEST";
        case TOY_LEVEL_LOW: return "TOY_LEVEL_LOW";
        case TOY_LEVEL_NONE: return "TOY_LEVEL_NONE";
        case TOY_LEVEL_HIGH: return "TOY_LEVEL_HIGH";
    }
    return "unrecognized toyLevel";
}

const char* to_string(toyMask value) noexcept {
    switch (value) {
        case TOY_MASK_NONE: return "TOY_MASK_NONE";
        case TOY_MASK_TOP: return "TOY_MASK_TOP";
        case TOY_MASK_ALL: return "TOY_MASK_ALL";
    }
    return "unrecognized toyMask";
}

const char* to_string(toyStatus value) noexcept {
    switch (value) {
        case TOY_OK: return "TOY_OK";
        case TOY_NO_LIBRARY: return "TOY_NO_LIBRARY";
        case TOY_NO_FUNCTION: return "TOY_NO_FUNCTION";
    }
    return "unrecognized toyStatus";
}

const char* describe(toyStatus value) noexcept {
    switch (value) {
        case TOY_OK: return "The toy works.";
        case TOY_NO_LIBRARY: return "There is no toy; buy one.";
        case TOY_NO_FUNCTION: return "The toy lacks this part; buy a newer one.";
    }
    return "CUDA 13.4 does not define this status. See the documentation of the installed release.";
}

const char* to_string(toyTagless value) noexcept {
    switch (value) {
        case TOY_ONLY_NAMED_BY_TYPEDEF: return "TOY_ONLY_NAMED_BY_TYPEDEF";
    }
    return "unrecognized toyTagless";
}


}  // namespace CUBIND_NAMESPACE::toy
