// 81 lines as in records, and:
    toyRead,
    Type cache_of_toyCrate;
    Type config_of_cache_of_toyCrate;
    Type pointer_to_char;
    Type pointer_to_toyCrate;
    Type pointer_to_toyFlags;
    Type toyCrate;
    Type toyEither;
    Type toyFlags;
    Type unsigned_short;
alignas(Field) constexpr Field fields_of_cache_of_toyCrate[] = {
    {"both", &types.unsigned_char, 0},
    {"config", &types.config_of_cache_of_toyCrate, 0},
alignas(Field) constexpr Field fields_of_toyCrate[] = {
    {"name", &types.pointer_to_char, 0},
    {"cache", &types.cache_of_toyCrate, 8},
alignas(Field) constexpr Field fields_of_toyEither[] = {
    {"all", &types.unsigned_short, 0},
alignas(Field) constexpr Field fields_of_toyFlags[] = {
    {"letter", &types.unsigned_char, 8},
    .cache_of_toyCrate = {.name = "", .kind = Kind::record, .is_union = true, .size = 1, .fields = fields_of_cache_of_toyCrate},
    .config_of_cache_of_toyCrate = {.name = "", .kind = Kind::record, .size = 1},
    .pointer_to_char = {.name = "", .kind = Kind::pointer, .size = 8, .inner = &types.char_},
    .pointer_to_toyCrate = {.name = "", .kind = Kind::pointer, .size = 8, .inner = &types.toyCrate},
    .pointer_to_toyFlags = {.name = "", .kind = Kind::pointer, .size = 8, .inner = &types.toyFlags},
    .toyCrate = {.name = "toyCrate", .kind = Kind::record, .size = 16, .fields = fields_of_toyCrate},
    .toyEither = {.name = "toyEither", .kind = Kind::record, .is_union = true, .size = 2, .fields = fields_of_toyEither},
    .toyFlags = {.name = "toyFlags", .kind = Kind::record, .size = 12, .fields = fields_of_toyFlags},
    .unsigned_short = {.name = "unsigned short", .kind = Kind::unsigned_integer, .size = 2},
alignas(Parameter) constexpr Parameter parameters_of_toyRead[] = {
    {"flags", &types.pointer_to_toyFlags, Direction::out, Shape::value},
    {"crate", &types.pointer_to_toyCrate, Direction::out, Shape::value},
    {"either", &types.toyEither},
    row<index_of::toyRead, toyStatus(toyFlags*, toyCrate*, toyEither)>("toyRead", types.toyStatus, parameters_of_toyRead),
