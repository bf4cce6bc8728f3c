# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""A parser for those C declarations that the vendor's headers use: prototypes, enums, structs, unions and typedefs.

Types are stored as text without unnecessary spaces and without the words struct, union and enum: "const char*const*",
"void(*)(void*)".
"""
import dataclasses
import re

TOKEN = re.compile(r"""[A-Za-z_]\w*|\.?\d(?:[eEpP][+-]|[\w.])*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\.\.\.|<<|>>|::|[^\s\w]""")
IDENTIFIER = re.compile(r"[A-Za-z_]\w*$")
STORAGE = {"typedef", "extern", "static", "inline", "__inline__", "__inline", "constexpr"}
BUILTIN = {"void", "char", "short", "int", "long", "float", "double", "signed", "unsigned", "bool"}
# Words before balanced parentheses that do not affect a type.
DECORATIONS = {"__attribute__", "alignas", "__declspec", "noexcept"}
IGNORED = {"__extension__", "__restrict", "__restrict__", "volatile"}
CLOSING = {"(": ")", "[": "]", "{": "}"}


class UnsupportedDeclaration(Exception):
    """Raised for a declaration that this parser does not support."""


@dataclasses.dataclass
class Record:
    """A struct or union; fields are (name, type, array lengths as text, Record if defined in place).

    `has_tag` is false if only a typedef names it.
    """
    name: str
    keyword: str
    fields: list
    has_tag: bool
    header: str = ""

    def spelling(self):
        """Returns its C++ name, which is valid even if a function hides the tag."""
        return f"{self.keyword} {self.name}" if self.has_tag else self.name


@dataclasses.dataclass
class Enum:
    name: str
    enumerators: list
    has_tag: bool
    header: str = ""

    def spelling(self):
        return f"enum {self.name}" if self.has_tag else self.name


@dataclasses.dataclass
class Function:
    name: str
    signature: str
    is_inline: bool
    header: str
    line: int


@dataclasses.dataclass
class Typedef:
    """`tag` is set for a pointer to a struct, `is_callback` for a pointer to a function."""
    name: str
    type: str
    tag: str
    is_callback: bool
    header: str = ""


@dataclasses.dataclass
class Declarator:
    name: str = ""
    left: str = ""
    right: str = ""
    lengths: list = dataclasses.field(default_factory=list)
    is_function: bool = False
    is_function_pointer: bool = False

    def type(self):
        return self.left + self.right


def builtin(words):
    """Returns the same spelling for `unsigned`, `unsigned int`, `int unsigned` and so on."""
    rest = [each for each in words if each not in ("int", "signed", "unsigned", "long", "short")]
    sign = ["unsigned"] if "unsigned" in words else ["signed"] if "signed" in words and rest == ["char"] else []
    length = ["short"] if "short" in words else ["long"] * words.count("long")
    return " ".join(sign + length + (rest or ([] if length else ["int"])))


class Parser:
    """Parses tokens, each (text, header, line), into functions, enums, records and typedefs by name."""

    def __init__(self, tokens):
        self.tokens = [each for each in tokens if each[0] not in IGNORED]
        self.position = 0
        self.functions, self.enums, self.records, self.typedefs = {}, {}, {}, {}
        while self.position < len(self.tokens):
            self.declaration()

    def peek(self, ahead=0):
        position = self.position + ahead
        return self.tokens[position][0] if position < len(self.tokens) else ""

    def next(self):
        self.position += 1
        if self.position > len(self.tokens):
            raise UnsupportedDeclaration("the text ends within a declaration")
        return self.tokens[self.position - 1][0]

    def accept(self, text):
        if self.position >= len(self.tokens):
            raise UnsupportedDeclaration(f"the text ends before {text!r}")
        found = self.peek() == text
        self.position += found
        return found

    def expect(self, text):
        if not self.accept(text):
            _, header, line = self.tokens[min(self.position, len(self.tokens) - 1)]
            raise UnsupportedDeclaration(f"{header}:{line}: found {self.peek()!r}, but expected {text!r}")

    def balanced(self):
        """Returns the tokens within the brackets that begin here, and moves the position behind them."""
        start, opened = self.position + 1, []
        while True:
            text = self.next()
            if text in CLOSING:
                opened.append(CLOSING[text])
            elif opened and text == opened[-1]:
                opened.pop()
            if not opened:
                return [each[0] for each in self.tokens[start:self.position - 1]]

    def skip_until(self, *ends):
        """Moves the position to one of `ends` outside of brackets."""
        while self.peek() and self.peek() not in ends:
            if self.peek() in CLOSING:
                self.balanced()
            else:
                self.next()

    def skip_decorations(self):
        while self.peek() in DECORATIONS:
            self.next()
            if self.peek() == "(":
                self.balanced()

    def declaration(self):
        if self.peek() == "extern" and self.peek(1).startswith('"'):  # the end of the block is skipped as an unmatched brace
            self.position += 2
            self.accept("{")
            return
        if self.peek() in (";", "}"):
            self.next()
            return
        _, header, line = self.tokens[self.position]
        storage, base, made = self.specifiers()
        self.register(made, header)
        while not self.accept(";"):
            each = self.declarator(base)
            if "typedef" in storage:
                self.add_typedef(each, base, made, header)
            elif each.is_function:
                self.add_function(each, storage, header, line)
                if self.peek() == "{":
                    self.balanced()
                    return
            self.skip_until(",", ";")
            self.accept(",")

    def register(self, made, header):
        if made is not None:
            made.header = header
            if made.name:
                (self.enums if isinstance(made, Enum) else self.records)[made.name] = made

    def add_typedef(self, declarator, base, made, header):
        if made is not None and not made.name and declarator.type() == base:
            made.name = declarator.name
            self.register(made, header)
        elif declarator.type() != declarator.name:
            points = re.fullmatch(r"(\w+)\*", declarator.type()) and self.last_tag == base
            self.typedefs[declarator.name] = Typedef(declarator.name, declarator.type(), base if points else "",
                                                     declarator.is_function_pointer, header)

    def add_function(self, declarator, storage, header, line):
        is_inline = self.peek() == "{" or "static" in storage
        self.functions.setdefault(declarator.name, Function(declarator.name, declarator.type(), is_inline, header, line))

    def specifiers(self):
        """Parses the text before the declarators. Returns storage words, the type, and the record or enum that it defines."""
        storage, words, name, made, constant = set(), [], "", None, False
        self.last_tag = ""
        while True:
            self.skip_decorations()
            text = self.peek()
            if text in STORAGE:
                storage.add(self.next())
            elif text == "const":
                constant = bool(self.next())
            elif text in ("struct", "union", "enum"):
                name, made = self.tagged(self.next())
                self.last_tag = name if text == "struct" and made is None else ""
            elif text in BUILTIN:
                words.append(self.next())
            elif IDENTIFIER.match(text) and not name and not words and made is None:
                name = self.next()
            else:
                return storage, "const " * constant + (name or (builtin(words) if words else "")), made

    def tagged(self, keyword):
        """Parses the text after struct, union or enum. Returns the tag and the definition in braces, if there is one."""
        self.skip_decorations()
        name = self.next() if IDENTIFIER.match(self.peek()) else ""
        if keyword == "enum" and self.accept(":"):
            self.specifiers()
        if self.peek() != "{":
            return name, None
        return name, self.enum_body(name) if keyword == "enum" else self.record_body(name, keyword)

    def enum_body(self, name):
        enumerators = []
        self.expect("{")
        while not self.accept("}"):
            enumerators.append(self.next())
            self.skip_until(",", "}")
            self.accept(",")
        return Enum(name, enumerators, bool(name))

    def record_body(self, name, keyword):
        fields = []
        self.expect("{")
        while not self.accept("}"):
            self.skip_decorations()
            if self.is_member_function():
                self.skip_until(";", "{")
                if self.peek() == "{":
                    self.balanced()
                self.accept(";")
                continue
            _, base, made = self.specifiers()
            if self.accept(";"):
                fields.append(("", base, [], made))
                continue
            while True:
                each = self.declarator(base)
                if self.peek() == ":" or made is not None and each.left != base:
                    raise UnsupportedDeclaration(f"{name}.{each.name} is a bit-field or a pointer to a type defined in place")
                fields.append((each.name, each.type(), each.lengths, made))
                if not self.accept(","):
                    break
            self.expect(";")
        return Record(name, keyword, fields, bool(name))

    def is_member_function(self):
        """Returns whether a constructor or conversion follows, which the vector types have in C++."""
        ahead = 0
        while IDENTIFIER.match(self.peek(ahead)) and self.peek(ahead) != "operator":
            ahead += 1
        return self.peek(ahead) == "operator" or self.peek(ahead) == "(" and self.peek(ahead + 1) != "*"

    def declarator(self, left):
        self.skip_decorations()
        while self.peek() in ("*", "const", "&"):
            left += self.next()
        if self.peek() == "(" and self.peek(1) == "*":
            self.next()
            each = self.declarator("")
            self.expect(")")
            suffix = self.suffix(Declarator())
            each.is_function_pointer = suffix.is_function and each.left == "*"
            each.left, each.right = f"{left}({each.left}", f"{each.right}){suffix.right}"
            return each
        name = self.next() if IDENTIFIER.match(self.peek()) else ""
        return self.suffix(Declarator(name, left))

    def suffix(self, each):
        """Parses the array lengths or the parameters after a declarator."""
        self.skip_decorations()
        while self.peek() == "[":
            each.lengths.append(" ".join(self.balanced()))
            each.right += "[" + each.lengths[-1] + "]"
        if self.peek() == "(":
            each.is_function = True
            each.right += f"({','.join(self.parameters())})"
            self.skip_decorations()
        return each

    def parameters(self):
        types = []
        self.expect("(")
        while not self.accept(")"):
            if self.accept("..."):
                types.append("...")
                continue
            _, base, _ = self.specifiers()
            each = self.declarator(base)
            types.append(each.left + "*" if each.lengths else each.type())  # an array parameter is a pointer
            self.skip_until(",", ")")
            self.accept(",")
        return [] if types == ["void"] else types
