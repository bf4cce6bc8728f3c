// 91 lines as in records, and:
    toyClose,
    toyEmptyRoom,
    toyEnter,
    toyGetRoom,
    toyIsRecording,
    toyJoin,
    toyLeave,
    toyOpen,
    toyOpen_v2,
    toyPack,
    toyPaint,
    toyTakeAll,
    toyUnpack,
[[maybe_unused]] constexpr Enumerator enumerators_of_toyColor[] = {
    {"TOY_RED", static_cast<long long>(TOY_RED)},
    {"TOY_FIRST_CUSTOM_COLOR", static_cast<long long>(TOY_FIRST_CUSTOM_COLOR)},
[[maybe_unused]] constexpr Enumerator enumerators_of_toyLabel[] = {
    {"TOY_FRAGILE", static_cast<long long>(TOY_FRAGILE)},
    {"TOY_HEAVY", static_cast<long long>(TOY_HEAVY)},
    Type pointer_to_int;
    Type pointer_to_toyBox;
    Type pointer_to_toyParcel;
    Type pointer_to_toyPlace;
    Type pointer_to_toyRoom;
    Type toyBox;
    Type toyColor;
    Type toyColor_enum;
    Type toyLabel;
    Type toyLabel_enum;
    Type toyParcel;
    Type toyParcel_st;
    Type toyPlace;
    Type toyRoom;
    Type unsigned_long_long;
alignas(Field) constexpr Field fields_of_toyParcel_st[] = {
    {"weight", &types.size_t, 0},
    {"content", &types.pointer_to_void, 8},
    .pointer_to_int = {.name = "", .kind = Kind::pointer, .size = 8, .inner = &types.int_},
    .pointer_to_toyBox = {.name = "", .kind = Kind::pointer, .size = 8, .inner = &types.toyBox},
    .pointer_to_toyParcel = {.name = "", .kind = Kind::pointer, .size = 8, .inner = &types.toyParcel},
    .pointer_to_toyPlace = {.name = "", .kind = Kind::pointer, .size = 8, .inner = &types.toyPlace},
    .pointer_to_toyRoom = {.name = "", .kind = Kind::pointer, .size = 8, .inner = &types.toyRoom},
    .toyBox = {.name = "toyBox", .kind = Kind::handle, .size = 8},
    .toyColor = {.name = "toyColor", .kind = Kind::enumeration, .is_open = true, .size = 4,
                 .enumerators = enumerators_of_toyColor},
    .toyColor_enum = {.name = "toyColor", .kind = Kind::enumeration, .is_open = true, .size = 4,
                      .enumerators = enumerators_of_toyColor},
    .toyLabel = {.name = "toyLabel", .kind = Kind::enumeration, .is_bit_set = true, .size = 4,
                 .enumerators = enumerators_of_toyLabel},
    .toyLabel_enum = {.name = "toyLabel", .kind = Kind::enumeration, .is_bit_set = true, .size = 4,
                      .enumerators = enumerators_of_toyLabel},
    .toyParcel = {.name = "toyParcel", .kind = Kind::record, .size = 16, .fields = fields_of_toyParcel_st},
    .toyParcel_st = {.name = "toyParcel_st", .kind = Kind::record, .size = 16, .fields = fields_of_toyParcel_st},
    .toyPlace = {.name = "toyPlace", .kind = Kind::identifier, .size = 8},
    .toyRoom = {.name = "toyRoom", .kind = Kind::handle, .size = 8},
    .unsigned_long_long = {.name = "unsigned long long", .kind = Kind::unsigned_integer, .size = 8},
namespace object_kinds {
constexpr ObjectKind box = {.name = "box", .is_in_context = true, .is_owned = true};
constexpr ObjectKind parcel = {.name = "parcel", .is_owned = true};
constexpr ObjectKind place = {.name = "place", .is_owned = true};
constexpr ObjectKind stay = {.name = "stay", .is_counted = true};
}  // namespace object_kinds
alignas(Parameter) constexpr Parameter parameters_of_toyClose[] = {
    {"box", &types.toyBox},
alignas(Effect) constexpr Effect effects_of_toyClose[] = {
    {.what = Effect::What::ends, .kind = &object_kinds::box, .object = { 0, 0 }},
alignas(Parameter) constexpr Parameter parameters_of_toyEmptyRoom[] = {
    {"number", &types.int_},
alignas(Effect) constexpr Effect effects_of_toyEmptyRoom[] = {
    {.what = Effect::What::ends_contents, .object = { 0, 0 }},
alignas(Parameter) constexpr Parameter parameters_of_toyEnter[] = {
    {"room", &types.pointer_to_toyRoom, Direction::out, Shape::value},
    {"number", &types.int_},
alignas(Effect) constexpr Effect effects_of_toyEnter[] = {
    {.what = Effect::What::begins, .kind = &object_kinds::stay, .object = { 1, 0 }, .owning = 0},
alignas(Parameter) constexpr Parameter parameters_of_toyGetRoom[] = {
    {"room", &types.pointer_to_toyRoom, Direction::out, Shape::value},
alignas(Parameter) constexpr Parameter parameters_of_toyIsRecording[] = {
    {"box", &types.toyBox},
    {"recording", &types.pointer_to_int, Direction::out, Shape::value},
alignas(Parameter) constexpr Parameter parameters_of_toyJoin[] = {
    {"first", &types.toyBox},
    {"second", &types.toyBox},
alignas(ObjectPlace) constexpr ObjectPlace same_context_of_toyJoin[] = {
    { 0, 0 },
    { 1, 0 },
alignas(Parameter) constexpr Parameter parameters_of_toyLeave[] = {
    {"place", &types.toyPlace},
    {"unlessRecorded", &types.toyBox},
alignas(Effect) constexpr Effect effects_of_toyLeave[] = {
    {.what = Effect::What::ends, .kind = &object_kinds::place, .object = { 0, 0 }, .uncaptured = 1},
alignas(Parameter) constexpr Parameter parameters_of_toyOpen[] = {
    {"box", &types.pointer_to_toyBox, Direction::out, Shape::value},
    {"labels", &types.toyLabel},
};
alignas(Effect) constexpr Effect effects_of_toyOpen[] = {
    {.what = Effect::What::begins, .kind = &object_kinds::box, .object = { 0, 0 }},
};
alignas(Parameter) constexpr Parameter parameters_of_toyOpen_v2[] = {
    {"box", &types.pointer_to_toyBox, Direction::out, Shape::value},
    {"labels", &types.toyLabel},
    {"flags", &types.int_},
};
alignas(Effect) constexpr Effect effects_of_toyOpen_v2[] = {
    {.what = Effect::What::begins, .kind = &object_kinds::box, .object = { 0, 0 }},
};
alignas(Parameter) constexpr Parameter parameters_of_toyPack[] = {
    {"parcel", &types.pointer_to_toyParcel, Direction::out, Shape::value},
};
alignas(Effect) constexpr Effect effects_of_toyPack[] = {
    {.what = Effect::What::begins, .kind = &object_kinds::parcel, .object = { 0, 8 }},
};
alignas(Parameter) constexpr Parameter parameters_of_toyPaint[] = {
    {"box", &types.toyBox},
    {"color", &types.toyColor},
};
alignas(Parameter) constexpr Parameter parameters_of_toyTakeAll[] = {
    {"box", &types.toyBox},
    {"places", &types.pointer_to_toyPlace, Direction::out, Shape::array, false, { 1, 2, 3 }},
    {"rows", &types.int_},
    {"columns", &types.int_},
};
alignas(Effect) constexpr Effect effects_of_toyTakeAll[] = {
    {.what = Effect::What::begins, .kind = &object_kinds::place, .object = { 1, 0 }, .within = 0},
};
alignas(Parameter) constexpr Parameter parameters_of_toyUnpack[] = {
    {"content", &types.pointer_to_void, Direction::in, Shape::opaque},
};
alignas(Effect) constexpr Effect effects_of_toyUnpack[] = {
    {.what = Effect::What::ends, .kind = &object_kinds::parcel, .object = { 0, 0 }},
};
    row<index_of::toyClose, toyStatus(toyBox)>("toyClose", types.toyStatus, parameters_of_toyClose, effects_of_toyClose),
    row<index_of::toyEmptyRoom, toyStatus(int)>("toyEmptyRoom", types.toyStatus, parameters_of_toyEmptyRoom,
                                                effects_of_toyEmptyRoom),
    row<index_of::toyEnter, toyStatus(toyRoom*, int)>("toyEnter", types.toyStatus, parameters_of_toyEnter, effects_of_toyEnter),
    row<index_of::toyGetRoom, toyStatus(toyRoom*)>("toyGetRoom", types.toyStatus, parameters_of_toyGetRoom),
    row<index_of::toyIsRecording, toyStatus(toyBox, int*)>("toyIsRecording", types.toyStatus, parameters_of_toyIsRecording),
    row<index_of::toyJoin, toyStatus(toyBox, toyBox)>("toyJoin", types.toyStatus, parameters_of_toyJoin, {},
                                                      same_context_of_toyJoin),
    row<index_of::toyLeave, toyStatus(toyPlace, toyBox)>("toyLeave", types.toyStatus, parameters_of_toyLeave,
                                                         effects_of_toyLeave),
    row<index_of::toyOpen, toyStatus(toyBox*, toyLabel)>("toyOpen", types.toyStatus, parameters_of_toyOpen, effects_of_toyOpen),
    row<index_of::toyOpen_v2, toyStatus(toyBox*, toyLabel, int)>("toyOpen_v2", types.toyStatus, parameters_of_toyOpen_v2,
                                                                 effects_of_toyOpen_v2),
    row<index_of::toyPack, toyStatus(toyParcel*)>("toyPack", types.toyStatus, parameters_of_toyPack, effects_of_toyPack),
    row<index_of::toyPaint, toyStatus(toyBox, toyColor)>("toyPaint", types.toyStatus, parameters_of_toyPaint),
    row<index_of::toyTakeAll, toyStatus(toyBox, toyPlace*, int, int)>("toyTakeAll", types.toyStatus, parameters_of_toyTakeAll,
                                                                      effects_of_toyTakeAll),
    row<index_of::toyUnpack, toyStatus(void*)>("toyUnpack", types.toyStatus, parameters_of_toyUnpack, effects_of_toyUnpack),
};
    .current_context = &functions[index_of::toyGetRoom],
    .is_capturing = &functions[index_of::toyIsRecording],
};

