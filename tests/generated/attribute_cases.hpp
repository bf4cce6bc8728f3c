// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/device_attributes.hpp>

#include <cstddef>
#include <type_traits>
#include <vector>

namespace cubind::testing {

/// Gives one answer to everything, and keeps what it was asked.
class Recorder : public driver::DeviceAttributes<Recorder> {
public:
    explicit Recorder(int answer) : answer_(answer) {}

    int attribute(driver::CUdevice_attribute which) const {
        asked.push_back(which);
        return answer_;
    }

    mutable std::vector<driver::CUdevice_attribute> asked;

private:
    int answer_;
};

/// An accessor that DeviceAttributes may have.
struct Accessor {
    int (*call)(const Recorder&) = nullptr;  ///< null if it has none of that name
    bool is_yes_or_no = false;               ///< gives a bool
};

/// The accessor that `Probe`, a lambda without state, calls on what it is given.
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

/// An enumerator and the accessor called like it, without prefix and in small letters.
struct EnumeratorAccessor {
    const char* name;
    driver::CUdevice_attribute enumerator;
    Accessor accessor;
};
extern const EnumeratorAccessor enumerator_accessors[];
extern const std::size_t enumerator_accessor_count;

/// A property that cuda.core has, and the accessor of that name.
struct CudaCoreAccessor {
    const char* name;
    bool is_yes_or_no;
    Accessor accessor;
};
extern const CudaCoreAccessor cuda_core_accessors[];
extern const std::size_t cuda_core_accessor_count;

}  // namespace cubind::testing
