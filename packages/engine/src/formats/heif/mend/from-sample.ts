import type { RepairJob } from '../../format.ts'
import { type Assessment, assess } from '../assess.ts'
import type { ItemState } from '../read/nal-items.ts'
import type { PlacedItem, Structures } from '../write/write-heif.ts'
import { type FoundPicture, findPictures, withGaps } from './find-pictures.ts'

/** A photo put together from the pictures found and what a sample of the same camera says of its own. */
export interface FromSample {
  readonly sample: Assessment
  readonly structures: Structures
  readonly items: readonly PlacedItem[]
  readonly states: ReadonlyMap<number, ItemState>
  /** Which of the pictures found are the photo's was guessed. */
  readonly guessed: boolean
}

/** Lays the pictures that are found in the damaged file in the places that a sample's have. */
export async function fromSample(job: RepairJob): Promise<FromSample | undefined> {
  if (!job.sample) return undefined
  const { reader } = job.sample
  const sample = await assess(reader, job.limits, job.monitor)
  const { meta, picture, fileType } = sample
  if (!meta || !picture || !fileType || !sample.healthy) return undefined
  const coded = [...meta.items.values()]
    .filter(({ type, inside, extents }) => type === 'hvc1' && !inside && extents.length === 1)
    .sort((a, b) => a.extents[0].offset - b.extents[0].offset)
  const found = withGaps(await findPictures(job.damaged.reader, job.monitor))
  const tiles = new Set(picture.tiles.map(({ item }) => item.id))
  const first = coded.findIndex(({ id }) => tiles.has(id))
  const last = coded.findLastIndex(({ id }) => tiles.has(id))
  const count = last - first + 1
  // tiles that lie side by side, others before and behind them
  if (first < 0 || count !== tiles.size || found.length === 0) return undefined
  const start = startOf(
    found,
    coded.map(({ extents }) => extents[0].length),
    first,
    count,
  )
  const ordered = coded.slice(first, last + 1)
  const whole = found.filter((each) => each.whole)
  const [smallest] = whole.sort((a, b) => a.length - b.length)
  if (!smallest) return undefined
  const states = new Map<number, ItemState>()
  const items: PlacedItem[] = []
  const primary = meta.items.get(meta.primary)
  if (primary && primary.type === 'grid') items.push({ item: primary, places: [] })
  for (const [i, item] of ordered.entries()) {
    const at = found[start + i]
    const there = at && !at.gone
    states.set(item.id, there ? (at.whole ? 'whole' : 'broken') : 'cut')
    // a tile that is gone must be some picture: the plainest of those that are there
    items.push({ item, places: [there ? at : smallest] })
  }
  const exact = found.length === coded.length
  return {
    sample,
    structures: { reader, meta, fileType: Uint8Array.from(reader.bytes(0, fileType.end)) },
    items,
    states,
    guessed: !exact,
  }
}

/** Which picture found is the first tile: as in the sample where there are as many, else where the sizes of those beside fit best. */
function startOf(
  found: readonly FoundPicture[],
  sizes: readonly number[],
  first: number,
  count: number,
): number {
  if (found.length === sizes.length) return first
  if (found.length <= count) return 0
  let best = { start: 0, score: Number.NEGATIVE_INFINITY }
  for (let start = 0; start + count <= found.length; start++) {
    const inside = found.slice(start, start + count)
    const outside = [...found.slice(0, start), ...found.slice(start + count)]
    // smaller versions and gain maps differ in size from tiles by much
    const usual = median(inside.map(({ length }) => Math.log(length)))
    const spread = inside.reduce((sum, { length }) => sum + Math.abs(Math.log(length) - usual), 0)
    const apart = outside.reduce((sum, { length }) => sum + Math.abs(Math.log(length) - usual), 0)
    const score = apart - spread - (start === first ? 0 : 1)
    if (score > best.score) best = { start, score }
  }
  return best.start
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? 0
}
