// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/bootstrap.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <netinet/in.h>
#include <stdexcept>
#include <string>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "child.hpp"
#include "new_id.hpp"

namespace cubind::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAre;
namespace fs = std::filesystem;

/// The parameter says whether the ranks meet by a file, or at a port of the loopback address.
class BootstrapTest : public ::testing::TestWithParam<bool> {
protected:
    BootstrapTest() : folder_(::testing::TempDir() + "/bootstrap-" + std::to_string(::getpid())) {
        fs::create_directory(folder_);
    }
    ~BootstrapTest() override { fs::remove_all(folder_); }

    /// Returns a port that no program uses.
    static int free_port() {
        const int probe = ::socket(AF_INET, SOCK_STREAM, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        EXPECT_EQ(::bind(probe, reinterpret_cast<sockaddr*>(&address), size), 0);
        EXPECT_EQ(::getsockname(probe, reinterpret_cast<sockaddr*>(&address), &size), 0);
        ::close(probe);
        return ntohs(address.sin_port);
    }
    [[nodiscard]] std::string file() const { return (folder_ / "meeting").string(); }
    [[nodiscard]] Bootstrap rank(int rank, int size) const { return {rank, size, rank, point_}; }
    /// Starts a process that takes part in exchanges.
    Child& start(int number, int size, const std::string& device, std::chrono::milliseconds timeout = 60s, int exchanges = 1) {
        return *processes_.emplace_back(std::make_unique<Child>([=, self = rank(number, size)] {
            std::string text;
            for (int i = 0; i < exchanges; ++i)
                text = self.exchange(new_id, device, timeout) == new_id() ? "accepted" : "another id";
            return text;
        }));
    }
    std::vector<std::string> outcomes() {
        std::vector<std::string> all;
        for (const auto& each : processes_) all.push_back(each->outcome());
        processes_.clear();
        return all;
    }
    std::vector<std::string> files() const {
        std::vector<std::string> names;
        for (const auto& each : fs::directory_iterator(folder_)) names.push_back(each.path().filename());
        return names;
    }

    fs::path folder_;
    std::string point_ = GetParam() ? "file:" + file() : "127.0.0.1:" + std::to_string(free_port());
    std::vector<std::unique_ptr<Child>> processes_;
};
INSTANTIATE_TEST_SUITE_P(ByFile, BootstrapTest, ::testing::Values(true));
INSTANTIATE_TEST_SUITE_P(ByNetwork, BootstrapTest, ::testing::Values(false));

TEST_P(BootstrapTest, GivesAllRanksTheId) {
    for (int i = 0; i < 5; ++i) start(4 - i, 5, "device " + std::to_string(i));  // rank 0 comes last
    EXPECT_THAT(outcomes(), Each("accepted"));
    EXPECT_THAT(files(), IsEmpty());
}

TEST_P(BootstrapTest, ExchangesRepeatedly) {
    for (int i = 0; i < 3; ++i) start(i, 3, "", 60s, 10);
    EXPECT_THAT(outcomes(), Each("accepted"));
    EXPECT_THAT(files(), IsEmpty());
}

TEST_P(BootstrapTest, TellsAllRanksThatTheyDisagreeOnTheSize) {
    start(0, 2, "");
    start(1, 3, "");
    start(2, 3, "");
    EXPECT_THAT(outcomes(),
                Each(AllOf(StartsWith("rejected"), HasSubstr("disagree"), HasSubstr("one of 2"), HasSubstr("one of 3"))));
}

TEST_P(BootstrapTest, TellsAllRanksThatTwoUseOneDevice) {
    for (int i = 0; i < 3; ++i) start(i, 3, i == 0 ? "GPU-a" : "GPU-b");
    EXPECT_THAT(outcomes(), Each(AllOf(StartsWith("rejected"), HasSubstr("GPU-b"), HasSubstr("one rank a GPU"))));
    EXPECT_THAT(files(), IsEmpty());
}

TEST_P(BootstrapTest, TellsAllRanksThatOneWasStartedTwice) {
    start(0, 3, "");
    start(1, 3, "");
    start(1, 3, "");  // in place of rank 2
    EXPECT_THAT(outcomes(), Each(AllOf(StartsWith("rejected"), HasSubstr("rank 1"), HasSubstr("started twice"))));
}

TEST_P(BootstrapTest, RefusesASecondRank0) {
    start(0, 2, "");
    start(0, 2, "");
    std::this_thread::sleep_for(300ms);  // both are there
    start(1, 2, "");
    const auto why = HasSubstr(GetParam() ? "rank 0 was started twice" : "start rank 0 once");
    EXPECT_THAT(outcomes(), UnorderedElementsAre("accepted", "accepted", why));
}

TEST_P(BootstrapTest, NamesTheRanksThatDoNotCome) {
    start(2, 4, "", 60s);
    start(0, 4, "", 1s);
    EXPECT_THAT(outcomes(), Each(AllOf(StartsWith("failed"), HasSubstr("ranks 1, 3 of 4"), HasSubstr("1000 ms"))));
}

TEST_P(BootstrapTest, GivesUpWithoutRank0) {
    const auto begin = std::chrono::steady_clock::now();
    start(1, 2, "", 200ms);
    EXPECT_THAT(outcomes(), Each(AllOf(StartsWith("failed"), HasSubstr("200 ms"), HasSubstr(point_))));
    EXPECT_GE(std::chrono::steady_clock::now() - begin, 200ms);
    start(0, 2, "", 0ms);
    EXPECT_THAT(outcomes(), Each(HasSubstr("ranks 1 of 2")));
    EXPECT_THROW(static_cast<void>(rank(1, 2).exchange(new_id, "", -1ms)), std::invalid_argument);
}

TEST_P(BootstrapTest, SurvivesAnEarlierRunThatWasKilled) {
    Child& first = start(0, 2, "");
    Child& second = start(1, 3, "", 60s);  // answers only in the second run, because it expects more ranks
    std::this_thread::sleep_for(200ms);
    first.kill();
    second.kill();
    static_cast<void>(outcomes());
    start(1, 2, "");
    std::this_thread::sleep_for(200ms);
    start(0, 2, "");
    EXPECT_THAT(outcomes(), Each("accepted"));
}

class FileBootstrapTest : public BootstrapTest {};
INSTANTIATE_TEST_SUITE_P(ByFile, FileBootstrapTest, ::testing::Values(true));

TEST_P(FileBootstrapTest, KeepsAFileOfAnotherProgram) {
    std::ofstream(file()) << "a letter";
    start(0, 2, "", 1s);
    start(1, 2, "", 200ms);
    const auto all = outcomes();
    EXPECT_THAT(all[0], AllOf(StartsWith("failed"), HasSubstr("was not written by a Bootstrap")));
    EXPECT_THAT(all[1], StartsWith("failed"));
    std::string text;
    std::getline(std::ifstream(file()), text);
    EXPECT_EQ(text, "a letter");
}

TEST_P(FileBootstrapTest, IgnoresTheFileOfAnEarlierRun) {
    start(0, 2, "", 60s);
    while (!fs::exists(file())) std::this_thread::sleep_for(1ms);
    processes_.front()->kill();
    static_cast<void>(outcomes());
    ASSERT_THAT(files(), ::testing::ElementsAre("meeting"));
    start(1, 2, "", 300ms);
    EXPECT_THAT(outcomes(), Each(AllOf(StartsWith("failed"), HasSubstr("earlier run"))));
    for (int i = 0; i < 2; ++i) start(1 - i, 2, "");
    EXPECT_THAT(outcomes(), Each("accepted"));
    EXPECT_THAT(files(), IsEmpty());
}

TEST_P(FileBootstrapTest, SaysThatTheFolderCannotBeWritten) {
    point_ = "file:" + (folder_ / "missing/meeting").string();
    start(0, 2, "", 1s);
    EXPECT_THAT(outcomes(), Each(AllOf(StartsWith("failed"), HasSubstr("missing"), HasSubstr("No such file"))));
}

class NetworkBootstrapTest : public BootstrapTest {
protected:
    /// Sends bytes to rank 0 as another program would.
    void send(const std::string& bytes) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        address.sin_port = htons(static_cast<std::uint16_t>(std::stoi(point_.substr(point_.find(':') + 1))));
        for (int i = 0; i < 200; ++i) {
            const int connection = ::socket(AF_INET, SOCK_STREAM, 0);
            const bool is_connected = ::connect(connection, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
            if (is_connected) (void)!::write(connection, bytes.data(), bytes.size());
            ::close(connection);
            if (is_connected) return;
            std::this_thread::sleep_for(10ms);
        }
        ADD_FAILURE() << "rank 0 does not listen";
    }
};
INSTANTIATE_TEST_SUITE_P(ByNetwork, NetworkBootstrapTest, ::testing::Values(false));

TEST_P(NetworkBootstrapTest, IgnoresConnectionsOfOtherPrograms) {
    start(0, 2, "");
    send("");
    send(std::string(1000, 'x'));
    start(1, 2, "");
    EXPECT_THAT(outcomes(), Each("accepted"));
}

TEST_P(NetworkBootstrapTest, ResolvesHostNames) {
    point_.replace(0, point_.find(':'), "localhost");
    for (int i = 0; i < 2; ++i) start(i, 2, "");
    EXPECT_THAT(outcomes(), Each("accepted"));
    point_ = "no-such-host.invalid:29400";
    start(1, 2, "", 300ms);
    EXPECT_THAT(outcomes(), Each(AllOf(StartsWith("failed"), HasSubstr("does not resolve"), HasSubstr("no-such-host.invalid"))));
}

TEST_P(NetworkBootstrapTest, SaysThatAnotherProgramListens) {
    const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    ASSERT_EQ(::bind(listener, reinterpret_cast<sockaddr*>(&address), size), 0);
    ASSERT_EQ(::listen(listener, 4), 0);
    ASSERT_EQ(::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size), 0);
    point_ = "127.0.0.1:" + std::to_string(ntohs(address.sin_port));
    start(0, 2, "", 1s);
    EXPECT_THAT(outcomes(), Each(AllOf(StartsWith("failed"), HasSubstr("in use"), HasSubstr("another port"))));
    start(1, 2, "", 1s);
    const int connection = ::accept(listener, nullptr, nullptr);
    (void)!::write(connection, std::string(1000, 'x').data(), 1000);
    EXPECT_THAT(outcomes(), Each(AllOf(StartsWith("failed"), HasSubstr("another program listens"))));
    ::close(connection);
    ::close(listener);
}

}  // namespace
}  // namespace cubind::testing
