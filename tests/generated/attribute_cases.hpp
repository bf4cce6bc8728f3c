// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/device_attributes.hpp>

#include <cstddef>
#include <type_traits>
#include <vector>

namespace cubind::testing {

/// Returns the same value for every attribute and records which attributes were requested.
class Recorder : public driver::DeviceAttributes<Recorder> {
public:
    explicit Recorder(int value) : value_(value) {}

    int attribute(driver::CUdevice_attribute which) const {
        requested.push_back(which);
        return value_;
    }

    mutable std::vector<driver::CUdevice_attribute> requested;

private:
    int value_;
};

/// A possible accessor of DeviceAttributes.
struct Accessor {
    int (*call)(const Recorder&) = nullptr;  ///< null if there is no accessor of that name
    bool is_yes_or_no = false;               ///< whether it returns bool
};

/// Returns the accessor that `Probe`, a lambda without captures, calls on its argument.
template <class Probe>
Accessor accessor(Probe) {
    if constexpr (std::is_invocable_v<Probe, const Recorder&>) {
        using Value = std::invoke_result_t<Probe, const Recorder&>;
        static_assert(std::is_same_v<Value, bool> || std::is_same_v<Value, int>);
        return {[](const Recorder& recorder) { return static_cast<int>(Probe{}(recorder)); }, std::is_same_v<Value, bool>};
    } else {
        return {};
    }
}

/// An enumerator, and the accessor that has the name of the enumerator in lower case without the prefix.
struct EnumeratorAccessor {
    const char* name;
    driver::CUdevice_attribute enumerator;
    Accessor accessor;
};
extern const EnumeratorAccessor enumerator_accessors[];
extern const std::size_t enumerator_accessor_count;

/// A property of cuda.core and the accessor of that name.
struct CudaCoreAccessor {
    const char* name;
    bool is_yes_or_no;
    Accessor accessor;
};
extern const CudaCoreAccessor cuda_core_accessors[];
extern const std::size_t cuda_core_accessor_count;

}  // namespace cubind::testing
