// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/device/device.hpp>
#include <cubind/core/device/device_properties.hpp>
#include <cubind/sweep/sweep.hpp>

namespace CUBIND_NAMESPACE::profile {

namespace {

Column::Function of_case(std::function<double(const Case&)> count) {
    return [count = std::move(count)](const Case& c, const Measurement&) { return count(c); };
}

Column::Function of_parameter(double count, std::string parameter) {
    return [count, parameter = std::move(parameter)](const Case& c, const Measurement&) { return count * c[parameter].number(); };
}

Column bandwidth(Column::Function function) {
    return Column(Column::Kind::bytes, {"bandwidth", "GB/s"}, std::move(function));
}

Column arithmetic(Column::Function function) {
    return Column(Column::Kind::flops, {"arithmetic", "GFLOP/s"}, std::move(function));
}

}  // namespace

Column bytes(double count, std::string parameter) {
    return bandwidth(of_parameter(count, std::move(parameter)));
}

Column bytes(std::function<double(const Case&)> count) {
    return bandwidth(of_case(std::move(count)));
}

Column flops(double count, std::string parameter) {
    return arithmetic(of_parameter(count, std::move(parameter)));
}

Column flops(std::function<double(const Case&)> count) {
    return arithmetic(of_case(std::move(count)));
}

Column derived(std::string name, std::string unit, Column::Function function) {
    return Column(Column::Kind::value, {std::move(name), std::move(unit)}, std::move(function));
}

// The clock is in kHz and the width in bits. Memory transfers data at both edges of the clock.
double computed_peak_bandwidth(Device device) {
    const DeviceProperties properties = device.properties();
    return 2.0 * 1e3 * properties.memory_clock_rate() * properties.global_memory_bus_width() / 8;
}

}  // namespace CUBIND_NAMESPACE::profile
