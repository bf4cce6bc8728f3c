// 36 lines as in oldest_version, and:
    .version_function = nullptr,
constinit EntryPoint toyBend{.symbol = "toyBend", .since = "12.0", .removed = "13.4", .library = &this_library};
constinit EntryPoint toyOpen{.symbol = "toyOpen", .since = "12.0", .library = &this_library};
constinit EntryPoint toyTurn_v2{.symbol = "toyTurn_v2", .since = "12.0", .removed = "13.4", .library = &this_library};
