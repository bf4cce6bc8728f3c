// 36 lines as in oldest_version, and:
// The version of the library in each release of CUDA.
constexpr LibraryVersion versions[] = {
    { 12000, 10009014 },  // 12.0
    { 13040, 10012000 },  // 13.4
    {},
    .version_function = "toyProperty",
    .version_form = VersionForm::properties,
    .version_properties = { 7, 8, 9 },
    .version_property_count = 3,
    .versions = versions,
};
constinit EntryPoint toyFresh{.symbol = "toyFresh", .since = "13.4", .library = &this_library};
constinit EntryPoint toyProperty{.symbol = "toyProperty", .since = "12.0", .library = &this_library};

