#include "multiview/places/groups.h"

#include <gtest/gtest.h>

#include <numeric>

namespace octavo::places {
namespace {

using Members = std::vector<std::vector<std::size_t>>;

std::vector<std::size_t> one_frame_each(std::size_t count) {
  std::vector<std::size_t> owners(count);
  std::iota(owners.begin(), owners.end(), std::size_t{0});
  return owners;
}

// Two groups of three things with a frame each: 0, 1, 2 and 3, 4, 5; and more links.
Groups with(const std::vector<Link>& more) {
  std::vector<Link> links{{0, 1, 90}, {1, 2, 80}, {3, 4, 90}, {4, 5, 80}};
  links.insert(links.end(), more.begin(), more.end());
  const std::vector<std::size_t> owners = one_frame_each(6);
  return groups_of(6, owners, links);
}

const Members apart{{0, 1, 2}, {3, 4, 5}}, together{{0, 1, 2, 3, 4, 5}};

TEST(Groups, HangTogetherByChainsOfLinks) {
  const Groups groups = with({});
  EXPECT_EQ(groups.members, apart);
  EXPECT_EQ(groups.joins, (std::vector<std::size_t>{0, 2, 1, 3}));
}

TEST(Groups, AreNotJoinedByOneDoubtfulLink) { EXPECT_EQ(with({{2, 3, 40}}).members, apart); }

TEST(Groups, AreJoinedByASureLink) { EXPECT_EQ(with({{2, 3, 40, true}}).members, together); }

TEST(Groups, AreJoinedByTwoLinksWithoutACommonFrame) {
  EXPECT_EQ(with({{2, 3, 40}, {1, 3, 30}}).members, apart);
  const Groups groups = with({{2, 3, 40}, {1, 4, 30}});
  EXPECT_EQ(groups.members, together);
  EXPECT_EQ(groups.joins, (std::vector<std::size_t>{0, 2, 1, 3, 4}));
}

TEST(Groups, AreNotJoinedThroughASingleThing) {
  std::vector<Link> links{{0, 1, 90}, {1, 2, 80}, {3, 4, 90}, {4, 5, 80}, {2, 6, 20}, {3, 6, 19}};
  const std::vector<std::size_t> owners = one_frame_each(7);
  EXPECT_EQ(groups_of(7, owners, links).members, (Members{{0, 1, 2, 6}, {3, 4, 5}}));
}

TEST(Groups, TakeALinkThatBecomesPossibleLater) {
  // The link 1-2 is stronger than 0-3, which supports it once 0 and 1, and 2 and 3, are joined.
  const std::vector<std::size_t> owners = one_frame_each(4);
  const std::vector<Link> links{{0, 1, 90}, {2, 3, 80}, {1, 2, 50}, {0, 3, 10}};
  EXPECT_EQ(groups_of(4, owners, links).members, (Members{{0, 1, 2, 3}}));
}

TEST(Groups, HaveTheFramesOfAThingTogether) {
  const std::vector<std::size_t> owners{0, 0, 1, 1, 2};
  EXPECT_EQ(groups_of(4, owners, std::vector<Link>{{0, 2, 30}, {3, 4, 20}}).members, (Members{{0, 1, 2}, {3}}));
  EXPECT_EQ(groups_of(0, {}, {}).members, Members{});
}

}  // namespace
}  // namespace octavo::places
