// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// The public search. Files of the toolkit are copies of the stand-in under their names.
#include <cubind/find.hpp>

#include <dlfcn.h>
#include <fstream>
#include <iterator>
#include <sys/stat.h>

#include "loader_test.hpp"

namespace cubind::testing {

class FindTest : public LoaderTest {
protected:
    FindTest() {
        set("PATH", below("bin"));
        set("VIRTUAL_ENV", below("venv"));
        set("CONDA_PREFIX", below("conda"));
        std::filesystem::create_directories(below("venv"));
        std::filesystem::create_directories(below("conda"));
    }

    std::string wheel(const std::string& file) const { return "venv/lib/python3.11/site-packages/" + file; }

    std::string place_program(const std::string& relative) const {
        const std::string path = place_text(relative);
        chmod(path.c_str(), 0755);
        return path;
    }

    static void expect_note(const Location& location, const std::string& part) {
        std::string all;
        for (const std::string& note : location.notes) all += note + "\n";
        expect_contains(all, part);
    }
};

TEST_F(FindTest, LocatesALibraryWithoutOpeningIt) {
    const std::string file = place(13, wheel("nvidia/cu13/lib/libcublas.so.13"));
    const Location found = locate(ArtifactKind::library, "cublas");
    EXPECT_TRUE(found.ok()) << found.message;
    EXPECT_EQ(found.path, file);
    EXPECT_EQ(found.found_via, "Python wheel");
    EXPECT_EQ(found.version, "13");
    EXPECT_TRUE(found.message.empty());
    EXPECT_FALSE(was_opened(13));
}

TEST_F(FindTest, ReportsAnUnknownName) {
    const Location found = locate(ArtifactKind::library, "cublaz");
    EXPECT_EQ(found.status, FindStatus::unknown_name);
    expect_contains_in_order(found.message, {"no library \"cublaz\"", "cudart", "cublas", "nvshmem_host"});
    EXPECT_EQ(locate(ArtifactKind::headers, "nvJitLink").status, FindStatus::unknown_name) << "the name of another kind";
    EXPECT_EQ(load_library("cublaz").location.status, FindStatus::unknown_name);
}

TEST_F(FindTest, ReportsANameOfAnotherPlatform) {
#if defined(__aarch64__)
    GTEST_SKIP() << "the catalogue has no artifact that does not exist for AArch64";
#endif
    place(13, wheel("nvidia/cu13/lib/libcudla.so.1"));
    const Location found = locate(ArtifactKind::library, "cudla");
    EXPECT_EQ(found.status, FindStatus::wrong_platform);
    expect_contains(found.message, "cudla (library) only for AArch64");
    EXPECT_EQ(load_library("cudla").location.status, FindStatus::wrong_platform);
    const auto names = known_names(ArtifactKind::library);
    EXPECT_EQ(std::find(names.begin(), names.end(), "cudla"), names.end());
}

TEST_F(FindTest, ReportsEveryPlaceOfAMissingLibrary) {
    const Location found = locate(ArtifactKind::library, "custabilizer");
    if (found.ok()) GTEST_SKIP() << "this machine has the library";
    EXPECT_EQ(found.status, FindStatus::not_found);
    expect_contains_in_order(
        found.message, {"No CUDA custabilizer found", "libcustabilizer.so.0", "CUBIND_CUSTABILIZER_LIBRARY=/absolute",
                        "environment variable: $CUBIND_CUSTABILIZER_LIBRARY: not set", "already loaded: libcustabilizer.so.0",
                        "Python wheel: " + below("venv/lib"), "conda: " + below("conda/lib"), "OS loader: libcustabilizer.so.0",
                        "CUDA_PATH: $CUDA_PATH: not set", "CUDA_HOME", "default prefix", "versioned prefix"});
}

TEST_F(FindTest, TakesTheNewestMajorAndNotesTheOther) {
    const std::string older = place(13, "conda/lib/libcufft.so.11");
    const std::string newer = place(13, "conda/lib/libcufft.so.12");
    const Location found = locate(ArtifactKind::library, "cufft");
    EXPECT_EQ(found.path, newer);
    EXPECT_EQ(found.found_via, "conda");
    expect_note(found, older + ": was passed over for " + newer + ", which is newer");
}

TEST_F(FindTest, ReadsTheVersionOfTheRealFile) {
    const std::string real = place(13, "conda/lib/libcufft.so.12.3.4.5");
    std::filesystem::create_symlink(real, below("conda/lib/libcufft.so.12"));
    EXPECT_EQ(locate(ArtifactKind::library, "cufft").version, "12.3.4.5");
}

TEST_F(FindTest, NotesAWheelsFolderWithoutItsFile) {
    place_text(wheel("nvidia/cufft/lib/readme"));
    const std::string file = place(13, "conda/lib/libcufft.so.12");
    const Location found = locate(ArtifactKind::library, "cufft");
    EXPECT_EQ(found.path, file);
    expect_note(found, below(wheel("nvidia/cufft/lib")) + ": is the folder of the wheel and has no usable cufft");
}

TEST_F(FindTest, FindsWheelsOfThePythonOnPath) {
    // A relative entry that has a python3 is ignored.
    place_program("relative/bin/python3");
    place(13, "relative/lib/python3.12/site-packages/nvidia/cu13/lib/libcufft.so.12");
    std::filesystem::current_path(folder_);
    set("PATH", "relative/bin:" + below("no/bin") + ":" + below("python/bin"));
    place_program("python/bin/python3");
    const std::string file = place(13, "python/lib/python3.12/site-packages/nvidia/cu13/lib/libcufft.so.12");
    EXPECT_EQ(locate(ArtifactKind::library, "cufft").path, file);
}

TEST_F(FindTest, ObeysAnOverrideAndSearchesNoOtherPlace) {
    place(13, "conda/lib/libcufft.so.12");
    const std::string file = place(13, "own/build.so");
    set("CUBIND_CUFFT_LIBRARY", file);
    const Location found = locate(ArtifactKind::library, "cufft");
    EXPECT_EQ(found.path, file);
    EXPECT_EQ(found.found_via, "environment variable");
    set("CUBIND_CUFFT_LIBRARY", below("nowhere.so"));
    const Location missing = locate(ArtifactKind::library, "cufft");
    EXPECT_EQ(missing.status, FindStatus::not_found);
    expect_contains(missing.message, "environment variable: " + below("nowhere.so") + ": no such file");
    EXPECT_EQ(missing.message.find("conda"), std::string::npos) << missing.message;
}

TEST_F(FindTest, FindsAProductThroughItsVariable) {
    const std::string file = place(13, "product/lib/libcudnn.so.9");
    set("CUDNN_PATH", below("product"));
    const Location found = locate(ArtifactKind::library, "cudnn");
    EXPECT_EQ(found.path, file);
    EXPECT_EQ(found.found_via, "CUDNN_PATH");
    place_text("product/include/cudnn.h");
    EXPECT_EQ(locate(ArtifactKind::headers, "cudnn").path, below("product/include"));
}

TEST_F(FindTest, SearchesDriverLibrariesOnlyWithTheOsLoader) {
    for (const char* folder : {"conda/lib/", "venv/lib/python3.11/site-packages/nvidia/cu13/lib/"}) {
        place(13, std::string(folder) + "libcuda.so.1");
    }
    const Location found = locate(ArtifactKind::library, "cuda");
    EXPECT_EQ(found.path.find(folder_.string()), std::string::npos);
    const std::string file = place(13, "driver.so");
    set("CUBIND_DRIVER_LIBRARY", file);
    EXPECT_EQ(locate(ArtifactKind::library, "cuda").path, file);
}

TEST_F(FindTest, FindsHeadersByTheirMarker) {
    place_text("conda/targets/x86_64-linux/include/unrelated.h");
    place_text("conda/include/cublas.h");
    const Location found = locate(ArtifactKind::headers, "cublas");
    EXPECT_EQ(found.path, below("conda/include"));
    EXPECT_EQ(found.found_via, "conda");
    place_text(wheel("nvidia/cu13/include/cccl/cuda/std/version"));
    EXPECT_EQ(locate(ArtifactKind::headers, "cccl").path, below(wheel("nvidia/cu13/include/cccl")));
}

TEST_F(FindTest, FindsHeadersByAMarkerInAFolder) {
    place_text("conda/include/nvToolsExt.h");
    EXPECT_NE(locate(ArtifactKind::headers, "nvtx").path, below("conda/include")) << "the file without its folder";
    place_text("conda/include/nvtx3/nvToolsExt.h");
    EXPECT_EQ(locate(ArtifactKind::headers, "nvtx").path, below("conda/include")) << "the folder of -I, without nvtx3";
    place_text(wheel("nvidia/nvtx/include/nvtx3/nvToolsExt.h"));
    EXPECT_EQ(locate(ArtifactKind::headers, "nvtx").path, below(wheel("nvidia/nvtx/include")));
}

TEST_F(FindTest, FindsStaticAndBitcodeLibraries) {
    const std::string archive = place_text(wheel("nvidia/cuda_runtime/lib/libcudadevrt.a"));
    EXPECT_EQ(locate(ArtifactKind::static_library, "cudadevrt").path, archive);
    const std::string of_nvshmem = place_text(wheel("nvidia/nvshmem/lib/libnvshmem_device.a"));
    EXPECT_EQ(locate(ArtifactKind::static_library, "nvshmem_device").path, of_nvshmem);
    const std::string bitcode = place_text("conda/nvvm/libdevice/libdevice.10.bc");
    EXPECT_EQ(locate(ArtifactKind::bitcode_library, "device").path, bitcode);
}

TEST_F(FindTest, FindsProgramsThatAreExecutable) {
    const std::string data = place_text(wheel("nvidia/cu13/bin/nvdisasm"));
    const std::string program = place_program("conda/bin/nvdisasm");
    const Location found = locate(ArtifactKind::program, "nvdisasm");
    EXPECT_EQ(found.path, program);
    expect_note(found, data + ": is not executable");
}

TEST_F(FindTest, NotesDifferentToolkitsInTheVariables) {
    set("CUDA_PATH", below("a"));
    set("CUDA_HOME", below("b"));
    place_text("a/include/cute/tensor.hpp");
    place_text("b/include/cute/tensor.hpp");
    const Location found = locate(ArtifactKind::headers, "cute");
    EXPECT_EQ(found.path, below("a/include"));
    EXPECT_EQ(found.found_via, "CUDA_PATH");
    expect_note(found, "$CUDA_PATH: " + below("a") + " differs from $CUDA_HOME, " + below("b"));
    set("CUDA_HOME", below("b/../a"));
    EXPECT_TRUE(locate(ArtifactKind::headers, "cute").notes.empty());
}

TEST_F(FindTest, NotesAVariableThatNamesNoFolder) {
    set("CUDA_PATH", below("nowhere"));
    set("CUDA_HOME", below("b"));
    place_text("b/include/cute/tensor.hpp");
    const Location found = locate(ArtifactKind::headers, "cute");
    EXPECT_EQ(found.found_via, "CUDA_HOME");
    expect_note(found, "$CUDA_PATH: " + below("nowhere") + ": no such folder");
}

TEST_F(FindTest, TakesASetFromOneToolkit) {
    place(13, wheel("nvidia/cu13/lib/libcublas.so.13"));
    const std::string blas = place(13, "conda/lib/libcublas.so.13");
    const std::string solver = place(13, "conda/lib/libcusolver.so.12");
    const std::string_view names[] = {"cublas", "cusolver"};
    const std::vector<Location> found = locate_together(names);
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].path, blas);
    EXPECT_EQ(found[1].path, solver);
    expect_note(found[0], "was passed over, because " + below("conda") + " has all libraries of the set");
}

