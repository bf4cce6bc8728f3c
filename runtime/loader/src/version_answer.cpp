// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "version_answer.hpp"

#include <dlfcn.h>

namespace CUBIND_NAMESPACE::detail {

VersionAnswer ask_version(const Library& library, const SearchOutcome& found) {
    const char* const name = library.version_function;
    void* const function = found.find != nullptr ? found.find(name) : dlsym(found.handle, name);
    if (function == nullptr) {
        dlerror();  // clears the error, so that a later dlerror() of other code does not return it
        return {.problem = std::string("does not export ") + library.version_function};
    }
    int numbers[2] = {};
    const int status = library.version_in_two_numbers ? reinterpret_cast<int (*)(int*, int*)>(function)(&numbers[0], &numbers[1])
                                                      : reinterpret_cast<int (*)(int*)>(function)(&numbers[0]);
    if (status != 0) {
        return {.problem = std::string(library.version_function) + " failed with status " + std::to_string(status)};
    }
    return {.version = library.version_in_two_numbers ? 1000 * numbers[0] + 10 * numbers[1] : numbers[0], .problem = {}};
}

}  // namespace CUBIND_NAMESPACE::detail
