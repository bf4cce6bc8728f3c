// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

#include "platform/dynamic_library.hpp"
#include "platform/pages.hpp"
#include "platform/process.hpp"
#include "platform/random.hpp"
#include "platform/readable_page.hpp"
#include "platform/thread_stack.hpp"

namespace {

using namespace cubind::detail;

TEST(ProcessTest, KnowsWhetherAProcessRuns) {
    const pid_t child = fork();
    if (child == 0) pause();
    EXPECT_TRUE(process_exists(child));
    EXPECT_TRUE(is_process_running(child));
    kill(child, SIGKILL);
    siginfo_t info;
    waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT);
    EXPECT_TRUE(process_exists(child)) << "its parent has not waited for it";
    EXPECT_FALSE(is_process_running(child));
    waitpid(child, nullptr, 0);
    EXPECT_FALSE(process_exists(child));
    EXPECT_FALSE(process_exists(-1));
    EXPECT_EQ(process_id(), getpid());
}

TEST(ProcessTest, FindsTheNameAndTheFileOfAProgram) {
    std::string file, name;
    EXPECT_EQ(find_program_file(file), 0);
    EXPECT_EQ(file, std::filesystem::canonical("/proc/self/exe"));
    ASSERT_TRUE(find_program_name(static_cast<unsigned>(getpid()), name));
    EXPECT_EQ(std::filesystem::canonical(name), file);
    EXPECT_FALSE(find_program_name(4'000'000'000, name));
}

TEST(ProcessTest, FindsALongNameOfAProgram) {
    std::string long_name(1000, 'x');
    const pid_t child = fork();
    if (child == 0) {
        char second[] = "60";
        char* const arguments[] = {long_name.data(), second, nullptr};
        execv("/bin/sleep", arguments);
        _exit(1);
    }
    std::string name;
    for (int i = 0; i < 1000 && name != long_name; ++i) {  // the child begins as a copy of this process
        EXPECT_TRUE(find_program_name(static_cast<unsigned>(child), name) || name.empty());
        usleep(1000);
    }
    EXPECT_EQ(name, long_name);
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
}

TEST(ProcessTest, AProgramThatCannotBeExecutedIsAnError) {
    char* const arguments[] = {nullptr};
    EXPECT_EQ(execute_program("/no/such/program", arguments), ENOENT);
}

TEST(ProcessTest, DescribesTheMachine) {
    EXPECT_FALSE(host_name().empty());
    EXPECT_GE(processor_count(), 1u);
    EXPECT_GT(physical_memory_size(), std::size_t{1} << 20);
}

TEST(RandomTest, FillsAllBytes) {
    std::array<unsigned char, 64> bytes{};
    EXPECT_EQ(fill_randomly(bytes.data(), bytes.size()), 0);
    EXPECT_NE(bytes, (std::array<unsigned char, 64>{}));
    EXPECT_NE(fill_randomly(bytes.data(), 1000), 0);
}

TEST(PagesTest, DiscardsAndReplacesPages) {
    const std::size_t size = 4 * min_page_size;
    const std::uintptr_t pages = reserve_pages(size, PageAccess::read_and_write);
    ASSERT_NE(pages, 0u);
    auto* const bytes = reinterpret_cast<char*>(pages);
    bytes[0] = 'a';
    EXPECT_TRUE(discard_pages(pages, size));
    EXPECT_EQ(bytes[0], 0);
    EXPECT_FALSE(replace_pages(pages, size, -1, 0));
    restore_pages(pages, size);
    bytes[1] = 'b';
    EXPECT_EQ(readable_bytes(pages, size), size);
    release_pages(pages, size);
    EXPECT_EQ(readable_bytes(pages, size), 0u);
    EXPECT_EQ(map_shared_pages(-1, size), 0u);
    const std::uintptr_t none = reserve_pages(size, PageAccess::none);
    EXPECT_FALSE(is_readable_page(none));
    release_pages(none, size);
}

TEST(ThreadStackTest, HasTheLocalVariables) {
    const ThreadStack stack = stack_of_this_thread();
    const auto address = reinterpret_cast<std::uintptr_t>(&stack);
    EXPECT_LE(stack.begin, address);
    EXPECT_LT(address, stack.end);
}

TEST(DynamicLibraryTest, FindsLibrariesAndSymbols) {
    const LibraryHandle loaded(find_loaded_library("libc.so.6"));
    ASSERT_NE(loaded, nullptr);
    EXPECT_EQ(find_symbol(loaded.get(), "getpid"), reinterpret_cast<void*>(&::getpid));
    EXPECT_EQ(find_global_symbol("getpid"), reinterpret_cast<void*>(&::getpid));
    EXPECT_NE(std::strstr(file_of_address(reinterpret_cast<void*>(&::getpid)), "libc.so.6"), nullptr);
    const LibraryHandle same(find_library_of(reinterpret_cast<void*>(&::getpid)));
    EXPECT_EQ(same, loaded);
    static const int own = 0;
    EXPECT_EQ(find_library_of(&own), nullptr) << "it is in the program";
    EXPECT_EQ(find_loaded_library("libnone.so"), nullptr);
    EXPECT_EQ(open_library("/no/such/library.so"), nullptr);
    EXPECT_NE(std::strstr(loader_error(), "/no/such/library.so"), nullptr);
    EXPECT_EQ(loader_error(), nullptr);
}

}  // namespace
