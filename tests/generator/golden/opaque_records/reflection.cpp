// 76 lines as in records, and:
    toyMark,
    toyOpen,
    Type array_of_2_pointer_to_toyTag;
    Type pointer_to_pointer_to_toySecret;
    Type pointer_to_toyEither;
    Type pointer_to_toyPlain;
    Type pointer_to_toySecret;
    Type pointer_to_toyTag;
    Type toyCrate;
    Type toyEither;
    Type toySecret;
    Type toyTag;
    Type toyTag_st;
alignas(Field) constexpr Field fields_of_toyCrate[] = {
    {"secret", &types.pointer_to_toySecret, 0},
    {"tags", &types.array_of_2_pointer_to_toyTag, 8},
    .array_of_2_pointer_to_toyTag = {.name = "", .kind = Kind::array, .size = 16, .inner = &types.pointer_to_toyTag, .extent = 2},
    .pointer_to_pointer_to_toySecret = {.name = "", .kind = Kind::pointer, .size = 8, .inner = &types.pointer_to_toySecret},
    .pointer_to_toyEither = {.name = "", .kind = Kind::pointer, .size = 8, .inner = &types.toyEither},
    .pointer_to_toyPlain = {.name = "", .kind = Kind::pointer, .size = 8, .inner = &types.toyPlain},
    .pointer_to_toySecret = {.name = "", .kind = Kind::pointer, .size = 8, .inner = &types.toySecret},
    .pointer_to_toyTag = {.name = "", .kind = Kind::pointer, .size = 8, .inner = &types.toyTag},
    .toyCrate = {.name = "toyCrate", .kind = Kind::record, .size = 24, .fields = fields_of_toyCrate},
    .toyEither = {.name = "toyEither", .kind = Kind::nothing, .size = 0},
    .toyPlain = {.name = "toyPlain", .kind = Kind::nothing, .size = 0},
    .toySecret = {.name = "toySecret", .kind = Kind::nothing, .size = 0},
    .toyTag = {.name = "toyTag", .kind = Kind::nothing, .size = 0},
    .toyTag_st = {.name = "toyTag_st", .kind = Kind::nothing, .size = 0},
alignas(Parameter) constexpr Parameter parameters_of_toyMark[] = {
    {"tag", &types.pointer_to_toyTag, Direction::in, Shape::opaque},
    {"either", &types.pointer_to_toyEither, Direction::inout, Shape::opaque},
    {"crate", &types.toyCrate},
alignas(Parameter) constexpr Parameter parameters_of_toyOpen[] = {
    {"secret", &types.pointer_to_pointer_to_toySecret, Direction::out, Shape::value},
    {"plain", &types.pointer_to_toyPlain, Direction::in, Shape::opaque},
    row<index_of::toyMark, toyStatus(const toyTag*, ::toyEither*, toyCrate)>("toyMark", types.toyStatus, parameters_of_toyMark),
    row<index_of::toyOpen, toyStatus(::toySecret**, ::toyPlain*)>("toyOpen", types.toyStatus, parameters_of_toyOpen),
