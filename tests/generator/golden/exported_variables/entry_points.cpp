// 36 lines as in oldest_version, and:
    .version_function = nullptr,
constinit EntryPoint toyCompute{.symbol = "toyCompute", .since = "12.0", .library = &this_library};
constinit EntryPoint TOY_DEFAULT_COLOR{.symbol = "TOY_DEFAULT_COLOR", .since = "12.0", .removed = "13.4",
                                       .library = &this_library};
constinit EntryPoint TOY_DOUBLE{.symbol = "TOY_DOUBLE", .since = "13.4", .library = &this_library};
constinit EntryPoint TOY_NAME{.symbol = "TOY_NAME", .since = "13.4", .library = &this_library};
constinit EntryPoint TOY_SINGLE{.symbol = "TOY_SINGLE", .since = "12.0", .library = &this_library};
