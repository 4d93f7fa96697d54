/** A stretch of a file in bytes. */
export interface Region {
  readonly offset: number
  readonly length: number
}

/** The regions in file order, those that touch or overlap joined. */
export function mergeRegions(regions: readonly Region[]): Region[] {
  const sorted = regions.filter((region) => region.length > 0).sort((a, b) => a.offset - b.offset)
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
