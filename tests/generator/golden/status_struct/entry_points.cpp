// 36 lines as in oldest_version, and:
    .version_function = nullptr,
constinit EntryPoint toyClose{.symbol = "toyClose", .since = "13.4", .library = &this_library};
constinit EntryPoint toyCopy{.symbol = "toyCopy", .since = "13.4", .library = &this_library};
constinit EntryPoint toyCount{.symbol = "toyCount", .since = "13.4", .library = &this_library};
constinit EntryPoint toyOpen{.symbol = "toyOpen", .since = "13.4", .library = &this_library};
constinit EntryPoint toyRead{.symbol = "toyRead", .since = "13.4", .library = &this_library};
constinit EntryPoint toyShapeOf{.symbol = "toyShapeOf", .since = "13.4", .library = &this_library};
constinit EntryPoint toyVersion{.symbol = "toyVersion", .since = "13.4", .library = &this_library};
