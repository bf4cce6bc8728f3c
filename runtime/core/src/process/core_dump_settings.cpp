// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/process/core_dump_settings.hpp>
#include <cubind/detail/initialization.hpp>
#include <cubind/driver/coredump.hpp>
#include <cubind/driver/initialize.hpp>

#include <array>

#include "calls/driver.hpp"
#include "calls/required_release.hpp"

namespace CUBIND_NAMESPACE {
namespace {

constexpr int first_release = 12010;
constexpr int first_release_of_flags = 12050;
constexpr std::size_t max_text = 1023;  // bytes without the NUL

}  // namespace

CoreDumpSettings CoreDumpSettings::of(ContextRef context) {
    (void)context.native_handle();
    return CoreDumpSettings(context);
}

// ---- attributes ----------------------------------------------------------------------------------------------------------

std::size_t CoreDumpSettings::get(driver::CUcoredumpSettings attribute, void* value, std::size_t size) const {
    detail::require_release("CoreDumpSettings",
                            attribute == driver::CU_COREDUMP_GENERATION_FLAGS ? first_release_of_flags : first_release);
    if (!context_) return check(driver::cuCoredumpGetAttributeGlobal(attribute, value, size));
    const ScopedContext scope(context_);
    return check(driver::cuCoredumpGetAttribute(attribute, value, size));
}

void CoreDumpSettings::set(driver::CUcoredumpSettings attribute, void* value, std::size_t size) const {
    detail::require_release("CoreDumpSettings",
                            attribute == driver::CU_COREDUMP_GENERATION_FLAGS ? first_release_of_flags : first_release);
    if (!context_) {
        check(driver::cuInit(0));  // before it, driver 580 ends the process that enables core dumps or the trigger
        detail::note_initialization();
        check(driver::cuCoredumpSetAttributeGlobal(attribute, value, size));
        return;
    }
    const ScopedContext scope(context_);
    check(driver::cuCoredumpSetAttribute(attribute, value, size));
}

bool CoreDumpSettings::boolean(driver::CUcoredumpSettings attribute) const {
    bool value = false;
    (void)get(attribute, &value, sizeof value);
    return value;
}

std::string CoreDumpSettings::text(driver::CUcoredumpSettings attribute) const {
    std::array<char, max_text + 1> value{};
    (void)get(attribute, value.data(), value.size());
    value.back() = '\0';
    return value.data();
}

void CoreDumpSettings::set_text(driver::CUcoredumpSettings attribute, const char* function, const std::string& name) const {
    const std::string what = detail::concat("the name in ", function);
    detail::check_no_nul(what, name);
    if (name.empty() || name.size() > max_text) {
        detail::throw_misuse(what, " has ", name.size(), " bytes, but must have 1 to ", max_text);
    }
    std::string copy = name;  // the driver's parameter is not const
    set(attribute, copy.data(), copy.size() + 1);
}

void CoreDumpSettings::check_global(const char* function) const {
    if (!context_) return;
    detail::throw_misuse(function,
                         " was called for the settings of a context, but the setting is the same for all contexts: use "
                         "CoreDumpSettings::global()");
}

// ---- members -------------------------------------------------------------------------------------------------------------

bool CoreDumpSettings::is_enabled_on_exception() const {
    return boolean(driver::CU_COREDUMP_ENABLE_ON_EXCEPTION);
}

void CoreDumpSettings::set_enabled_on_exception(bool enabled) const {
    set(driver::CU_COREDUMP_ENABLE_ON_EXCEPTION, &enabled, sizeof enabled);
}

bool CoreDumpSettings::is_user_trigger_enabled() const {
    check_global("CoreDumpSettings::is_user_trigger_enabled()");
    return boolean(driver::CU_COREDUMP_ENABLE_USER_TRIGGER);
}

void CoreDumpSettings::set_user_trigger_enabled(bool enabled) const {
    check_global("CoreDumpSettings::set_user_trigger_enabled()");
    set(driver::CU_COREDUMP_ENABLE_USER_TRIGGER, &enabled, sizeof enabled);
}

std::string CoreDumpSettings::file() const {
    return text(driver::CU_COREDUMP_FILE);
}

void CoreDumpSettings::set_file(const std::string& name) const {
    set_text(driver::CU_COREDUMP_FILE, "CoreDumpSettings::set_file()", name);
}

std::string CoreDumpSettings::pipe() const {
    check_global("CoreDumpSettings::pipe()");
    return text(driver::CU_COREDUMP_PIPE);
}

void CoreDumpSettings::set_pipe(const std::string& name) const {
    check_global("CoreDumpSettings::set_pipe()");
    set_text(driver::CU_COREDUMP_PIPE, "CoreDumpSettings::set_pipe()", name);
}

unsigned int CoreDumpSettings::flags() const {
    int flags = 0;
    (void)get(driver::CU_COREDUMP_GENERATION_FLAGS, &flags, sizeof flags);
    return static_cast<unsigned int>(flags);
}

void CoreDumpSettings::set_flags(unsigned int flags) const {
    auto value = static_cast<int>(flags);
    set(driver::CU_COREDUMP_GENERATION_FLAGS, &value, sizeof value);
}

bool CoreDumpSettings::is_lightweight() const {
    return boolean(driver::CU_COREDUMP_LIGHTWEIGHT);
}

void CoreDumpSettings::set_lightweight(bool lightweight) const {
    set(driver::CU_COREDUMP_LIGHTWEIGHT, &lightweight, sizeof lightweight);
}

bool CoreDumpSettings::has_host_abort() const {
    return boolean(driver::CU_COREDUMP_TRIGGER_HOST);
}

void CoreDumpSettings::set_host_abort(bool abort) const {
    set(driver::CU_COREDUMP_TRIGGER_HOST, &abort, sizeof abort);
}

}  // namespace CUBIND_NAMESPACE
