// JSON keeps the order of its members, survives what is no JSON, and is written as UTF-8.

#include "json/json.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

namespace octavo {
namespace {

TEST(Json, KeepsTheOrderOfItsMembers) {
  const std::string text = R"({"b":1,"a":[2.5,null],"c":"é"})";
  EXPECT_EQ(json_text(parse_json(text)), text);
  EXPECT_EQ(json_text(parse_json(R"({"b":[1]})"), 1), "{\n \"b\": [\n  1\n ]\n}");
}

TEST(Json, IsNullOfWhatNoFileOfOctavoHolds) {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_EQ(json_text(shallow_json(nested(17))), nested(17));
  for (const std::string& text :
       {nested(18), nested(1000000), std::string("{\"a\":"), std::string("\"\xff\""), std::string()}) {
    EXPECT_TRUE(shallow_json(text).is_null());
  }
  for (const char* text : {"{", "1e999"}) EXPECT_THROW(parse_json(text), Json::exception);
}

TEST(Json, AMemberIsFoundAloneOrIsNull) {
  const auto found = [](const std::string& text) {
    std::istringstream stream(text);
    return json_text(member_of(stream, "files"));
  };
  EXPECT_EQ(found(R"({"a":{"files":1},"files":["x",{"b":2}],"c":[3]})"), R"(["x",{"b":2}])");
  for (const char* text : {R"({"a":1})", R"(["files"])", R"({"files":[1])", ""}) EXPECT_EQ(found(text), "null") << text;
}

TEST(Json, BytesThatAreNotUtf8AreReplaced) { EXPECT_EQ(json_text(Json("a\xff")), "\"a\xef\xbf\xbd\""); }

}  // namespace
}  // namespace octavo
