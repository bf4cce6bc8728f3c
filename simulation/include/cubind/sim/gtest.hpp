// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/sim/install.hpp>

#include <gtest/gtest.h>

namespace CUBIND_NAMESPACE::sim {

/// A GoogleTest fixture: each test runs on a new simulated machine, which no earlier test has used.
///
///     class PipelineTest : public cubind::sim::DriverTest {
///     protected:
///         PipelineTest() : DriverTest({.devices = 2, .memory = 1 << 20}) {}
///         cubind::Device device;
///         cubind::Stream stream{device};
///     };
///
/// The machine is installed before the members of a derived fixture are created, and exists until they are destroyed. Objects
/// that own a handle must not outlive the test. A cubind::Device is valid on all machines that have a device with its ordinal.
/// Settings of the whole process, such as Device::set_memory_resource(), last for one machine.
class DriverTest : public ::testing::Test {
protected:
    /// Installs a new machine (install()).
    explicit DriverTest(const Options& options = options_from_environment()) { install(options); }
    /// Removes the machine (uninstall()).
    ~DriverTest() override { uninstall(); }
};

}  // namespace CUBIND_NAMESPACE::sim
