// JSON keeps the order of its members, survives what is no JSON, and is written as UTF-8.

#include "io/json/json.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace octavo {
namespace {

std::string sentence_of(const std::function<void()>& mistake) {
  try {
    mistake();
  } catch (const Json::exception& error) {
    return error.what();
  }
  return "nothing was thrown";
}

std::string nested(std::size_t depth, const std::string& inner = "") {
  return std::string(depth, '[') + inner + std::string(depth, ']');
}

TEST(Json, KeepsTheOrderOfItsMembers) {
  const std::string text = R"({"b":1,"a":[2.5,null],"c":"é"})";
  EXPECT_EQ(json_text(parse_json(text)), text);
  EXPECT_EQ(json_text(Json{{"b", 1}, {"a", {2.5, nullptr}}, {"c", "é"}}), text);
  Json json;
  json["b"] = true;
  json["a"] = Json::object();
  json["b"] = 1;
  json.update({{"a", {2.5, Json()}}, {"c", "é"}});
  EXPECT_EQ(json_text(json), text);
  EXPECT_EQ(json_text(parse_json(R"({"b":0,"a":[2.5,null],"b":1,"c":"é"})")), text) << "the last of a name counts";
  json.erase("a");
  json.erase("a");
  EXPECT_EQ(json_text(json), R"({"b":1,"c":"é"})");
}

TEST(Json, IsIndented) {
  const Json json{{"b", {1, Json::object()}}, {"a", Json::array()}, {"c", {{"d", false}}}};
  EXPECT_EQ(json_text(json, 1), "{\n \"b\": [\n  1,\n  {}\n ],\n \"a\": [],\n \"c\": {\n  \"d\": false\n }\n}");
  EXPECT_EQ(json_text(Json{1, 2}, 0), "[\n1,\n2\n]");
  EXPECT_EQ(json_text(json), R"({"b":[1,{}],"a":[],"c":{"d":false}})");
}

TEST(Json, IsMadeOfValuesInBracesAndOfContainers) {
  EXPECT_EQ(json_text(Json{{"a", 1}}), R"({"a":1})");
  EXPECT_EQ(json_text(Json{{1, 2}, {3, 4}}), "[[1,2],[3,4]]");
  EXPECT_EQ(json_text(Json{"a", "b"}), R"(["a","b"])");
  EXPECT_EQ(json_text(Json::array({{{"a", 1}}})), R"([{"a":1}])");
  EXPECT_EQ(json_text(Json::array({{"a", 1}})), R"([["a",1]])");
  EXPECT_EQ(json_text(std::vector<std::string>{"a", "b"}), R"(["a","b"])");
  EXPECT_EQ(json_text(std::vector<bool>{true, false}), "[true,false]");
  EXPECT_EQ(json_text(std::array<std::array<double, 2>, 2>{{{1, 2}, {3, 4.5}}}), "[[1.0,2.0],[3.0,4.5]]");
  const std::vector<std::uint8_t> bytes{0, 255};
  EXPECT_EQ(json_text(std::span<const std::uint8_t>(bytes)), "[0,255]");
  EXPECT_EQ(json_text(std::string_view("ab").substr(1)), R"("b")");
}

TEST(Json, ACopyIsAnotherValue) {
  Json json{{"a", {1, 2}}, {"b", "text"}};
  Json copy = json;
  copy["a"].push_back(3);
  copy["b"] = json;
  EXPECT_EQ(json_text(json), R"({"a":[1,2],"b":"text"})");
  EXPECT_EQ(json_text(copy), R"({"a":[1,2,3],"b":{"a":[1,2],"b":"text"}})");
  json = json["a"];
  EXPECT_EQ(json_text(json), "[1,2]");
}

TEST(Json, MovesOutOfBraces) {
  Json list = std::vector<int>(100, 7);
  const Json* const elements = list.begin();
  const Json json{{"a", {{"list", std::move(list)}}}};
  EXPECT_EQ(json["a"]["list"].begin(), elements);
  EXPECT_EQ(json["a"]["list"].size(), 100u);
}

TEST(Json, IsEqualByItsValue) {
  const Json json = parse_json(R"({"a":[1,-1,2.0,"x"],"b":{"c":null,"d":true}})");
  EXPECT_EQ(json, Json({{"a", {1, -1, 2, "x"}}, {"b", {{"c", nullptr}, {"d", true}}}}));
  EXPECT_EQ(json["a"][3], "x");
  EXPECT_NE(json["a"], Json({1, -1, 2}));
  EXPECT_NE(json["b"], Json({{"d", true}, {"c", nullptr}})) << "in another order";
  EXPECT_NE(Json(-1), std::numeric_limits<std::uint64_t>::max());
  EXPECT_NE(Json(0), false);
  EXPECT_NE(Json(0), nullptr);
}

TEST(Json, WritesNumbers) {
  const auto text = [](const Json& number) { return json_text(number); };
  EXPECT_EQ(text(1.0), "1.0");
  EXPECT_EQ(text(-0.0), "-0.0");
  EXPECT_EQ(text(0.1), "0.1");
  EXPECT_EQ(text(0.1f), "0.10000000149011612");
  EXPECT_EQ(text(1e300), "1e+300");
  EXPECT_EQ(text(1e15), "1e+15");
  EXPECT_EQ(text(123456789012345.0), "123456789012345.0");
  EXPECT_EQ(text(1.5e-7), "1.5e-07");
  EXPECT_EQ(text(std::numeric_limits<double>::denorm_min()), "5e-324");
  EXPECT_EQ(text(std::numeric_limits<std::uint64_t>::max()), "18446744073709551615");
  EXPECT_EQ(text(std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
  EXPECT_EQ(text(std::uint8_t{200}), "200");
  EXPECT_EQ(text(std::numeric_limits<double>::quiet_NaN()), "null");
  EXPECT_EQ(text(-std::numeric_limits<float>::infinity()), "null");
  for (const char* number : {"18446744073709551615", "-9223372036854775808", "1e+300", "-0.0", "1.0"}) {
    EXPECT_EQ(text(parse_json(number)), number);
  }
  EXPECT_EQ(text(parse_json("18446744073709551616")), "1.8446744073709552e+19");
}

TEST(Json, WritesStrings) {
  EXPECT_EQ(json_text(std::string("\"\\/\b\f\n\r\t\x01\x7f\0é", 13)), R"("\"\\/\b\f\n\r\t\u0001)"
                                                                      "\x7f"
                                                                      R"(\u0000é")");
  EXPECT_EQ(parse_json(R"("\u00e9\ud83d\ude00\/")"), "é\xf0\x9f\x98\x80/");
  EXPECT_EQ(json_text(Json{{"a\n", ""}}), R"({"a\n":""})");
  EXPECT_EQ(json_text(Json("a\xff")), "\"a\xef\xbf\xbd\"");
  EXPECT_EQ(json_text(Json{{"\xc3", "\xe2\x82z"}}), "{\"\xef\xbf\xbd\":\"\xef\xbf\xbdz\"}");
}

TEST(Json, GivesWhatItHolds) {
  const Json json = parse_json(R"({"flag":true,"count":7,"below":-7,"real":1.5,"text":"x","list":["a","b"]})");
  EXPECT_TRUE(json["flag"].get<bool>());
  EXPECT_EQ(json["count"].get<int>(), 7);
  EXPECT_EQ(json["count"].get<double>(), 7.0);
  EXPECT_EQ(json["below"].get<std::int64_t>(), -7);
  EXPECT_EQ(json["real"].get<float>(), 1.5f);
  EXPECT_EQ(json["list"].get<std::vector<std::string>>(), (std::vector<std::string>{"a", "b"}));
  std::string text;
  json["text"].get_to(text);
  EXPECT_EQ(text, "x");
  EXPECT_EQ(json.value("text", std::string()), "x");
  EXPECT_EQ(json.value("none", 3), 3);
  EXPECT_EQ(json.find("none"), nullptr);
  EXPECT_EQ(json.items()[3].name, "real");
  EXPECT_TRUE(json["count"].is_integer() && json["count"].is_number() && json["below"].is_integer());
  EXPECT_TRUE(json["real"].is_number() && !json["real"].is_integer());
}

TEST(Json, RefusesToBeWhatItIsNot) {
  const Json json{{"flag", true}, {"text", "x"}, {"list", {1}}, {"null", nullptr}};
  const std::string of_type = "[json.exception.type_error.302] type must be ";
  EXPECT_EQ(sentence_of([&] { static_cast<void>(json["text"].get<int>()); }), of_type + "number, but is string");
  EXPECT_EQ(sentence_of([&] { static_cast<void>(json["flag"].get<int>()); }), of_type + "number, but is boolean");
  EXPECT_EQ(sentence_of([&] { static_cast<void>(json["list"][0].get<bool>()); }), of_type + "boolean, but is number");
  EXPECT_EQ(sentence_of([&] { static_cast<void>(json.get<std::string>()); }), of_type + "string, but is object");
  EXPECT_EQ(sentence_of([&] { static_cast<void>(json["null"].get<std::vector<int>>()); }),
            of_type + "array, but is null");
  EXPECT_EQ(sentence_of([&] { static_cast<void>(json["list"].items()); }), of_type + "object, but is array");
  EXPECT_EQ(sentence_of([&] { static_cast<void>(json.value("text", 1)); }), of_type + "number, but is string");
  EXPECT_EQ(sentence_of([&] { static_cast<void>(json.at("none")); }),
            "[json.exception.out_of_range.403] key 'none' not found");
  EXPECT_EQ(sentence_of([&] { static_cast<void>(json["list"].at(1)); }),
            "[json.exception.out_of_range.401] array index 1 is out of range");
}

TEST(Json, SaysWhereTextIsNoJson) {
  EXPECT_EQ(sentence_of([] { parse_json("{"); }),
            "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error while parsing object key - "
            "unexpected end of input; expected string literal");
  EXPECT_EQ(sentence_of([] { parse_json("[1] 2"); }),
            "[json.exception.parse_error.101] parse error at line 1, column 5: syntax error while parsing value - "
            "unexpected number literal; expected end of input");
  EXPECT_EQ(sentence_of([] { parse_json("1e999"); }),
            "[json.exception.out_of_range.406] number overflow parsing '1e999'");
}

TEST(Json, IsNullOfWhatNoFileOfOctavoHolds) {
  for (const std::string& text : {nested(17), nested(15, R"({"a":1})")}) EXPECT_EQ(json_text(shallow_json(text)), text);
  for (const std::string& text : {nested(18), nested(16, R"({"a":1})"), nested(1000000), std::string("{\"a\":"),
                                  std::string("\"\xff\""), std::string()}) {
    EXPECT_TRUE(shallow_json(text).is_null());
  }
  for (const char* text : {"{", "1e999"}) EXPECT_THROW(parse_json(text), Json::exception);
}

TEST(Json, MayBeDeep) {
  constexpr std::size_t depth = 1000000;
  std::size_t found = 0;
  const Json json = parse_json(nested(depth));
  for (const Json* one = &json; one != nullptr; one = one->empty() ? nullptr : &one->front()) ++found;
  EXPECT_EQ(found, depth);
}

TEST(Json, AMemberIsFoundAloneOrIsNull) {
  const auto found = [](const std::string& text) {
    std::istringstream stream(text);
    return json_text(member_of(stream, "files"));
  };
  EXPECT_EQ(found(R"({"a":{"files":1},"files":["x",{"b":2}],"c":[3]})"), R"(["x",{"b":2}])");
  EXPECT_EQ(found(R"({"files":1,"a":[{"files":1},[2]],"files":{"files":[]}})"), R"({"files":[]})");
  for (const char* text : {R"({"a":1})", R"(["files"])", R"({"files":[1])", ""}) EXPECT_EQ(found(text), "null") << text;
}

}  // namespace
}  // namespace octavo
