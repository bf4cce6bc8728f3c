# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Mistakes with buffers, copies, fills, memory resources and variables of code do not compile, and their correct counterparts do.

usage: memory_misuse_test.py COMPILER INCLUDE_DIR...
"""
from compiled_statements import StatementTest, main

DELETED = r"deleted"
DISCARDED = r"nodiscard"
NO_MATCH = r"no match|could not convert|conversion from|cannot convert|invalid initialization|cannot bind"
TEMPORARY = r"temporary object is destroyed"
CONSTANT = r"must not be constant"
DIFFERENT = r"element types differ"
ELEMENTS = r"trivially copyable type, and neither const nor arrays"


class MemoryMisuseTest(StatementTest):
    PREAMBLE = """
#include <cubind/core.hpp>
#include <cubind/core/memory/decompression.hpp>
#include <cubind/core/memory/memory_operation.hpp>
#include <array>
#include <string>
#include <unordered_set>
#include <vector>
using namespace cubind;
struct Settings { float scale; int count; };
struct HostMemory : MemoryResourceBase {
    driver::CUdeviceptr allocate(StreamRef, std::size_t, std::size_t) override;
    void deallocate(StreamRef, driver::CUdeviceptr, std::size_t, std::size_t) override;
    bool is_device_accessible() const noexcept override;
    bool is_host_accessible() const noexcept override;
};
void read(const Buffer& buffer);
void scale(TypedBuffer<float>& buffer);
MemoryResource& resource();
void allocate_from(const MemoryResource& resource);
extern Device device;
extern Stream stream;
extern Buffer buffer;
extern VirtualBuffer virtual_buffer;
extern const Buffer constant_buffer;
extern TypedBuffer<float> floats;
extern const TypedBuffer<float> constant_floats;
extern TypedBuffer<int> ints;
extern TypedBuffer<double> doubles;
extern TypedBuffer<std::uint32_t> words;
extern const TypedBuffer<std::uint32_t> constant_words;
extern TypedBuffer<std::uint64_t> longs;
extern std::uint64_t long_value;
extern const ObjectCode code;
extern const Kernel kernel;
extern const KernelFunction<void(float*, const float*)> function;
extern DeviceMemoryResource pool;
extern const LimitMemoryResource limited;
extern HostMemory host;
extern std::vector<float> values;
extern std::vector<int> numbers;
extern const std::vector<float> constants;
extern float number;
extern const float constant;
extern float* pointer;
extern Array image;
extern TextureObject texture;
extern SurfaceObject surface;
extern const KernelFunction<void(driver::CUtexObject, float*)> sample;
extern MipmappedArray mipmapped;
extern PitchedBuffer<float> rows;
extern PitchedSpan<float> tile;
extern PitchedSpan<const float> constant_tile;
extern RegisteredHostMemory registered;
extern StridedView view;
extern StridedSpan<float, 2> strided_span;
struct Three { float x, y, z; };
struct Double2 { double x, y; };
"""

    def test_spans_of_temporary_buffers_are_rejected(self):
        self.assert_rejected({statement: DELETED for statement in (
            "(void)device.allocate(stream, 64).span<float>();", "(void)device.allocate<float>(stream, 16).span();",
            "(void)device.allocate<float>(stream, 16).first(1);", "(void)device.allocate<float>(stream, 16).last(1);",
            "(void)device.allocate<float>(stream, 16).subspan(1);", "(void)device.allocate<float>(stream, 16).subspan(1, 2);",
            "(void)std::move(floats).span();", "(void)device.allocate<float>(stream, 16).bytes();")})
        self.assert_compiles("(void)buffer.span<float>();", "(void)floats.span();", "(void)constant_floats.subspan(1, 2);",
                             "(void)floats.bytes().size();", "device.allocate(stream, 64).close();",
                             "(void)device.allocate<float>(stream, 16).count();", "Buffer bytes = std::move(floats).to_bytes();")

    def test_copies_with_options_are_checked_as_other_copies(self):
        options = "{.source_access_order = SourceAccessOrder::any}"
        self.assert_rejected({f"copy(stream, floats, std::vector<float>(4), {options});": TEMPORARY,
                              "CopyPiece(ints, std::vector<int>(4));": TEMPORARY})
        self.assert_rejected({f"floats.copy_from(stream, ints, {options});": DIFFERENT, "CopyPiece(floats, numbers);": DIFFERENT})
        self.assert_rejected({f"floats.copy_to(stream, constants, {options});": CONSTANT,
                              "CopyPiece(constant_floats, values);": CONSTANT})
        self.assert_rejected({"copy_batch(stream, {{floats, stream}});": NO_MATCH})
        self.assert_compiles(f"copy(stream, floats, values, {options});", f"floats.copy_from(stream, values, {options});",
                             f"buffer.copy_to(stream, values, {options});", "CopyPiece piece(floats, values);",
                             f"copy_batch(stream, {{{{floats, values}}, {{buffer, numbers, {options}}}}}, {options});",
                             "copy_batch(stream, {{buffer, constant_buffer}});", "copy_batch(stream, {{values, values}});",
                             "copy_batch(stream, {{number, constant}, {number, floats}});")

    def test_boxes_in_batches_are_checked_as_other_copies(self):
        self.assert_rejected({"CopyPiece(image, std::vector<float>(4));": TEMPORARY, "CopyPiece(rows, numbers);": DIFFERENT,
                              "CopyPiece(constant_tile, values);": CONSTANT})
        self.assert_compiles("copy_batch(stream, {{image, values}, {values, rows}, {rows, constant_tile}, {floats, values}});",
                             "CopyPiece piece(image.layer(0), tile, {.prefer_overlap_with_compute = true});")

    def test_decompressions_have_memory_for_results_and_sizes(self):
        lz4 = "DecompressionAlgorithm::lz4"
        self.assert_rejected({
            f"DecompressionPiece(constant_floats, buffer, {lz4});": CONSTANT,
            f"DecompressionPiece(floats, std::vector<float>(4), {lz4});": TEMPORARY,
            f"DecompressionPiece(image, buffer, {lz4});": NO_MATCH,
            f"decompress_batch(stream, {{{{floats, buffer, {lz4}}}}}, ints);": "std::uint32_t",
            f"decompress_batch(stream, {{{{floats, buffer, {lz4}}}}}, constant_words);": "std::uint32_t"})
        self.assert_compiles(f"decompress_batch(stream, {{{{floats, constant_buffer, {lz4}}}}}, words);")

    def test_strided_spans_are_not_copied_as_values(self):
        self.assert_rejected({
            "copy(stream, buffer, strided_span);": NO_MATCH, "copy(stream, strided_span, floats);": NO_MATCH,
            "copy(stream, view, strided_span);": NO_MATCH, "copy(stream, view, floats);": NO_MATCH,
            "launch(stream, {}, kernel, view);": r"copied byte by byte", "(void)StridedView(floats, 3);": NO_MATCH,
            "(void)view.span<Settings, 1>();": r"specialize cubind::data_type", "(void)strided_span(1);": r"pass one index",
            "(void)strided_span[1];": r"is for one dimension"})
        self.assert_compiles("copy(stream, view, StridedView(floats, {2, 3}));", "launch(stream, {}, kernel, strided_span);",
                             "copy(stream, view.transpose(), view.slice(0, 0, 1));", "(void)strided_span(1, 2);",
                             "(void)view.span<const std::byte, 16>();")

    def test_registered_memory_refers_to_named_memory(self):
        self.assert_rejected({
            "RegisteredHostMemory pinned(std::vector<float>(4));": TEMPORARY, "RegisteredHostMemory pinned(buffer);": NO_MATCH,
            "RegisteredHostMemory copied(registered);": DELETED, "RegisteredHostMemory pinned = values;": NO_MATCH,
            "copy(stream, buffer, RegisteredHostMemory(values));": TEMPORARY,
            "copy(stream, std::as_const(registered), values);": CONSTANT, "RegisteredHostMemory(values, {});": DISCARDED})
        self.assert_compiles("RegisteredHostMemory pinned(values, {.mapped = true});",
                             "auto part = std::span(values).first(1); RegisteredHostMemory pinned(part);",
                             "copy(stream, registered, values);", "copy(stream, values, std::as_const(registered));", "fill(stream, registered, 1.5f);",
                             "function(stream, {}, registered, registered);", "launch(stream, {}, kernel, registered, 3);",
                             "copy_batch(stream, {{registered, buffer}});", "RegisteredHostMemory moved(std::move(registered));")

    def test_typed_buffers_and_buffers_do_not_convert(self):
        self.assert_rejected({
            "read(floats);": DELETED, "scale(buffer);": NO_MATCH, "scale(ints);": NO_MATCH,
            "Buffer bytes = std::move(floats);": DELETED, "TypedBuffer<float> typed = std::move(buffer);": NO_MATCH,
            "TypedBuffer<float> typed(buffer);": NO_MATCH, "TypedBuffer<float> typed(std::move(ints));": DELETED,
            "Buffer bytes = device.allocate<float>(stream, 4);": DELETED, "TypedBuffer<float> copy(floats);": DELETED,
            "Buffer copy(buffer);": DELETED, "TypedBuffer<float>::view_of(64, 64);": r"view_of"})
        self.assert_compiles("read(floats.bytes());", "TypedBuffer<float> typed(std::move(buffer));", "TypedBuffer<float> empty;",
                             "TypedBuffer<float> moved = std::move(floats);", "Buffer empty; empty = std::move(buffer);")

    def test_a_typed_buffer_as_a_buffer_has_a_hint(self):
        result, _ = self.compile(["Buffer bytes = device.allocate<float>(stream, 4);"])
        self.assertRegex(result.stderr, r"use auto, TypedBuffer<Element>, or std::move\(typed\)\.to_bytes\(\)")

    def test_streams_as_last_arguments_have_a_hint(self):
        for statement, hint in (("copy(floats, values, stream);", r"// write copy\(stream, destination, source\)"),
                                ("fill(floats, 1.0f, stream);", r"// write fill\(stream, destination, value\)"),
                                ("(void)device.allocate(64, stream);", r"// write allocate\(stream, size\)"),
                                ("(void)device.allocate<float>(16, StreamRef(stream));", r"// write allocate\(stream, size\)"),
                                ("(void)pool.allocate(64, stream);", r"// write allocate\(stream, size\)")):
            result, _ = self.compile([statement])
            self.assertNotEqual(result.returncode, 0, statement)
            self.assertRegex(result.stderr, hint)
            self.assertLess(len(result.stderr.splitlines()), 35)

    def test_elements_are_plain_objects(self):
        self.assert_rejected({
            "TypedBuffer<std::string> typed;": ELEMENTS, "TypedBuffer<const float> typed;": ELEMENTS, "TypedBuffer<float[4]> typed;": ELEMENTS,
            "(void)buffer.span<std::vector<int>>();": r"its elements must be trivially copyable"})

    def test_copies_reject_other_element_types(self):
        statements = ("copy(stream, floats, numbers);", "copy(stream, numbers, floats);", "copy(stream, floats, ints);",
                      "copy(stream, doubles, number);", "copy(stream, ints.first(1), number);",
                      "int other = 0; copy(stream, code.global<unsigned>(\"counter\", device), other);",
                      "copy(stream, code.global<double[4]>(\"table\", device), values);")
        self.assert_rejected({each: DIFFERENT for each in statements})
        self.assert_compiles("copy(stream, floats, values);", "copy(stream, values, floats);", "copy(stream, floats, floats);",
                             "copy(stream, buffer, numbers);", "copy(stream, floats, buffer);", "copy(stream, numbers, floats.bytes());",
                             "copy(stream, floats, std::as_bytes(std::span(numbers)));", "copy(stream, floats, constants);")

    def test_copies_reject_constant_destinations(self):
        self.assert_rejected({each: CONSTANT for each in (
            "copy(stream, constant_buffer, values);", "copy(stream, constant_floats, values);", "copy(stream, constants, floats);",
                     "copy(stream, constant, floats);", "copy(stream, code.global<const float>(\"scale\", device), number);")})
        self.assert_compiles("copy(stream, values, constant_floats);", "copy(stream, buffer, constant_buffer);",
                             "copy(stream, floats, constant);", "copy(stream, number, code.global<const float>(\"scale\", device));")

    def test_copies_reject_temporaries(self):
        self.assert_rejected({each: TEMPORARY for each in (
            "copy(stream, floats, std::vector<float>(4));", "copy(stream, floats, 1.5f);", "copy(stream, ints, 1 + 1);",
                     "copy(stream, buffer, Settings{1, 2});", "copy(stream, values, device.allocate<float>(stream, 4));",
                     "copy(stream, code.global<float>(\"scale\", device), 2.0f);")})
        self.assert_compiles("copy(stream, code.global<float>(\"scale\", device), number);",
                             "copy(stream, number, code.global<float>(\"scale\", device));",
                             "copy(stream, code.global<float[16]>(\"table\", device), values);",
                             "Settings settings{1, 2}; copy(stream, buffer, settings); copy(stream, settings, buffer);",
                             "copy(stream, code.global<float*>(\"table\", device), pointer);")

    def test_copies_reject_objects_without_memory(self):
        self.assert_rejected({"copy(stream, buffer, pointer);": r"pass std::span\(pointer, count\)"})
        self.assert_rejected({f"copy(stream, buffer, {each});": NO_MATCH for each in ("stream", "device", "nullptr", "kernel")})

    def test_memory_operations_are_checked(self):
        element = r"needs an unsigned element of 4 or 8 bytes"
        self.assert_rejected({each: element for each in (
            "write_value(stream, floats, 1);", "write_value(stream, ints, 1);", "write_value(stream, doubles, 1);",
            "wait_value(stream, values, WaitCondition::equal, 1);", "write_value(stream, buffer, std::uint8_t{1});")})
        self.assert_rejected({"write_value(stream, constant_words, 1);": r"a constant cannot be written"})
        self.assert_rejected({"write_value(stream, device.allocate<std::uint32_t>(stream, 1), 1);": TEMPORARY})
        self.assert_rejected({"write_value(stream, words, long_value);": NO_MATCH, "write_value(stream, longs, 1.5);": NO_MATCH,
                              "wait_value(stream, words, 1, 1);": NO_MATCH,
                              "wait_value(stream, words, WaitCondition::equal, nullptr);": NO_MATCH})
        self.assert_rejected({"MemoryOperation::write(words, 1);": DISCARDED, "MemoryOperation::barrier();": DISCARDED})
        self.assert_compiles("write_value(stream, words, 1);", "write_value(stream, longs, long_value);",
                             "write_value(stream, words.subspan(3, 1), 1u);", "write_value(stream, longs, -1);",
                             "wait_value(stream, constant_words, WaitCondition::equal, 1);",
                             "write_value(stream, long_value, 1);",
                             "write_value(stream, code.global<unsigned int>(\"flag\", device), 1);",
                             "memory_operation_batch(stream, {MemoryOperation::barrier(), MemoryOperation::write(words, 1)});",
                             "std::vector<MemoryOperation> many; memory_operation_batch(stream, many);")

    def test_fills_reject_other_destinations(self):
        self.assert_rejected({"fill(stream, constant_floats, 1.0f);": NO_MATCH, "fill(stream, device.allocate<float>(stream, 4), 1.0f);": NO_MATCH,
                              "fill(stream, constant_buffer, 1);": NO_MATCH, "fill(stream, values, 1.0f);": NO_MATCH})
        self.assert_rejected({"fill(stream, std::span(constants), 1.0f);": CONSTANT})
        self.assert_rejected({"fill(stream, doubles, 1.0);": r"fill larger elements with a std::byte"})
        self.assert_compiles("fill(stream, floats, 1.0f);", "fill(stream, floats, 1);", "fill(stream, doubles, std::byte{0});",
                             "fill(stream, floats.first(2), 1.0f);", "fill(stream, buffer, std::uint8_t{0});",
                             "fill(stream, code.global<float[16]>(\"table\", device), 1.0f);", "floats.fill(stream, 1.0f);",
                             "doubles.fill(stream, std::byte{0});")

    def test_kernel_functions_reject_other_element_types(self):
        self.assert_rejected({"function(stream, {}, ints, floats);": NO_MATCH, "function(stream, {}, floats, doubles);": NO_MATCH,
                              "function(stream, {}, floats, code.global<int>(\"counter\", device));": NO_MATCH,
                              "function(stream, {}, code.global<const float>(\"scale\", device), floats);": NO_MATCH})
        self.assert_compiles("function(stream, {}, floats, constant_floats);", "function(stream, {}, buffer, floats.first(2));",
                             "function(stream, {}, floats, code.global<float[16]>(\"table\", device));",
                             "launch(stream, {}, kernel, floats, constant_floats, buffer, code.global<float>(\"scale\", device));")

    def test_copies_of_boxes_check_their_operands(self):
        self.assert_rejected({
            "copy(stream, image, std::vector<float>{1});": TEMPORARY, "copy(stream, Array(), values);": TEMPORARY,
            "copy(stream, image, number + 1);": TEMPORARY, "copy(stream, PitchedBuffer<float>(), values);": TEMPORARY,
            "copy(stream, constant_tile, values);": CONSTANT, "copy(stream, rows, numbers);": DIFFERENT,
            "copy(stream, constants, tile);": CONSTANT, "copy(stream, tile, ints);": DIFFERENT,
            "copy(stream, mipmapped, values);": NO_MATCH, "copy(stream, image, stream);": NO_MATCH,
            "fill(stream, mipmapped, 1);": NO_MATCH, "fill(stream, tile, pointer);": NO_MATCH, "fill(stream, constant_tile, 1.0f);": CONSTANT})
        self.assert_compiles(
            "copy(stream, image, values);", "copy(stream, image, numbers);", "copy(stream, values, image.layer(0));",
            "copy(stream, image, floats);", "copy(stream, buffer, image);", "copy(stream, image, image.region({}, {}));",
            "copy(stream, tile, constant_tile);", "copy(stream, rows, constant_tile.region({}, {}));", "copy(stream, rows, values);",
            "copy(stream, mipmapped.level(1), rows);", "copy(stream, number, image.region({}, {}));",
            "copy(stream, image, PitchedSpan<const float>(pointer, {4, 4}, 64));", "constant_tile = tile;",
            "fill(stream, image, 1);", "fill(stream, tile, 1.0f);", "fill(stream, rows, 1);",
            "copy(stream, ArrayRef(driver::CUarray()), values);", "copy(stream, image, std::as_bytes(std::span(values)));")

    def test_views_of_temporary_pitched_buffers_are_rejected(self):
        self.assert_rejected({statement: DELETED for statement in (
            "(void)device.allocate_pitched<float>(stream, {}).span();", "(void)device.allocate_pitched<float>(stream, {}).bytes();",
            "(void)device.allocate_pitched<float>(stream, {}).region({}, {});")})

    def test_views_of_temporary_virtual_buffers_are_rejected(self):
        self.assert_rejected({"(void)VirtualBuffer().span<int>();": DELETED, "(void)VirtualBuffer().bytes();": DELETED,
                              "VirtualBuffer copied(virtual_buffer);": DELETED})
        self.assert_compiles("copy(stream, virtual_buffer, values);", "copy(stream, values, std::as_const(virtual_buffer));",
                             "fill(stream, virtual_buffer, 1.5f);", "VirtualBuffer moved = std::move(virtual_buffer);")

    def test_formats_of_arrays_have_channels(self):
        channel, count = "a channel is a float", "1, 2 or 4 channels"
        self.assert_rejected({
            "(void)ArrayFormat::of<double>();": channel, "(void)ArrayFormat::of<Double2>();": channel,
            "(void)ArrayFormat::of<bool>();": channel, "(void)ArrayFormat::of<long long>();": channel,
            "(void)ArrayFormat::of<Settings>();": channel, "(void)ArrayFormat::of<Three>();": count})
        self.assert_compiles("(void)ArrayFormat::of<char>();", "(void)ArrayFormat::of<std::array<float, 2>>();")

    def test_views_of_arrays_reject_null_pointers_and_integers(self):
        self.assert_rejected({f"{view} view({argument});": DELETED for view in ("ArrayRef", "MipmappedArrayRef")
                              for argument in ("nullptr", "0", "1")})
        self.assert_rejected({f"{each};": DELETED for each in ("Array copied(image)", "MipmappedArray copied(mipmapped)",
                                                               "PitchedBuffer<float> copied(rows)")})
        self.assert_rejected({statement: DISCARDED for statement in (
            "device.create_array({});", "Array(device, {});", "device.create_mipmapped_array({});", "image.options();", "image.release();",
            "device.allocate_pitched<float>(stream, {});", "rows.span();", "mipmapped.level(0);")})

    def test_textures_are_passed_as_handles(self):
        self.assert_rejected({
            "TextureRef view = 1ull;": NO_MATCH, "SurfaceRef view = 1ull;": NO_MATCH, "TextureObject copied(texture);": DELETED,
            "SurfaceObject copied(surface);": DELETED, "function(stream, {}, texture, floats);": NO_MATCH,
            "sample(stream, {}, buffer, floats);": NO_MATCH, "sample(stream, {}, pointer, floats);": NO_MATCH})
        self.assert_rejected({statement: DISCARDED for statement in (
            "(TextureObject(image));", "TextureObject(mipmapped, {});", "(SurfaceObject(image));", "texture.options();",
            "surface.native_handle();")})
        self.assert_compiles(
            "sample(stream, {}, texture, floats);", "sample(stream, {}, surface, floats);", "sample(stream, {}, 5, floats);",
            "sample(stream, {}, texture.native_handle(), floats);", "launch(stream, {}, kernel, texture, surface, floats);",
            "TextureObject rows_texture(rows); TextureObject of_tile(tile); TextureObject of_constant(constant_tile);",
            "TextureObject of_floats(floats); TextureObject of_buffer(buffer, ArrayFormat::half(2));",
            "TextureObject options(image, {.address_mode = {AddressMode::clamp, AddressMode::border}, .border_color = {1, 2}});")

    def test_resources_are_not_sliced(self):
        self.assert_rejected({
            "MemoryResource& sliced = pool; (void)sliced;": NO_MATCH,
            "PoolMemoryResource base = pool;": r"protected", "HostMemory copy(host);": DELETED, "HostMemory moved(std::move(host));": DELETED,
            "struct Derived : MemoryResource {};": r"final", "struct Derived : DeviceMemoryResource {};": r"final",
            "MemoryResource empty;": NO_MATCH, "std::shared_ptr<MemoryResourceBase> base; MemoryResource any = base;": NO_MATCH})
        self.assert_compiles("allocate_from(pool);", "allocate_from(limited);", "MemoryResource any = pool; any = limited;",
                             "device.set_memory_resource(pool);", "LimitMemoryResource stacked(limited, 4);",
                             "DeviceMemoryResource copy = pool; copy = pool;", "(void)(resource() == pool);")

    def test_results_must_be_used(self):
        self.assert_rejected({statement: DISCARDED for statement in (
            "device.allocate(stream, 64);", "device.allocate(stream, 64, 16);", "device.allocate<float>(stream, 4);",
            "pool.allocate(stream, 64);", "resource().allocate<float>(stream, 4);", "buffer.native_handle();", "buffer.size();",
            "buffer.release();", "buffer.is_closed();", "floats.count();", "floats.span();", "floats.release();",
            "Buffer::view_of(64, 64);", "TypedBuffer<float>(std::move(buffer));", "pool.attributes();",
            "pool.peer_accessible_by();", "PointerAttributes::of(pointer);", "code.global(\"counter\", device);",
            "code.global<int>(\"counter\", device);", "code.kernel(\"saxpy\");", "code.bytes();")})
        self.assert_compiles("floats.close();", "pool.trim();", "buffer.close(stream);", "copy(stream, floats, values);")

    def test_buffers_are_keys(self):
        self.assert_compiles(*(f"std::unordered_set<{each}> set; (void)set;" for each in ("Buffer", "TypedBuffer<float>", "MemoryResource")))


if __name__ == "__main__":
    main()
