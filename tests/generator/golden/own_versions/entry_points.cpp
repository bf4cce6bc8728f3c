// 41 lines as in oldest_version, and:
constinit EntryPoint toyFresh{.symbol = "toyFresh", .since = "2.10.0", .library = &this_library};
constinit EntryPoint toyOld{.symbol = "toyOld", .since = "2.9.3", .removed = "2.10.0", .library = &this_library};
