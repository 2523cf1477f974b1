#include <gtest/gtest.h>

#include "video/timelines/made_timelines.h"

namespace octavo::timelines {
namespace {

TEST(EditLists, HaveAnEventForEachPart) {
  PlacedPart back = made_part(100, 50, 250, 75, -1.5);
  back.note = "pair 1, segment 2";
  const EditLists found = edit_lists_of(made_timelines(
      {made_media("/a.mov", pal, "10:00:00:00"), made_media("/films/b \"c\" & d.mov", pal, "01:00:00:00")},
      {made_part(25, 50, 0, 50), back}));
  ASSERT_EQ(found.lists.size(), 1u);
  EXPECT_TRUE(found.left_out.empty());
  EXPECT_EQ(found.lists[0].file, "a.mov.edl");
  EXPECT_EQ(found.lists[0].text,
            "TITLE: a.mov\n"
            "FCM: NON-DROP FRAME\n"
            "001  BCD      V     C        01:00:00:00 01:00:02:00 10:00:01:00 10:00:03:00\n"
            "* FROM CLIP NAME: b \"c\" & d.mov\n"
            "* SOURCE FILE: /films/b \"c\" & d.mov\n"
            "002  BCD      V     C        01:00:10:00 01:00:13:00 10:00:04:00 10:00:06:00\n"
            "M2   BCD        -037.5                01:00:10:00\n"
            "* FROM CLIP NAME: b \"c\" & d.mov\n"
            "* SOURCE FILE: /films/b \"c\" & d.mov\n"
            "* pair 1, segment 2\n");
}

TEST(EditLists, HaveImagesAsStills) {
  Media image = made_media("/photo.jpg", {0, 1}, "", 0);
  image.facts.container = "image";
  const EditLists found =
      edit_lists_of(made_timelines({made_media("/a.mov", pal, "10:00:00:00"), image}, {made_part(25, 50, 0, 50)}));
  EXPECT_TRUE(found.left_out.empty());
  EXPECT_NE(found.lists.at(0).text.find("PHOTO    V     C        00:00:00:00 00:00:02:00 10:00:01:00 10:00:03:00\n"),
            std::string::npos)
      << found.lists[0].text;
}

TEST(EditLists, TellDroppedFrames) {
  const EditLists found = edit_lists_of(
      made_timelines({made_media("/a.mov", ntsc, "00:59:58;00"), made_media("/b.mov", ntsc, "00:00:58;00")},
                     {made_part(90, 60, 60, 120, 2)}));
  const std::string& text = found.lists.at(0).text;
  EXPECT_NE(text.find("FCM: DROP FRAME\n"), std::string::npos);
  EXPECT_NE(text.find(" 00:01:00;02 00:01:04;02 01:00:01;00 01:00:03;00\n"), std::string::npos) << text;
  EXPECT_NE(text.find("059.9                00:01:00:02\n"), std::string::npos) << "M2 has colons alone: " << text;
}

TEST(EditLists, HaveAsManyFramesOfTheReelWithoutASpeed) {
  const EditLists found =
      edit_lists_of(made_timelines({made_media("/a.mov", pal), made_media("/b.mov", pal)}, {made_part(0, 50, 0, 51)}));
  EXPECT_NE(found.lists.at(0).text.find("00:00:00:00 00:00:02:00 00:00:00:00 00:00:02:00"), std::string::npos);
}

TEST(EditLists, TellNoSpeedThatMakesNoFrame) {
  const std::vector<Media> media{made_media("/a.mov", pal), made_media("/b.mov", pal)};
  const EditLists near = edit_lists_of(made_timelines(media, {made_part(0, 50, 0, 51, 1.001)}));
  EXPECT_EQ(near.lists.at(0).text.find("M2"), std::string::npos);
  EXPECT_NE(near.lists[0].text.find("00:00:00:00 00:00:02:00 00:00:00:00 00:00:02:00"), std::string::npos);
  const EditLists far = edit_lists_of(made_timelines(media, {made_part(0, 2500, 0, 2503, 1.001)}));
  EXPECT_NE(far.lists.at(0).text.find("M2   B          025.0 "), std::string::npos);
}

TEST(EditLists, AreMoreForPartsThatOverlapAndAfter999) {
  const EditLists two =
      edit_lists_of(made_timelines({made_media("/a.mov", pal), made_media("/b.mov", pal)},
                                   {made_part(0, 50, 0, 50), made_part(25, 50, 0, 50), made_part(50, 50, 0, 50)}));
  ASSERT_EQ(two.lists.size(), 2u);
  EXPECT_EQ(two.lists[1].file, "a.mov-2.edl");
  EXPECT_NE(two.lists[0].text.find("\n002 "), std::string::npos);
  EXPECT_EQ(two.lists[1].text.find("\n002 "), std::string::npos);

  std::vector<PlacedPart> parts;
  for (int i = 0; i < 1000; ++i) parts.push_back(made_part(i, 1, 0, 1));
  const EditLists many = edit_lists_of(made_timelines({made_media("/a.mov", pal), made_media("/b.mov", pal)}, parts));
  ASSERT_EQ(many.lists.size(), 2u);
  EXPECT_NE(many.lists[0].text.find("\n999 "), std::string::npos);
  EXPECT_NE(many.lists[1].text.find("\n001 "), std::string::npos);
}

TEST(EditLists, LeaveOutOtherRatesAndSaySo) {
  PlacedPart third = made_part(0, 50, 0, 50), fourth = third;
  third.media = 2;
  fourth.media = 3;
  const EditLists found =
      edit_lists_of(made_timelines({made_media("/a.mov", pal), made_media("/b.mov", ntsc), made_media("/c.mov", {0, 1}),
                                    made_media("/d.mov", {240, 1})},
                                   {made_part(0, 50, 0, 60), made_part(60, 50, 0, 60), third, fourth}));
  EXPECT_TRUE(found.lists.empty());
  EXPECT_EQ(found.left_out,
            (std::vector<std::string>{
                "the EDL of 'a.mov' is without '/b.mov': it counts 30 frames a second, and the list 25",
                "the EDL of 'a.mov' is without '/c.mov': its frame rate is not known",
                "the EDL of 'a.mov' is without '/d.mov': it counts 240 frames a second, and an EDL at most 100"}));
}

TEST(EditLists, TellTheSpeedOfFramesThatAreCountedAlike) {
  const EditLists found = edit_lists_of(made_timelines(
      {made_media("/a.mov", {24, 1}), made_media("/b.mov", {24000, 1001})}, {made_part(0, 24000, 0, 23976)}));
  const std::string& text = found.lists.at(0).text;
  EXPECT_NE(text.find("00:00:00:00 00:16:39:00 00:00:00:00 00:16:40:00\nM2   B          024.0 "), std::string::npos)
      << text;
}

TEST(EditLists, NamesOfReelsAndFilesAreUnique) {
  std::vector<Media> media{made_media("/a.mov", pal)};
  std::vector<PlacedPart> parts;
  for (const char* name :
       {"/long name one.mov", "/Long-Name-1.mov", "/bl.mov", "/\u00e4\u00f6.mov", "/line\nbreak\xff.mov"}) {
    parts.push_back(made_part(100 * static_cast<std::int64_t>(parts.size()), 10, 0, 10));
    parts.back().media = media.size();
    media.push_back(made_media(name, pal));
  }
  Timelines timelines = made_timelines(media, parts);
  timelines.sequences.push_back(timelines.sequences[0]);
  timelines.sequences.push_back(timelines.sequences[0]);
  timelines.sequences[2].name = std::string(199, 'x') + "\u00e4.mov";
  const EditLists found = edit_lists_of(timelines);
  ASSERT_EQ(found.lists.size(), 3u);
  EXPECT_EQ(found.lists[1].file, "a.mov-2.edl");
  EXPECT_EQ(found.lists[2].file, std::string(199, 'x') + ".edl") << "no character is cut";
  EXPECT_EQ(found.lists[2].text.substr(0, 78), "TITLE: " + std::string(70, 'x') + "\n");
  const std::string& text = found.lists[0].text;
  for (const char* reel : {"001  LONGNAME ", "002  LONGNAM2 ", "003  BL2      ", "004  CLIP     ", "005  LINEBREA "}) {
    EXPECT_NE(text.find(std::string("\n") + reel), std::string::npos) << reel << text;
  }
  EXPECT_NE(text.find("* FROM CLIP NAME: line break\uFFFD.mov\n"), std::string::npos);
}

}  // namespace
}  // namespace octavo::timelines
