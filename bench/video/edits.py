"""Copies as editors make them: the excerpt beside, below or between something else, or in other fields or a zoom."""

from recipe import SPARE, Recipe, text

HEIGHT = 360  # of a split screen
PORTRAIT = 360, 640
FADE = 1  # [second]
PARTS = [(0, 2), (3, 5), (6, 8)]  # [second] that jump cuts leave


def lower_third(enable=""):
    return f"drawbox=0:ih*0.75:iw:ih/4:color=0x203060:t=fill{enable}," + text(
        "The mayor of the town, live from the bridge", "h/14", "w/20", "h*0.84", enable
    )


def countdown(begin):
    """Numbers that change each second, first so many seconds after the begin."""
    return ",".join(
        text(str(6 - i), "h*0.7", "(w-text_w)/2", "(h-text_h)/2", f":enable='gte(t,{begin + i - 1})*lt(t,{begin + i})'")
        for i in range(7)
    )


FILTERS = {
    "blurred sides": (
        SPARE
        + ",split[full][part];[full]scale={0}:{1}:force_original_aspect_ratio=increase,crop={0}:{1},gblur=20[behind];"
        "[part]scale={0}:-2[before];[behind][before]overlay=0:(H-h)/2"
    ).format(*PORTRAIT),
    "lower third": lower_third(),
    "lower third, from 0.7 s on": lower_third(":enable='gte(t,0.7)'"),
    **{f"countdown from {begin} s": countdown(begin) for begin in (0.4, 0.7, 1)},
    "grown by a zoom": (
        "scale=2*iw:2*ih,zoompan=z='1+0.3*on/{count}':x='iw/2-iw/zoom/2':y='ih/2-ih/zoom/2':d=1:s={width}x{height}:fps={fps}"
    ),
}
EDITS = ["split screen", *FILTERS, "2:3 pulldown", "jump cuts", "cross-fades"]


def pull_down(recipe, clip, first, last):
    """Film in 5 interlaced frames for 4."""
    frames = last - first
    label = recipe.source(clip, first, last, f"{SPARE},crop=iw:4*trunc(ih/4),telecine=first_field=top:pattern=23")
    recipe.coding = ["-flags", "+ilme+ildct", "-x264-params", "tff=1"]
    recipe.true(clip, first, last, recipe.frames, frames * 5 // 4)
    recipe.add(label, frames * 5 // 4)


def jump(recipe, clip, first):
    for begin, end in PARTS:
        part = [first + round(second * clip.fps) for second in (begin, end)]
        recipe.true(clip, *part, recipe.frames, part[1] - part[0])
        recipe.add(recipe.source(clip, *part, "null"), part[1] - part[0])


def split(recipe, clip, first, last, background):
    count = last - first
    shown = 2, 4 + int(count / clip.fps * background.fps)
    half = f"crop=iw/2:ih,scale=-2:{HEIGHT},{SPARE}"
    left = recipe.source(clip, first, last, half)
    right = recipe.source(background, *shown, f"fps={recipe.fps:.6f},{half}")
    recipe.graph.append(f"[{left}][{right}]hstack=shortest=1[both]")
    recipe.true(clip, first, last, recipe.frames, count)
    recipe.true(background, shown[0], shown[0] + round(count / clip.fps * background.fps), recipe.frames, count)
    recipe.add("both", count)


def cross_fade(recipe, parts, size):
    """Each part begins while the one before ends. An end anywhere within a fade is right."""
    fit = f"scale={size[0]}:{size[1]}:force_original_aspect_ratio=decrease,pad={size[0]}:{size[1]}:-1:-1,format=yuv420p"
    fade = round(FADE * recipe.fps)
    shown = None
    for clip, first, last in parts:
        count = round((last - first) / clip.fps * recipe.fps)
        label = recipe.source(clip, first, last, f"{fit},fps={recipe.fps:.6f}:start_time=0,{SPARE}")
        is_first, is_last = clip is parts[0][0], clip is parts[-1][0]
        spare = 5 if is_last else 0
        recipe.graph.append(f"[{label}]trim=end_frame={count + spare},settb=1/90000,setsar=1[{label}t]")
        begin = recipe.frames - fade if shown else 0
        cut = fade // 2
        for_clip = round(cut / recipe.fps * clip.fps)
        recipe.true(
            clip,
            first + (0 if is_first else for_clip),
            last - (0 if is_last else for_clip),
            begin + (0 if is_first else cut),
            count - (0 if is_first else cut) - (0 if is_last else cut),
        )
        recipe.truth[-1] |= {"fade_in": 0 if is_first else FADE, "fade_out": 0 if is_last else FADE}
        if shown:
            offset = begin / recipe.fps
            recipe.graph.append(f"[{shown}][{label}t]xfade=duration={FADE}:offset={offset:.6f}[{label}x]")
        shown = f"{label}x" if shown else f"{label}t"
        recipe.frames = begin + count
    count, recipe.frames = recipe.frames, 0
    recipe.add(shown, count)


def recipe_of_edit(name, clip, pads, background):
    """The recipe of a copy and its size, or none if the clip is too short."""
    seconds = 8 if name == "jump cuts" else 5 if clip.excerpt(5) else 0.9 * clip.times[-1] - 0.5
    if not clip.excerpt(seconds):
        return None
    first, last = clip.excerpt(seconds)
    size = clip.width, clip.height
    if name == "cross-fades":
        recipe = Recipe(clip.fps)
        cross_fade(recipe, [(pads[0], *pads[0].excerpt(4)), (clip, first, last), (pads[1], *pads[1].excerpt(4))], size)
        return recipe, size
    if name == "2:3 pulldown" and not 20 < clip.fps < 31:
        return None
    if name == "split screen" and int(seconds * background.fps) + 6 > background.frames:
        return None
    recipe = Recipe(clip.fps * 5 / 4 if name == "2:3 pulldown" else clip.fps)
    recipe.add_before(pads[0])
    if name == "2:3 pulldown":
        pull_down(recipe, clip, first, last)
        size = size[0], 4 * (size[1] // 4)  # of interlaced frames
    elif name == "jump cuts":
        jump(recipe, clip, first)
    elif name == "split screen":
        split(recipe, clip, first, last, background)
        size = 2 * int(HEIGHT * (size[0] / size[1] + background.width / background.height) / 4), HEIGHT
    else:
        filters = FILTERS[name]
        for key, value in {"count": last - first, "width": size[0], "height": size[1], "fps": clip.fps}.items():
            filters = filters.replace(f"{{{key}}}", str(value))
        recipe.true(clip, first, last, recipe.frames, last - first)
        recipe.add(recipe.source(clip, first, last, filters), last - first)
        size = PORTRAIT if name == "blurred sides" else size
    recipe.add_after(pads[1])
    return recipe, size
