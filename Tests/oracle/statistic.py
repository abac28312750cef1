# SPDX-License-Identifier: Apache-2.0
"""Expected numbers of the burn-in statistic, computed a second time with NumPy only.

Frames and cues come from integer formulas that the Swift tests repeat, so no files are exchanged.
Everything is float64 and plain sums; nothing is shared with the Swift sources.

Regenerate the table with:

    python3 Tests/oracle/statistic.py > Tests/BurnInVerificationTests/StatisticExpectations.swift
"""
import math
import sys

import numpy as np

M32 = 0xFFFFFFFF


# ---- synthetic material ---------------------------------------------------------------------


def mixed(x, y, seed):
    """A byte of noise for a place, the same in both languages."""
    h = (x * 374761393 + y * 668265263 + seed * 2246822519) & M32
    h = ((h ^ (h >> 13)) * 1274126177) & M32
    return ((h ^ (h >> 16)) >> 8) & 255


def ramp(v, period):
    """A triangle wave from 0 to period / 2."""
    v %= period
    return min(v, period - v)


def frame(width, height, seed):
    out = np.zeros((height, width), np.int64)
    for y in range(height):
        for x in range(width):
            v = 50 + ramp(x + 2 * y + 31 * seed, 128) + ramp(3 * x - y + 17 * seed, 90)
            v += 40 if mixed(x // 24, y // 18, seed) < 90 else 0
            out[y, x] = min(235, v + mixed(x, y, seed + 1) % 9)
    return out


PALETTE = [(0, 0, 0, 0), (16, 16, 16, 128), (16, 16, 16, 255), (235, 235, 235, 255), (40, 40, 60, 150)]


def cue(columns, lines, cell, seed, changed=-1, box=False):
    """Rows of glyphs of 5 x 7 blocks of `cell` pixels, with an outline; one glyph may be changed."""
    pitch_x, pitch_y, border = 6 * cell, 10 * cell, cell + 2
    width, height = columns * pitch_x + 2 * border, lines * pitch_y + 2 * border
    fill = np.zeros((height, width), bool)
    for line in range(lines):
        for column in range(columns):
            if mixed(column, line, seed + 7) < 40:
                continue
            glyph = line * columns + column
            salt = seed + (1000 if glyph == changed else 0)
            for j in range(7):
                for i in range(5):
                    if mixed(glyph * 5 + i, j, salt) < 128:
                        y, x = border + line * pitch_y + j * cell, border + column * pitch_x + i * cell
                        fill[y:y + cell, x:x + cell] = True
    def grown(mask):
        out = mask.copy()
        out[1:] |= mask[:-1]
        out[:-1] |= mask[1:]
        wide = out.copy()
        wide[:, 1:] |= out[:, :-1]
        wide[:, :-1] |= out[:, 1:]
        return wide
    first = grown(fill)
    indices = np.where(fill, 3, np.where(first, 2, np.where(grown(first), 1, 4 if box else 0)))
    return indices


def burn(base, indices, x, y, ratio, shift_x=0, shift_y=0, doubled=False):
    """Draws a cue at canvas place x, y on a frame of 1/ratio the canvas, by whole numbers only."""
    out = base.copy()
    height, width = indices.shape
    levels = [(int(round(16 + 219 / 255 * p[0] * 0.2126 + 219 / 255 * p[1] * 0.7152
                         + 219 / 255 * p[2] * 0.0722)), p[3]) for p in PALETTE]
    n = ratio * ratio
    for fy in range(y // ratio - 1, (y + height) // ratio + 2):
        for fx in range(x // ratio - 1, (x + width) // ratio + 2):
            strength = light = 0
            for j in range(ratio):
                for i in range(ratio):
                    cy, cx = fy * ratio + j - y, fx * ratio + i - x
                    if 0 <= cy < height and 0 <= cx < width:
                        s, a = levels[indices[cy, cx]]
                        strength += a
                        light += a * s
            ty, tx = fy + shift_y, fx + shift_x
            if 0 <= ty < out.shape[0] and 0 <= tx < out.shape[1] and strength:
                for _ in range(2 if doubled else 1):
                    v = (out[ty, tx] * (255 * n - strength) + light + 255 * n // 2) // (255 * n)
                    out[ty, tx] = v
    return out


# ---- the statistic --------------------------------------------------------------------------


def taps(count, start, scale, origin, source, points):
    """A dense matrix, outputs by source samples: means of `points` linear readings a pixel."""
    out = np.zeros((count, source))
    for k in range(count):
        for p in range(points):
            place = (start + k + (p + .5) / points - origin) / scale - .5
            low = math.floor(place)
            for index, weight in ((low, 1 - (place - low)), (low + 1, place - low)):
                if 0 <= index < source:
                    out[k, index] += weight / points
    return out


def layer(indices, x, y, place, kernel):
    sx, ox, sy, oy = place
    alphas = np.array([p[3] / 255 for p in PALETTE])
    lumas = np.array([16 + 219 / 255 * (.2126 * p[0] + .7152 * p[1] + .0722 * p[2]) for p in PALETTE])
    seen = np.array([p[3] >= 6 for p in PALETTE])[indices]
    rows, columns = np.flatnonzero(seen.any(1)), np.flatnonzero(seen.any(0))
    y, x, top, left = y + rows[0], x + columns[0], rows[0], columns[0]
    indices = indices[top:rows[-1] + 1, left:columns[-1] + 1]
    a = alphas[indices]
    s = np.where(a > 0, lumas[indices], 16.)
    h, w = indices.shape
    x0, x1 = math.floor(sx * x + ox) - 2, math.ceil(sx * (x + w) + ox) + 2
    y0, y1 = math.floor(sy * y + oy) - 2, math.ceil(sy * (y + h) + oy) + 2
    points = 1 if kernel == "bilinear" or sx >= 1 else 4 if sx > .4 else max(6, math.ceil(1 / sx))
    across = taps(x1 - x0, x0, sx, sx * x + ox, w, points)
    down = taps(y1 - y0, y0, sy, sy * y + oy, h, points)
    alpha = down @ a @ across.T
    if points == 1:
        luma = down @ (s - 16) @ across.T + 16
    else:
        light = down @ (a * s) @ across.T
        luma = np.where(alpha > 1e-3, light / np.maximum(alpha, 1e-3), 16)
    return x0, y0, alpha, luma


def good(n):
    while True:
        m = n
        for p in (2, 3, 5):
            while m % p == 0:
                m //= p
        if m == 1:
            return n
        n += 1


def cut(f, x, y, w, h):
    if x >= f.shape[1] or y >= f.shape[0] or x + w <= 0 or y + h <= 0:
        return np.full((h, w), 16.)
    rows = np.clip(np.arange(y, y + h), 0, f.shape[0] - 1)
    columns = np.clip(np.arange(x, x + w), 0, f.shape[1] - 1)
    return f[np.ix_(rows, columns)].astype(float)


def grow(mask, half):
    """Dilation by an element given as half widths of its rows."""
    r = len(half) // 2
    h, w = mask.shape
    out = np.zeros_like(mask)
    for y, x in zip(*np.nonzero(mask)):
        for k, reach in enumerate(half):
            if 0 <= y + k - r < h:
                out[y + k - r, max(0, x - reach):x + reach + 1] = True
    return out


def disc(r):
    return [round(math.sqrt(r * r - d * d)) for d in range(-r, r + 1)]


def blur(f, sigma, radius):
    w = np.exp(-np.arange(-radius, radius + 1) ** 2 / (2 * sigma * sigma))
    w /= w.sum()
    def axis(g):
        p = np.pad(g, ((radius, radius), (0, 0)))
        return sum(w[k] * p[k:k + g.shape[0]] for k in range(2 * radius + 1))
    return axis(axis(f).T).T


def halved(f):
    p = np.pad(f, ((0, f.shape[0] % 2), (0, f.shape[1] % 2)))
    return (p[::2, ::2] + p[1::2, ::2] + p[::2, 1::2] + p[1::2, 1::2]) / 4


def read(grid, block, ys, xs):
    gx = np.clip((xs + .5) / block - .5, 0, grid.shape[1] - 1)
    gy = np.clip((ys + .5) / block - .5, 0, grid.shape[0] - 1)
    x, y = np.floor(gx).astype(int), np.floor(gy).astype(int)
    x1, y1 = np.minimum(x + 1, grid.shape[1] - 1), np.minimum(y + 1, grid.shape[0] - 1)
    fx, fy = gx - x, gy - y
    return (grid[y, x] * (1 - fx) + grid[y, x1] * fx) * (1 - fy) \
        + (grid[y1, x] * (1 - fx) + grid[y1, x1] * fx) * fy


def filled(f, mask):
    out = f.copy()
    weight = (~mask).astype(float)
    value = f * weight
    open_ = mask.copy()
    for level in range(6):
        if not open_.any():
            break
        if level:
            value, weight = halved(value), halved(weight)
        sigma = 2 if level == 0 else math.sqrt(3.75)
        ys, xs = np.nonzero(open_)
        v = read(blur(value, sigma, 8), 2 ** level, ys, xs)
        w = read(blur(weight, sigma, 8), 2 ** level, ys, xs)
        ok = w > .03
        out[ys[ok], xs[ok]] = v[ok] / w[ok]
        open_[ys[ok], xs[ok]] = False
    if open_.any():
        out[open_] = f[~mask].mean() if (~mask).any() else 128
    return np.where(mask, blur(out, 1.5, 6), f)


def island(t):
    p = np.pad(t, 1)
    return (p[1:-1, 2:] - p[1:-1, :-2]) / 2, (p[2:, 1:-1] - p[:-2, 1:-1]) / 2


def soft(f):
    gx, gy = np.zeros_like(f), np.zeros_like(f)
    gx[1:-1, 1:-1] = (f[1:-1, 2:] - f[1:-1, :-2]) / 2
    gy[1:-1, 1:-1] = (f[2:, 1:-1] - f[:-2, 1:-1]) / 2
    d = np.hypot(gx, gy) + 8
    return gx / d, gy / d


def expected(ground, r, drawn):
    h, w = drawn.shape
    picture = ground.copy()
    picture[r:r + h, r:r + w] += drawn
    nx, ny = soft(blur(picture, .5, 2))
    return nx[r:r + h, r:r + w], ny[r:r + h, r:r + w]


def parts(n, k):
    return [n if i == k else int(i * (n / k)) for i in range(k + 1)]


def probe(f, lay, line, m):
    x0, y0, a0, s0 = lay
    h, w = a0.shape
    wide = good(w)
    left = (wide - w) // 2
    a, s = np.zeros((h, wide)), np.full((h, wide), 16.)
    a[:, left:left + w], s[:, left:left + w] = a0, s0
    r = 10 + m
    seen = cut(f, x0 - left - r, y0 - r, wide + 2 * r, h + 2 * r)
    ink = np.zeros(seen.shape, bool)
    ink[r:r + h, r:r + wide] = a > .02
    ground = filled(seen, grow(ink, disc(m + 1)))
    b = ground[r:r + h, r:r + wide]
    t = a * (s - b)
    tx, ty = island(t)
    nx, ny = soft(seen)
    ex, ey = expected(ground, r, t)
    fx, fy = island(a * (s - np.median(b[:, left:left + w])))
    gs = (ex * fx + ey * fy).sum() / (np.hypot(fx, fy).sum() + 1e-6)
    length = np.hypot(tx, ty).sum() + 1e-6
    k = 2 * m + 1
    scores = np.zeros((4, k, wide))
    flips = [(tx, ty), (-tx[:, ::-1], ty[:, ::-1]), (tx[::-1], -ty[::-1]), (-tx[::-1, ::-1], -ty[::-1, ::-1])]
    for q, (ux, uy) in enumerate(flips):
        for v in range(k):
            px, py = nx[r - m + v:r - m + v + h, r:r + wide], ny[r - m + v:r - m + v + h, r:r + wide]
            for d in range(wide):
                # The template rolled right by d: its column x meets the field's column x + d.
                scores[q, v, d] = (ux * np.roll(px, -d, 1) + uy * np.roll(py, -d, 1)).sum() / length
    best = scores.max(1)
    window = np.stack([np.roll(best, i, 1) for i in range(-m, m + 1)]).max(0)
    near = np.concatenate([scores[0][:, wide - m:], scores[0][:, :m + 1]], 1)
    v, u = np.unravel_index(np.argmax(near), near.shape)
    dx, dy = int(u) - m, int(v) - m
    g = near.max()
    lh = max(6, line)
    step, out = max(k, round(lh * .35)), max(k, int(lh * .6))
    decoys = np.array([window[q, d] for q in range(4) for d in range(0, wide, step)
                       if not (q == 0 and min(d, wide - d) < out)])
    med = np.median(decoys)
    z = (g - med) / max(1.4826 * np.median(abs(decoys - med)), decoys.std(), .012)
    eta = g / max(gs, .15)
    # Cells.
    box = np.s_[:, left:left + w]
    here = np.s_[r + dy:r + dy + h, r + dx:r + dx + wide]
    found, want, energy = (nx[here] * tx + ny[here] * ty)[box], (ex * tx + ey * ty)[box], np.hypot(tx, ty)[box]
    ys, xs = parts(h, max(1, round(h / line))), parts(w, max(1, round(w / max(8, line * 1.1))))
    mean = energy.sum() / ((len(ys) - 1) * (len(xs) - 1))
    total = match = blocks = 0
    for c, d in zip(ys, ys[1:]):
        for p, q in zip(xs, xs[1:]):
            e = energy[c:d, p:q].sum()
            if e < .35 * mean or e <= 0:
                continue
            total, blocks = total + e, blocks + 1
            if found[c:d, p:q].sum() / max(want[c:d, p:q].sum(), .15 * e) >= .35:
                match += e
    gx, gy = island(seen - ground)
    gain = (gx[here] * tx + gy[here] * ty).sum() / max((tx * tx + ty * ty).sum(), 1e-3)
    o = seen[here]
    strong = a > .8
    slope = None
    if strong.sum() >= 20 and ((s[strong] - s[strong].mean()) ** 2).sum() >= 1:
        p, q = s[strong] - s[strong].mean(), o[strong] - o[strong].mean()
        slope = (p * q).sum() / (p * p).sum()
    bright = (a > .95) & (s > 200)
    fill = np.median(o[bright]) / np.median(s[bright]) if bright.sum() > 8 else None
    return dict(g=g, gStar=gs, eta=eta, z=z, u=min(eta / .5, z / 4.5), dx=dx, dy=dy, coverage=match / total if total else 0,
                blocks=blocks, gain=gain, slope=slope, fill=fill, decoys=len(decoys))


def window_scores(nx, ny, tx, ty, top, left, m):
    h, w = tx.shape
    return np.array([[(nx[top + v:top + v + h, left + u:left + u + w] * tx
                       + ny[top + v:top + v + h, left + u:left + u + w] * ty).sum()
                      for u in range(-m, m + 1)] for v in range(-m, m + 1)])


def joined(one, two):
    x0, y0 = min(one[0], two[0]), min(one[1], two[1])
    x1 = max(l[0] + l[2].shape[1] for l in (one, two))
    y1 = max(l[1] + l[2].shape[0] for l in (one, two))
    out = []
    for l in (one, two):
        a, s = np.zeros((y1 - y0, x1 - x0)), np.full((y1 - y0, x1 - x0), 16.)
        h, w = l[2].shape
        a[l[1] - y0:l[1] - y0 + h, l[0] - x0:l[0] - x0 + w] = l[2]
        s[l[1] - y0:l[1] - y0 + h, l[0] - x0:l[0] - x0 + w] = l[3]
        out.append((a, s))
    return x0, y0, out


def pair(f, one, two):
    x0, y0, ((ak, sk), (aj, sj)) = joined(one, two)
    h, w = ak.shape
    r = 14
    seen = cut(f, x0 - r, y0 - r, w + 2 * r, h + 2 * r)
    ink = np.zeros(seen.shape, bool)
    ink[r:r + h, r:r + w] = np.maximum(ak, aj) > .02
    ground = filled(seen, grow(ink, disc(2)))
    b = ground[r:r + h, r:r + w]
    tk, tj = ak * (sk - b), aj * (sj - b)
    tx, ty = island(tk - tj)
    ik, ij = ak > .25, aj > .25
    only = (ik & ~grow(ij, disc(1))) | (ij & ~grow(ik, disc(1)))
    count = int(only.sum())
    if count >= 12:
        near = grow(only, [1, 1, 1])
        tx, ty = tx * near, ty * near
    length = np.hypot(tx, ty).sum()
    if length < 1e-3:
        return None
    nx, ny = soft(seen)
    scores = window_scores(nx, ny, tx, ty, r, r, 1) / length
    stars = []
    for t in (tk, tj):
        ex, ey = expected(ground, r, t)
        stars.append((ex * tx + ey * ty).sum() / length)
    v = scores.max() if abs(scores.max()) > abs(scores.min()) else scores.min()
    return (2 * v - stars[0] - stars[1]) / max(stars[0] - stars[1], .1), count


def likeness(one, two):
    _, _, ((ak, sk), (aj, sj)) = joined(one, two)
    k, j = island(ak * (sk - 100)), island(aj * (sj - 100))
    dot = (k[0] * j[0] + k[1] * j[1]).sum()
    return dot / max(1e-6, math.sqrt((k[0] ** 2 + k[1] ** 2).sum() * (j[0] ** 2 + j[1] ** 2).sum()))


def peak(l, c, r):
    d = l - 2 * c + r
    return 0. if abs(d) < 1e-6 else min(.5, max(-.5, .5 * (l - r) / d))


def block_shift(f, lay, line, m):
    x0, y0, a, s = lay
    h, w = a.shape
    r = 10 + m
    seen = cut(f, x0 - r, y0 - r, w + 2 * r, h + 2 * r)
    ink = np.zeros(seen.shape, bool)
    ink[r:r + h, r:r + w] = a > .02
    ground = filled(seen, grow(ink, disc(m + 1)))
    tx, ty = island(a * (s - ground[r:r + h, r:r + w]))
    nx, ny = soft(seen)
    edges = parts(w, max(2, min(6, int(w / (line * 1.5)))))
    found = []
    for p, q in zip(edges, edges[1:]):
        length = np.hypot(tx[:, p:q], ty[:, p:q]).sum()
        if length < 50:
            continue
        sc = window_scores(nx, ny, tx[:, p:q], ty[:, p:q], r, r + p, m) / length
        v, u = np.unravel_index(np.argmax(sc), sc.shape)
        fx = peak(sc[v, u - 1], sc[v, u], sc[v, u + 1]) if 0 < u < 2 * m else 0.
        fy = peak(sc[v - 1, u], sc[v, u], sc[v + 1, u]) if 0 < v < 2 * m else 0.
        found.append(((p + q) / 2 - w / 2, u - m + fx, v - m + fy, sc[v, u]))
    q = np.array(found)
    weight = np.maximum(q[:, 3], .01) ** 2
    line_ = np.linalg.lstsq(np.stack([weight, weight * q[:, 0]], 1), weight * q[:, 1], rcond=None)[0]
    return line_[0], 1 + line_[1], (q[:, 2] * weight).sum() / weight.sum(), len(q)


def tone(reference, seen, rect):
    """Nine groups of the reference's pixels outside a rectangle, medians joined by lines."""
    x0, y0, w, h = rect
    ys, xs = np.meshgrid(np.arange(0, seen.shape[0], 2), np.arange(0, seen.shape[1], 2), indexing="ij")
    out = (ys < y0) | (ys >= y0 + h) | (xs < x0) | (xs >= x0 + w)
    a, b = reference[ys[out], xs[out]], seen[ys[out], xs[out]]
    def middle(values):
        counts, before = np.bincount(values, minlength=256), 0
        for v in range(256):
            if counts[v] and before + counts[v] >= len(values) / 2:
                return v - .5 + (len(values) / 2 - before) / counts[v]
            before += counts[v]
    group = np.zeros(256, int)
    before = 0
    for v in range(256):
        n = int((a == v).sum())
        group[v] = min(8, int((before + n // 2) / len(a) * 9))
        before += n
    knots = []
    for k in range(9):
        inside = group[a] == k
        if not inside.any():
            continue
        x, y = middle(a[inside]), middle(b[inside])
        if not knots:
            knots.append((x, y))
        elif x > knots[-1][0]:
            knots.append((x, max(y, knots[-1][1])))
    kx, ky = np.array(knots).T
    v = np.arange(256.)
    return np.where(v <= kx[0], ky[0] + v - kx[0], np.where(v >= kx[-1], ky[-1] + v - kx[-1], np.interp(v, kx, ky)))


def ink_fit(f, lay, reference, line):
    x0, y0, a, s = lay
    a, s = np.pad(a, 6), np.pad(s, 6, constant_values=16.)
    x0, y0, (h, w) = x0 - 6, y0 - 6, a.shape
    table = tone(reference, f, (x0, y0, w, h))
    b = table[cut(reference, x0, y0, w, h).astype(int)]
    d = cut(f, x0, y0, w, h) - b
    def soften(p, sigma):
        return p if sigma == 0 else blur(p, sigma, (int(round(8 * sigma + 1)) | 1) // 2)
    best = None
    errors = {1: [], 2: []}
    for sigma in (0, .4, .6, .8, 1.1):
        i, c = soften(a * (s - 16), sigma), soften(a * (16 - b), sigma)
        m = np.array([[(i * i).sum(), (i * c).sum()], [(i * c).sum(), (c * c).sum()]])
        v = np.array([(i * d).sum(), (c * d).sum()])
        th = np.linalg.solve(m + np.eye(2) * 1e-3 * np.trace(m), v)
        error = ((d - th[0] * i - th[1] * c) ** 2).sum()
        errors[1].append(((d - soften(a * (s - b), sigma)) ** 2).sum())
        errors[2].append(((d - soften((1 - (1 - a) ** 2) * (s - b), sigma)) ** 2).sum())
        if best is None or error < best[0]:
            x = i + c
            beta = (x * d).sum() / (x * x).sum()
            edges = parts(w, max(2, w // max(6, int(line * .7))))
            left = []
            for p, q in zip(edges, edges[1:]):
                keep = np.ones(w, bool)
                keep[p:q] = False
                ii, cc, dd = i[:, keep], c[:, keep], d[:, keep]
                mm = np.array([[(ii * ii).sum(), (ii * cc).sum()], [(ii * cc).sum(), (cc * cc).sum()]])
                t = np.linalg.solve(mm + np.eye(2) * 1e-3 * np.trace(mm), [(ii * dd).sum(), (cc * dd).sum()])
                left.append(list(t) + [((ii + cc) * dd).sum() / ((ii + cc) ** 2).sum()])
            left = np.array(left)
            n = len(left)
            se = np.sqrt((n - 1) / n * ((left - left.mean(0)) ** 2).sum(0))
            best = error, th, beta, 1 - ((d - beta * x) ** 2).sum() / (d * d).sum(), se, sigma
    half = (a > .2) & (a < .9)
    for j in (-1, 0, 1):
        for k in (-1, 0, 1):
            half &= abs(np.roll(a, (j, k), (0, 1)) - a) <= .02
    once = a * (s - b)
    box = (once * d)[half].sum() / (once * once)[half].sum() if half.sum() >= 50 else None
    return dict(ink=best[1][0], occlusion=best[1][1], beta=best[2], r2=best[3], se=best[4], sigma=best[5],
                twice=min(errors[2]) < min(errors[1]), box=box)


# ---- the table ------------------------------------------------------------------------------

WIDTH, HEIGHT = 320, 180
THIRD = (1 / 3, 0., 1 / 3, 0.)
ONE = dict(columns=22, lines=2, cell=4, seed=11)
OTHER = dict(columns=22, lines=2, cell=4, seed=53)
REVISED = dict(columns=22, lines=2, cell=4, seed=11, changed=30)
BOXED = dict(columns=16, lines=1, cell=5, seed=29, box=True)
PLACE = (213, 420)


def number(v):
    return "nil" if v is None else repr(int(v)) if isinstance(v, (int, np.integer)) else "%.6f" % v


def probes():
    base = frame(WIDTH, HEIGHT, 3)
    one, other, boxed = cue(**ONE), cue(**OTHER), cue(**BOXED)
    x, y = PLACE
    burned = burn(base, one, x, y, 3)
    low = burn(base, one, x, 480, 3)
    cases = [
        ("burned, two taps", burned, one, x, y, THIRD, "bilinear", 13.3, 2),
        ("burned, area", burned, one, x, y, THIRD, "area", 13.3, 3),
        ("nothing drawn", base, one, x, y, THIRD, "area", 13.3, 2),
        ("another cue drawn", burned, other, x, y, THIRD, "area", 13.3, 2),
        ("drawn 2 right and 1 up", burn(base, one, x, y, 3, 2, -1), one, x, y, THIRD, "area", 13.3, 4),
        ("expected a fraction off", burned, one, x, y, (1 / 3, .4, 1 / 3, -.3), "area", 13.3, 2),
        ("reaches below the frame", low, one, x, 480, THIRD, "area", 13.3, 2),
        ("box, half transparent", burn(base, boxed, x, y, 3), boxed, x, y, THIRD, "area", 16.7, 2),
        ("a wrong scale", burned, one, x, y, (.35, -6., .35, -7.), "bilinear", 14., 3),
    ]
    for name, f, c, cx, cy, place, kernel, line, m in cases:
        lay = layer(c, cx, cy, place, kernel)
        yield name, cx, cy, place, kernel, line, m, lay, probe(f, lay, line, m)


def pairs():
    base = frame(WIDTH, HEIGHT, 3)
    x, y = PLACE
    cues = {k: cue(**v) for k, v in (("one", ONE), ("other", OTHER), ("revised", REVISED), ("boxed", BOXED))}
    lays = {k: layer(c, x, y, THIRD, "area") for k, c in cues.items()}
    for first, second, drawn in (("one", "other", "one"), ("one", "other", "other"), ("one", "revised", "one"),
                                 ("one", "revised", "revised"), ("one", "revised", None), ("one", "boxed", "boxed")):
        f = burn(base, cues[drawn], x, y, 3) if drawn else base
        yield ("%s against %s, %s drawn" % (first, second, drawn or "nothing"), *pair(f, lays[first], lays[second]),
               likeness(lays[first], lays[second]))


def shifts():
    base = frame(WIDTH, HEIGHT, 3)
    x, y = PLACE
    one = cue(**ONE)
    f = burn(base, one, x, y, 3)
    for name, place in (("in place", THIRD), ("a fraction off", (1 / 3, .4, 1 / 3, -.3)), ("wider", (.335, -.2, 1 / 3, 0.))):
        yield name, block_shift(f, layer(one, x, y, place, "area"), 13.3, 3)


def fits():
    base = frame(WIDTH, HEIGHT, 3)
    dark = base * 7 // 8 + 9
    x, y = PLACE
    one, boxed = cue(**ONE), cue(**BOXED)
    for name, c, f, reference in (
            ("drawn once", one, burn(base, one, x, y, 3), base),
            ("drawn twice", one, burn(base, one, x, y, 3, doubled=True), base),
            ("nothing drawn", one, frame(WIDTH, HEIGHT, 4) // 8 + base * 7 // 8, base),
            ("tone changed before", one, burn(dark, one, x, y, 3), base),
            ("box once", boxed, burn(base, boxed, x, y, 3), base),
            ("box twice", boxed, burn(base, boxed, x, y, 3, doubled=True), base)):
        yield name, ink_fit(f, layer(c, x, y, THIRD, "area"), reference, 13.3)


def main():
    out = ["// SPDX-License-Identifier: Apache-2.0", "",
           "// Written by Tests/oracle/statistic.py; see there for the command. Do not edit.", "",
           "// swift-format-ignore-file", "",
           "enum StatisticExpectations {", "  static let probes: [ExpectedProbe] = ["]
    for name, cx, cy, place, kernel, line, m, lay, p in probes():
        alpha, luma = lay[2], lay[3]
        picks = [(7, 9), (11, 40), (18, 71), (24, 100), (15, 133)]
        values = ", ".join("(%.5f, %.4f)" % (alpha[r, c], luma[r, c]) for r, c in picks if r < alpha.shape[0] and c < alpha.shape[1])
        out.append('    ExpectedProbe(name: "%s", layer: (%d, %d, %d, %d), picks: [%s], g: %.6f, gStar: %.6f, eta: %.6f, z: %.5f, u: %.6f, dx: %d, dy: %d, coverage: %.5f, blocks: %d, gain: %.6f, slope: %s, fill: %s, decoys: %d),' % (
            name, lay[0], lay[1], alpha.shape[1], alpha.shape[0], values, p["g"], p["gStar"], p["eta"], p["z"], p["u"], p["dx"], p["dy"],
            p["coverage"], p["blocks"], p["gain"], number(p["slope"]), number(p["fill"]), p["decoys"]))
    out += ["  ]", "", "  static let pairs: [ExpectedPair] = ["]
    for name, d, count, like in pairs():
        out.append('    ExpectedPair(name: "%s", d: %.6f, count: %d, likeness: %.6f),' % (name, d, count, like))
    out += ["  ]", "", "  static let shifts: [ExpectedShift] = ["]
    for name, (dx, sx, dy, n) in shifts():
        out.append('    ExpectedShift(name: "%s", dx: %.6f, dy: %.6f, scaleX: %.7f, blocks: %d),' % (name, dx, dy, sx, n))
    out += ["  ]", "", "  static let fits: [ExpectedFit] = ["]
    for name, q in fits():
        out.append('    ExpectedFit(name: "%s", ink: %.6f, occlusion: %.6f, beta: %.6f, r2: %.6f, seInk: %.6f, seOcclusion: %.6f, seBeta: %.6f, sigma: %.1f, isTwice: %s, box: %s),' % (
            name, q["ink"], q["occlusion"], q["beta"], q["r2"], *q["se"], q["sigma"], "true" if q["twice"] else "false", number(q["box"])))
    out += ["  ]", "}"]
    print("\n".join(out))


if __name__ == "__main__":
    main()
