#include <gtest/gtest.h>

#include "video/timelines/made_timelines.h"

namespace octavo::timelines {
namespace {

void expect_has(const std::string& xml, const std::string& part) {
  EXPECT_NE(xml.find(part), std::string::npos) << part << "\n" << xml;
}

TEST(Fcpxml, HasAssetsAndAProject) {
  const std::string xml = fcpxml_of(made_timelines(
      {made_media("/a.mov", ntsc, "01:00:00;00", 10.01), made_media("/b c.mov", ntsc)}, {made_part(30, 60, 90, 60)}));
  expect_has(xml, R"(<fcpxml version="1.8">)");
  expect_has(xml, R"(<format id="f1" frameDuration="1001/30000s" width="640" height="360"/>)");
  expect_has(xml, R"(<asset id="a1" name="a.mov" src="file:///a.mov" start="8999991/2500s" duration="1001/100s" )"
                  R"(hasVideo="1" format="f1"/>)");
  expect_has(xml, R"(src="file:///b%20c.mov" start="0s")");
  expect_has(xml, R"(<sequence format="f1" duration="1001/100s" tcStart="8999991/2500s" tcFormat="DF">)");
  expect_has(xml, R"(<asset-clip ref="a1" offset="8999991/2500s" name="a.mov" start="8999991/2500s" )"
                  R"(duration="1001/100s" format="f1" tcFormat="DF">)");
  // A second by the labels of dropped frames is 30 frames: (107892 + 30)·1001/30000 s.
  expect_has(xml, R"(<asset-clip ref="a2" lane="1" offset="18004987/5000s" name="b c.mov" start="3003/1000s" )"
                  R"(duration="1001/500s" format="f1" tcFormat="NDF">)");
  EXPECT_EQ(xml.find("timeMap"), std::string::npos);
  EXPECT_EQ(xml.find("conform-rate"), std::string::npos);
}

TEST(Fcpxml, MapsTimesOfSpeeds) {
  const std::string xml =
      fcpxml_of(made_timelines({made_media("/a.mov", pal), made_media("/b.mov", ntsc, "00:00:10:00")},
                               {made_part(0, 50, 300, 120, 2), made_part(50, 50, 300, 120, -2)}));
  expect_has(xml, R"(<conform-rate scaleEnabled="0" srcFrameRate="29.97"/>)");
  // From frame 600, 20.02 s, on: 2 s of the timeline are 120 frames of the clip.
  expect_has(xml, R"(<timept time="1001/50s" value="1001/50s" interp="linear"/>)");
  expect_has(xml, R"(<timept time="1101/50s" value="3003/125s" interp="linear"/>)");
  expect_has(xml, R"(<timept time="1001/50s" value="3003/125s" interp="linear"/>)");
  expect_has(xml, R"(<timept time="1101/50s" value="1001/50s" interp="linear"/>)");
}

TEST(Fcpxml, HasAGapWhereThereIsNoClip) {
  Timelines timelines =
      made_timelines({made_media("/a.mov", pal), made_media("/b.mov", {15, 1})}, {made_part(5, 25, 0, 15)});
  timelines.sequences[0].has_clip = false;
  const std::string xml = fcpxml_of(timelines);
  expect_has(xml, R"(<gap name="Gap" offset="0s" start="0s" duration="60s">)");
  expect_has(xml, R"(<asset-clip ref="a1" lane="1" offset="0s")");
  expect_has(xml, R"(<asset-clip ref="a2" lane="2" offset="1/5s")");
  expect_has(xml, R"(<conform-rate scaleEnabled="0"/>)");
}

TEST(Fcpxml, EscapesNames) {
  PlacedPart part = made_part(0, 25, 0, 25);
  part.note = "a & b";
  const std::string xml =
      fcpxml_of(made_timelines({made_media("/a.mov", pal), made_media("/\"q\" <&>\n\x01\xff\u00e4.mov", pal)}, {part}));
  expect_has(xml, "name=\"&#34;q&#34; &#60;&#38;&#62;&#10;\uFFFD\uFFFD\u00e4.mov\"");
  expect_has(xml, "src=\"file:///%22q%22%20%3C%26%3E%0A%01%FF%C3%A4.mov\"");
  expect_has(xml, "<note>a &#38; b</note>");
}

}  // namespace
}  // namespace octavo::timelines
