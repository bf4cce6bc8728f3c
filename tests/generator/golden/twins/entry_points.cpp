// 36 lines as in oldest_version, and:
    .version_function = nullptr,
constinit EntryPoint ptoyCheck{.symbol = "ptoyCheck", .since = "13.4", .library = &this_library};
constinit EntryPoint toyOpen{.symbol = "toyOpen", .since = "13.4", .library = &this_library};
