// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Named accessors for the enumerators of toyFeature.

#include <cubind/toy/types.hpp>

namespace CUBIND_NAMESPACE::toy {

/// A base class that adds an accessor for each enumerator to `Derived`:
///
///     class Attributes : public ToyFeatures<Attributes> {
///     public:
///         int attribute(toyFeature which) const;
///     };
///
/// Each accessor calls `attribute` once. `Derived` decides whether to cache values, and what to return for an
/// enumerator that the loaded library does not support. An accessor that returns bool is true for any value but zero.
template <class Derived>
class ToyFeatures {
public:
    /// Max wheels.
    /// TOY_FEATURE_MAX_WHEELS.
    int max_wheels() const { return attribute_(TOY_FEATURE_MAX_WHEELS); }

    /// How fast "it" is <downhill> & with wind, in m/s.
    /// TOY_FEATURE_TOP_SPEED.
    int top_speed() const { return attribute_(TOY_FEATURE_TOP_SPEED); }

    /// Yes or no: can swim.
    /// TOY_FEATURE_CAN_SWIM.
    bool can_swim() const { return attribute_(TOY_FEATURE_CAN_SWIM) != 0; }

    /// Whether it stays up.
    /// TOY_FEATURE_CAN_FLY, removed in 13.4.
    bool can_fly() const { return attribute_(TOY_FEATURE_CAN_FLY) != 0; }

    /// Color of 2nd wheel.
    /// TOY_FEATURE_COLOR_OF_2ND_WHEEL.
    int color_of_2nd_wheel() const { return attribute_(TOY_FEATURE_COLOR_OF_2ND_WHEEL); }

    /// Is waterproof.
    /// TOY_FEATURE_IS_WATERPROOF, since 13.4.
    int is_waterproof() const { return attribute_(TOY_FEATURE_IS_WATERPROOF); }

    /// Battery life, in hours.
    /// TOY_FEATURE_BATTERY_LIFE, since 13.4.
    int battery_life() const { return attribute_(TOY_FEATURE_BATTERY_LIFE); }

    /// Returns the release that added the attribute, such as 12030 for CUDA 12.3. Returns 0 if the earliest bound release already
    /// has it, and if no bound release has it.
    static constexpr int since(toyFeature which) noexcept {
        switch (which) {
            case TOY_FEATURE_IS_WATERPROOF:
                return 13040;
            case TOY_FEATURE_BATTERY_LIFE:
                return 13040;
            default:
                return 0;
        }
    }

private:
    friend Derived;  // only Derived can construct its base
    ToyFeatures() = default;

    int attribute_(toyFeature which) const { return static_cast<const Derived*>(this)->attribute(which); }
};

}  // namespace CUBIND_NAMESPACE::toy