TEST_F(FindTest, NotesMixedToolkits) {
    const std::string blas = place(13, wheel("nvidia/cu13/lib/libcublas.so.13"));
    const std::string solver = place(13, "conda/lib/libcusolver.so.12");
    const std::string_view names[] = {"cublas", "cusolver"};
    const std::vector<Location> found = locate_together(names);
    EXPECT_EQ(found[0].path, blas);
    EXPECT_EQ(found[1].path, solver);
    for (const Location& each : found) expect_note(each, "toolkits are mixed, because none has all libraries of the set");
}

TEST_F(FindTest, SeparatesWheelsOfTwoMajors) {
    place(13, wheel("nvidia/cu13/lib/libcublas.so.13"));
    const std::string blas = place(13, wheel("nvidia/cublas/lib/libcublas.so.12"));
    const std::string solver = place(13, wheel("nvidia/cusolver/lib/libcusolver.so.11"));
    const std::string_view names[] = {"cublas", "cusolver"};
    const std::vector<Location> found = locate_together(names);
    EXPECT_EQ(found[0].path, blas);
    EXPECT_EQ(found[1].path, solver);
}

TEST_F(FindTest, LoadsDependenciesFirstAndFromTheSameToolkit) {
    place(13, wheel("nvidia/cu13/lib/libcublasLt.so.13"));
    const std::string dependency = place(13, "conda/lib/libcublasLt.so.13");
    const std::string file = place(13, "conda/lib/libcublas.so.13");
    const LoadedLibrary loaded = load_library("cublas");
    ASSERT_NE(loaded.handle, nullptr) << loaded.location.message;
    EXPECT_EQ(loaded.location.path, file);
    EXPECT_FALSE(loaded.was_loaded);
    EXPECT_NE(dlopen(dependency.c_str(), RTLD_NOW | RTLD_NOLOAD), nullptr) << "the dependency was not loaded";
    EXPECT_TRUE(loaded.location.notes.empty());
}

