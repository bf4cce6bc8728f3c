// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <cstdlib>
#include <fcntl.h>
#include <sys/file.h>
#include <thread>
#include <unistd.h>

#include "commands/generator_test.hpp"

namespace cubind::testing {
namespace {

/// Several processes of cubind-gen that use the same folders at once.
class ConcurrentTest : public GeneratorTest {
protected:
    /// Runs the commands at once and expects that each succeeds.
    void expect_success_of(const std::vector<std::string>& commands) const {
        std::string line = "cd '" + below("").parent_path().parent_path().string() + "'";
        for (const auto& command : commands)
            line += "; '" CUBIND_GEN "' --root project " + command + " >/dev/null 2>&1 & p" +
                    std::to_string(&command - commands.data()) + "=$!";
        for (std::size_t index = 0; index < commands.size(); ++index) line += "; wait $p" + std::to_string(index) + " || exit 1";
        ASSERT_EQ(std::system(line.c_str()), 0) << line;
    }
};

TEST_F(ConcurrentTest, WritesTheSameFilesAtOnce) {
    for (int round = 0; round < 5; ++round) {
        std::filesystem::remove_all(below("generated"));
        expect_success_of({"emit", "emit", "emit", "emit --check || true", "update --include project/include"});
        EXPECT_EQ(run("emit --check").status, 0);
    }
}

TEST_F(ConcurrentTest, WaitsForAProcessThatHasCreatedTheFolder) {
    std::filesystem::remove_all(below("generated"));
    std::filesystem::create_directory(below("docs"));  // else cubind-gen locks the folder above for it
    const int creating = ::open(below("").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    ASSERT_EQ(::flock(creating, LOCK_EX), 0);
    std::filesystem::create_directory(below("generated"));
    std::atomic<int> status = -1;
    std::thread other([&] {
        const std::string messages = below("messages").string();
        status =
            std::system(("'" CUBIND_GEN "' --root '" + below("").string() + "' emit >/dev/null 2>'" + messages + "'").c_str());
    });
    const auto is_waiting = [&] {
        return std::filesystem::exists(below("messages")) && read("messages").find("waiting") != std::string::npos;
    };
    while (status == -1 && !is_waiting()) std::this_thread::yield();
    EXPECT_EQ(status, -1) << "wrote while the other process did";
    ::close(creating);
    other.join();
    EXPECT_EQ(status, 0);
    expect_contains(read("messages"), "waiting for another cubind-gen that uses " + below("").parent_path().string());
}

TEST_F(ConcurrentTest, KeepsTheReleasesOfEachExtract) {
    std::vector<std::string> commands;
    const std::string header = read("include/toy.h");
    for (const char* release : {"13000", "13010", "13020", "13030"}) {
        const std::string folder = std::string("include-") + release;
        write(folder + "/toy.h", header);
        replace(folder + "/toy.h", "13040", release);
        commands.push_back("extract toy --include project/" + folder);
    }
    expect_success_of(commands);
    expect_contains(read(facts), R"("releases": ["13.0", "13.1", "13.2", "13.3", "13.4"])");
}

}  // namespace
}  // namespace cubind::testing
