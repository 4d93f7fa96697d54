/** A stretch of a file in bytes. */
export interface Region {
  readonly offset: number
  readonly length: number
}

/** The regions in file order, those that touch or overlap joined. */
export function mergeRegions(regions: readonly Region[]): Region[] {
  const held = regions.filter((region) => region.length > 0)
  const sorted = inOrder(held) ? held : held.sort((a, b) => a.offset - b.offset)
  const merged: Region[] = []
  for (const region of sorted) {
    const last = merged.at(-1)
    if (last && region.offset <= last.offset + last.length) {
      const end = Math.max(last.offset + last.length, region.offset + region.length)
      merged[merged.length - 1] = { offset: last.offset, length: end - last.offset }
    } else merged.push(region)
  }
  return merged
}

function inOrder(regions: readonly Region[]): boolean {
  for (let i = 1; i < regions.length; i++) if (regions[i].offset < regions[i - 1].offset) return false
  return true
}

/**
 * Regions in file order without overlaps, at most `most` of them: where there are more, those with the fewest bytes between them
 * are joined, and what lies between belongs to them. Time in proportion to the regions, but for sorting the distances.
 */
export function joinNearest(regions: readonly Region[], most: number): readonly Region[] {
  if (regions.length <= most) return regions
  const endOf = ({ offset, length }: Region): number => offset + length
  const distances = Float64Array.from(regions, ({ offset }, i) =>
    i > 0 ? offset - endOf(regions[i - 1]) : 0,
  ).subarray(1)
  const joints = regions.length - most
  const furthest = distances.slice().sort()[joints - 1]
  // of those equally far apart the first, so that no more are joined than must be
  let left = joints - distances.reduce((nearer, distance) => nearer + (distance < furthest ? 1 : 0), 0)
  const joined: Region[] = []
  let from = 0
  for (let i = 0; i < regions.length; i++) {
    const distance = distances[i]
    if (i < distances.length && (distance < furthest || (distance === furthest && left-- > 0))) continue
    joined.push({ offset: regions[from].offset, length: endOf(regions[i]) - regions[from].offset })
    from = i + 1
  }
  return joined
}

/** What is left of `regions` without `taken`; both in file order and without overlaps. */
export function subtractRegions(regions: readonly Region[], taken: readonly Region[]): Region[] {
  const left: Region[] = []
  let next = 0
  for (const region of regions) {
    let at = region.offset
    const end = region.offset + region.length
    while (next < taken.length && taken[next].offset + taken[next].length <= at) next++
    for (let i = next; i < taken.length && taken[i].offset < end; i++) {
      if (taken[i].offset > at) left.push({ offset: at, length: taken[i].offset - at })
      at = Math.max(at, taken[i].offset + taken[i].length)
    }
    if (at < end) left.push({ offset: at, length: end - at })
  }
  return left
}

/** The region that holds `offset`, by bisection over regions in file order. */
export function regionAt(regions: readonly Region[], offset: number): Region | undefined {
  let low = 0
  let high = regions.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const region = regions[middle]
    if (offset < region.offset) high = middle - 1
    else if (offset >= region.offset + region.length) low = middle + 1
    else return region
  }
  return undefined
}
