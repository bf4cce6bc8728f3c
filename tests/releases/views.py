# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""The libraries, their headers, and one view of them, which is the set of declarations under one set of definitions."""
import re

import c_declarations
import preprocessing

INTERNAL = ("__CUDA_API_VERSION_INTERNAL", "__CUDA_API_VERSION_INTERNAL_ODR")
PER_THREAD = ("CUDA_API_PER_THREAD_DEFAULT_STREAM",)
EGL, GL, VDPAU = ["EGL/egl.h", "EGL/eglext.h"], ["GL/gl.h"], ["vdpau/vdpau.h"]
# headers: the headers that programs include. own: headers whose declarations belong to the library. borrowed: headers whose
# records belong to the library if its own headers use them. inline: whether inline definitions are functions of the library.
# The first view is the default one.
LIBRARIES = {
    "driver": {"headers": ["cuda.h", *EGL, "cudaEGL.h", *GL, "cudaGL.h", "cudaProfiler.h", *VDPAU, "cudaVDPAU.h"],
               "own": ["cuda.h", *EGL, "cudaEGL.h", *GL, "cudaGL.h", "cudaProfiler.h", *VDPAU, "cudaVDPAU.h"],
               "borrowed": [], "views": [(), INTERNAL], "inline": False},
    "runtime": {"headers": ["cuda_runtime_api.h", "cuComplex.h", "library_types.h", *EGL, "cuda_egl_interop.h", *GL,
                            "cuda_gl_interop.h", "cuda_profiler_api.h", *VDPAU, "cuda_vdpau_interop.h"],
                "own": ["cuda_runtime_api.h", "cuComplex.h", "driver_types.h", "library_types.h", "surface_types.h", "texture_types.h",
                        "vector_types.h", *EGL, "cuda_egl_interop.h", *GL, "cuda_gl_interop.h", "cuda_profiler_api.h", *VDPAU,
                        "cuda_vdpau_interop.h"],
                "borrowed": [], "views": [(), INTERNAL], "inline": False},
    "nvrtc": {"headers": ["nvrtc.h"], "own": ["nvrtc.h"], "borrowed": [], "views": [()], "inline": False},
    # The header defines its functions inline; these call symbols whose names contain the release. The library also exports the
    # plain names.
    "nvjitlink": {"headers": ["nvJitLink.h"], "own": ["nvJitLink.h"], "borrowed": [], "views": [()], "inline": True},
}
# The tokens of a constant's body, in addition to enumerators and types.
EXPRESSION = re.compile(r"(?:0[xX][0-9a-fA-F]+|\d+)[uUlL]*$|[-+*/|&~()]$|<<$|>>$|sizeof$|const$")


def is_reserved(name):
    """Returns whether a name is reserved and therefore not part of the API."""
    return name.startswith("_")


class View:
    """`parsed` holds the declarations, `constants` the macros that may be values, and `type_macros` the macros that name types."""

    def __init__(self, compiler, include_dir, library, defines):
        self.compiler, self.include_dir, self.defines = compiler, include_dir, defines
        self.library = LIBRARIES[library]
        wanted = self.library["own"] + self.library["borrowed"]
        tokens, self.macros = preprocessing.tokens_and_macros(compiler, include_dir, self.library["headers"], defines, wanted)
        self.parsed = c_declarations.Parser(tokens)
        self.select_own_declarations()
        self.meanings = self.meanings_of(self.macros)
        self.sort_macros()

    def meanings_of(self, names, defines=()):
        return preprocessing.meanings(self.compiler, self.include_dir, self.library["headers"], (*self.defines, *defines), names)

    def select_own_declarations(self):
        parsed, own = self.parsed, self.library["own"]
        parsed.functions = {name: each for name, each in parsed.functions.items() if each.header in own and not is_reserved(name)
                            and (self.library["inline"] or not each.is_inline)}
        parsed.enums = {name: each for name, each in parsed.enums.items() if each.header in own}
        parsed.typedefs = {name: each for name, each in parsed.typedefs.items() if each.header in own}
        used = self.used_words()
        parsed.records = {name: each for name, each in parsed.records.items() if each.header in own or name in used}

    def used_words(self):
        parsed = self.parsed
        texts = [each.signature for each in parsed.functions.values()] + [each.type for each in parsed.typedefs.values()]
        for record in parsed.records.values():
            texts += types_in(record) if record.header in self.library["own"] else []
        return set(re.findall(r"\w+", " ".join(texts)))

    def sort_macros(self):
        parsed = self.parsed
        types = {*parsed.typedefs, *parsed.records, *parsed.enums}
        known = {*types, *c_declarations.BUILTIN, *(name for each in parsed.enums.values() for name in each.enumerators)}
        self.constants, self.type_macros = [], {}
        for name, meaning in self.meanings.items():
            tokens = c_declarations.TOKEN.findall(meaning)
            if is_reserved(name) or not tokens:
                continue
            if meaning in types:
                self.type_macros[name] = meaning
            elif all(EXPRESSION.match(each) or each in known for each in tokens):
                self.constants.append(name)

    def symbols(self):
        """Returns {name: function} for all public names: macros that name a function, and functions under their own names."""
        macros = {name: meaning for name, meaning in self.meanings.items() if meaning in self.parsed.functions}
        return {**{name: name for name in self.parsed.functions if name not in self.macros}, **macros}

    def per_thread_symbols(self, plain):
        """Returns {name: function} for the names that refer to another function under the per-thread default stream.

        A name that then refers to an inline function is left out, because the library exports no symbol for it.
        """
        meanings = self.meanings_of(plain, PER_THREAD)
        wanted = {"headers": self.library["headers"], "wanted": self.library["own"]}
        tokens, _ = preprocessing.tokens_and_macros(self.compiler, self.include_dir, defines=(*self.defines, *PER_THREAD), **wanted)
        functions = c_declarations.Parser(tokens).functions
        return {name: meanings[name] for name, symbol in plain.items()
                if meanings[name] != symbol and meanings[name] in functions and not functions[meanings[name]].is_inline}


def types_in(record):
    """Yields the types of all fields, including those of records that are defined in place."""
    for _, type, _, inner in record.fields:
        yield from types_in(inner) if inner else [type]
