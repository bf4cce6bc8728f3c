// 40 lines as in oldest_version, and:
    .oldest = 4000,
    .refused_from = 5000,
constinit EntryPoint toyTurn{.symbol = "toyTurn", .since = "0.4.1", .library = &this_library};
constinit EntryPoint toyVersion{.symbol = "toyVersion", .since = "0.4.1", .library = &this_library};
