// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/cufile/loading.hpp>
#include <cubind/library.hpp>

#include "file_test.hpp"

namespace cubind::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST_F(CufileTest, OpensCufileOnceAndClosesItAfterTheLastUser) {
    {
        const FileDriver driver;
        const FileDriver other;
        const File file(file_with({}), direct());
        EXPECT_EQ(stand_in().count("cuFileDriverOpen"), 1);
    }
    EXPECT_EQ(stand_in().count("cuFileDriverClose"), 1);
    { const File file(file_with({}), direct()); }
    EXPECT_EQ(stand_in().count("cuFileDriverOpen"), 2);
}

TEST_F(CufileTest, ReportsProperties) {
    const FileDriverProperties properties = FileDriver().properties();
    EXPECT_EQ(properties.version, 1200);
    EXPECT_TRUE(properties.has_nvidia_fs());
    EXPECT_TRUE(properties.supports(cufile::CU_FILE_NVME_SUPPORTED));
    EXPECT_FALSE(properties.supports(cufile::CU_FILE_LUSTRE_SUPPORTED));
    EXPECT_TRUE(properties.supports(cufile::CU_FILE_STREAMS_SUPPORTED));
    EXPECT_FALSE(properties.supports(cufile::CU_FILE_P2P_SUPPORTED));
    EXPECT_EQ(properties.max_batch_size(), 128u);
}

TEST_F(CufileTest, ChangesSettings) {
    const FileDriver driver({.allow_compat_mode = false, .force_compat_mode = true, .poll_threshold_kib = 4});
    EXPECT_THAT(stand_in().log, ElementsAre("cuFileSetParameterBool 1 0", "cuFileSetParameterBool 2 1", "cuFileDriverOpen",
                                            "cuFileDriverSetPollMode 1 4"));
    EXPECT_THAT(message_of<std::invalid_argument>([] { const FileDriver late({.allow_compat_mode = true}); }), HasSubstr("open"));
    stand_in().log.clear();
    const FileDriver other({.poll_threshold_kib = 0, .max_direct_io_kib = 1, .max_cache_kib = 2, .max_pinned_kib = 3});
    EXPECT_THAT(stand_in().log, ElementsAre("cuFileDriverSetPollMode 0 0", "cuFileDriverSetMaxDirectIOSize 1",
                                            "cuFileDriverSetMaxCacheSize 2", "cuFileDriverSetMaxPinnedMemSize 3"));
}

TEST_F(CufileTest, LeavesCufileOpenThatOtherCodeHasOpened) {
    stand_in().fail("cuFileDriverOpen", cufile::CU_FILE_DRIVER_ALREADY_OPEN);
    { const FileDriver driver; }
    EXPECT_EQ(stand_in().count("cuFileDriverClose"), 0);
    FailedCalls::get().forget();  // the status says that it is open
}

TEST_F(CufileTest, IsAvailableWithASimulatedCufile) {
    EXPECT_TRUE(FileDriver::is_available());
    EXPECT_EQ(FileDriver::unavailability(), "");
}

TEST_F(PosixFileTest, DoesNotCallCufileOnTheSimulatedDriver) {
    EXPECT_FALSE(FileDriver::is_available());
    const std::string path = file_with({});
    EXPECT_THAT(message_of<FileError>([&] { const File file(path, {.route = FileRoute::cufile}); }), HasSubstr(path));
    EXPECT_THROW((void)FileDriver(), FileError);
    // A file keeps its content if it cannot have the route.
    write_file(path, pattern(10));
    EXPECT_THROW((void)File(path, {.write = true, .truncate = true, .route = FileRoute::gpu_direct}), FileError);
    EXPECT_EQ(content_of(path).size(), 10u);
}

}  // namespace
}  // namespace cubind::testing