TEST_F(FindTest, LoadsADependencyBesideALibraryThatAVariableNames) {
    place(13, wheel("nvidia/cu13/lib/libcublasLt.so.13"));
    const std::string dependency = place(13, "private/lib/libcublasLt.so.13");
    set("CUBIND_CUBLAS_LIBRARY", place(13, "private/lib/libcublas.so.13"));
    const LoadedLibrary loaded = load_library("cublas");
    ASSERT_NE(loaded.handle, nullptr) << loaded.location.message;
    EXPECT_NE(dlopen(dependency.c_str(), RTLD_NOW | RTLD_NOLOAD), nullptr) << "the dependency was not loaded";
    EXPECT_TRUE(loaded.location.notes.empty());
}

TEST_F(FindTest, PrefersTheVariableOfADependencyToTheFolderOfTheLibrary) {
    const std::string dependency = place(13, "named/lib/libcublasLt.so.13");
    const std::string beside = place(13, "private/lib/libcublasLt.so.13");
    set("CUBIND_CUBLASLT_LIBRARY", dependency);
    set("CUBIND_CUBLAS_LIBRARY", place(13, "private/lib/libcublas.so.13"));
    const LoadedLibrary loaded = load_library("cublas");
    ASSERT_NE(loaded.handle, nullptr) << loaded.location.message;
    EXPECT_NE(dlopen(dependency.c_str(), RTLD_NOW | RTLD_NOLOAD), nullptr) << "the dependency was not loaded";
    EXPECT_EQ(dlopen(beside.c_str(), RTLD_NOW | RTLD_NOLOAD), nullptr) << "the variable was ignored";
}

