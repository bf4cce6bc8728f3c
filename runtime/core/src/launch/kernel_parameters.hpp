// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/launch/kernel.hpp>
#include <cubind/driver/types.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <vector>

namespace CUBIND_NAMESPACE::detail {

/// The part of a kernel's parameter list that was read from the driver.
enum class ParametersRead {
    none,       ///< the driver cannot report parameters: it is older than CUDA 12.4
    beginning,  ///< only the first parameters; the kernel may have more
    all,        ///< all parameters
};

/// The parameters of a kernel as far as they were read. Immutable once published.
struct ParameterList {
    ParametersRead read = ParametersRead::all;
    std::vector<KernelParameter> parameters = {};
    std::vector<unsigned int> sizes = {};                     ///< sizes of the parameters in bytes
    std::unique_ptr<const ParameterList> previous = nullptr;  ///< a shorter list that another thread may still be reading

    /// Returns whether the list is long enough to compare `count` arguments.
    bool covers(std::size_t count) const noexcept { return read != ParametersRead::beginning || count <= parameters.size(); }
};

/// The parameters of a loaded kernel, read from the driver when they are first needed and cached. Any thread may use it.
class KernelParameters {
public:
    KernelParameters() noexcept = default;
    KernelParameters(const KernelParameters&) = delete;
    KernelParameters& operator=(const KernelParameters&) = delete;
    ~KernelParameters() {
        delete cached_.load();
        delete accepted_.load();
    }

    /// Returns whether arguments of these types (types_of) were accepted before. Every checked launch calls it: it compares
    /// numbers and calls nothing.
    bool accepts(const unsigned int* types) const noexcept {
        const AcceptedTypes* accepted = accepted_.load(std::memory_order_acquire);
        for (; accepted != nullptr; accepted = accepted->previous.get()) {
            const std::vector<unsigned int>& known = accepted->types;
            if (known[0] == types[0] && std::equal(known.begin(), known.end(), types)) return true;
        }
        return false;
    }
    /// Stores that arguments of these types are accepted.
    void accept(const unsigned int* types);

    /// Returns the cached list if it is long enough to compare `count` arguments, else nullptr.
    const ParameterList* cached(std::size_t count) const noexcept {
        const ParameterList* const list = cached_.load(std::memory_order_acquire);
        return list != nullptr && list->covers(count) ? list : nullptr;
    }

    /// Returns a list that is long enough to compare `count` arguments. Reads it if it is not cached (cuKernelGetParamCount,
    /// cuKernelGetParamInfo), in the current context. The list exists as long as this object.
    ///
    /// Drivers before CUDA 13.2 do not report the number of parameters. A query for a parameter that does not exist fails, and
    /// a correct program must not cause failing calls. With these drivers, only the first `count` parameters are read.
    const ParameterList& read(driver::CUkernel kernel, std::size_t count);

private:
    /// The types of the arguments of one launch. The list is as long as there are launches with different types in the program.
    struct AcceptedTypes {
        std::vector<unsigned int> types;  ///< as types_of has them, beginning with their number
        std::unique_ptr<const AcceptedTypes> previous = nullptr;
    };

    std::atomic<const AcceptedTypes*> accepted_{nullptr};
    std::atomic<const ParameterList*> cached_{nullptr};
};

}  // namespace CUBIND_NAMESPACE::detail
