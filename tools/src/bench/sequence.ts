/** Equal hashes looked at for one item: still pictures repeat a hash thousands of times, and near ones are enough. */
const CANDIDATES = 64

/** Pairs of positions, both growing. */
export interface Match {
  readonly left: number
  readonly right: number
}

/**
 * The longest common subsequence of two rows, as pairs of positions (Hunt and Szymanski: candidates in falling order, then the
 * longest growing run). Rows with many equal items may come out a little short, never wrong.
 */
export function commonSubsequence(left: readonly string[], right: readonly string[]): Match[] {
  const places = new Map<string, number[]>()
  for (const [index, item] of right.entries()) {
    const list = places.get(item)
    if (list) list.push(index)
    else places.set(item, [index])
  }
  const run = new GrowingRun()
  for (const [index, item] of left.entries()) {
    const all = places.get(item)
    if (!all) continue
    for (const place of nearest(all, index).reverse()) run.offer(index, place)
  }
  return run.longest()
}

/** The candidates around the same position, at most `CANDIDATES`. */
function nearest(all: readonly number[], position: number): number[] {
  if (all.length <= CANDIDATES) return [...all]
  let from = all.findIndex((place) => place >= position)
  if (from < 0) from = all.length
  const start = Math.max(0, Math.min(from - CANDIDATES / 2, all.length - CANDIDATES))
  return all.slice(start, start + CANDIDATES)
}

interface Link extends Match {
  readonly before: Link | undefined
}

/** Patience sorting with links back. */
class GrowingRun {
  readonly #tails: Link[] = []

  offer(left: number, right: number): void {
    let low = 0
    let high = this.#tails.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#tails[middle]?.right ?? 0) < right) low = middle + 1
      else high = middle
    }
    this.#tails[low] = { left, right, before: low > 0 ? this.#tails[low - 1] : undefined }
  }

  longest(): Match[] {
    const found: Match[] = []
    for (let link = this.#tails.at(-1); link; link = link.before)
      found.push({ left: link.left, right: link.right })
    return found.reverse()
  }
}