TEST_F(FindTest, LoadsADependencyOfAnotherToolkitAndNotesIt) {
    const std::string dependency = place(13, wheel("nvidia/cu13/lib/libcublasLt.so.13"));
    place(13, "conda/lib/libcublas.so.13");
    const LoadedLibrary loaded = load_library("cublas");
    EXPECT_TRUE(loaded.location.ok());
    EXPECT_NE(dlopen(dependency.c_str(), RTLD_NOW | RTLD_NOLOAD), nullptr) << "the dependency was not loaded";
    expect_note(loaded.location, dependency + " is not of the toolkit " + below("conda") + ": toolkits are mixed");
}

TEST_F(FindTest, NotesADependencyThatIsMissing) {
    place(13, "conda/lib/libcublas.so.13");
    set("CUBIND_CUBLASLT_LIBRARY", below("nowhere.so"));
    const LoadedLibrary loaded = load_library("cublas");
    EXPECT_TRUE(loaded.location.ok());
    expect_note(loaded.location, "dependency cublasLt: was not found");
}

TEST_F(FindTest, PrefersALoadedLibrary) {
    const std::string file = place(13, "elsewhere/any_name.so");
    std::string bytes;
    {
        std::ifstream in(file, std::ios::binary);
        bytes.assign(std::istreambuf_iterator<char>(in), {});
    }
    // The OS loader identifies a loaded library by its soname.
    const std::string name = "libcufft.so.12";
    const std::size_t at = bytes.find(std::string(soname) + '\0');
    ASSERT_NE(at, std::string::npos);
    bytes.replace(at, name.size() + 1, name + '\0');
    std::ofstream(file, std::ios::binary) << bytes;
    ASSERT_NE(dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL), nullptr);
    place(13, "conda/lib/libcufft.so.12");

    const Location found = locate(ArtifactKind::library, "cufft");
    EXPECT_EQ(found.path, file);
    EXPECT_EQ(found.found_via, "already loaded");
    const LoadedLibrary loaded = load_library("cufft");
    EXPECT_EQ(loaded.location.path, file);
    EXPECT_TRUE(loaded.was_loaded);
}

TEST_F(FindTest, DiagnosesEveryArtifactWithTheName) {
    const std::string refused = place_text(wheel("nvidia/cu13/lib/libcublas.so.13"));
    const std::string file = place(13, "conda/lib/libcublas.so.13");
    place_text("conda/include/cublas.h");
    expect_contains_in_order(diagnose("cublas"), {"cublas (library)", file + ", found via conda, version 13",
                                                  "note: " + refused + ": is not a library", "Searched before:",
                                                  "Python wheel: " + refused, "cublas (headers)", below("conda/include")});
    expect_contains(diagnose("nothing"), "no library \"nothing\"");
    EXPECT_FALSE(was_opened(13));
}

}  // namespace cubind::testing
