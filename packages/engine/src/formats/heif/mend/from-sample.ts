import type { ByteReader } from '../../../bytes/reader.ts'
import type { Monitor } from '../../../model/monitor.ts'
import type { RepairJob } from '../../format.ts'
import { assess } from '../assess.ts'
import type { Item } from '../read/meta.ts'
import type { ItemState } from '../read/nal-items.ts'
import type { Picture } from '../read/picture.ts'
import type { PlacedItem } from '../write/write-heif.ts'
import { alignItems, type Slot } from './align-items.ts'
import { sequenceOf } from './av1-template.ts'
import { findAv1Pictures } from './find-av1-pictures.ts'
import { type FoundPicture, findPictures } from './find-pictures.ts'
import type { FromSample } from './found-photo.ts'

/** How pictures of a coding are found in the bytes. */
const FINDERS: Readonly<
  Record<string, (reader: ByteReader, monitor: Monitor) => Promise<readonly FoundPicture[]>>
> = { hvc1: findPictures, av01: findAv1Pictures }

/** Lays the pictures that are found in the damaged file in the places that a sample's have. */
export async function fromSample(job: RepairJob): Promise<FromSample | undefined> {
  if (!job.sample) return undefined
  const { reader } = job.sample
  const sample = await assess(reader, job.limits, job.monitor)
  const { meta, picture, fileType } = sample
  const find = picture && FINDERS[picture.codec]
  if (!meta || !find || !fileType || !sample.healthy) return undefined
  const found = await find(job.damaged.reader, job.monitor)
  const { slots, of } = slotsOf([...meta.items.values()], picture.codec)
  const aligned = alignItems(found, slots, job.damaged.reader.size, reader.size)
  const [smallest] = found.filter(({ whole }) => whole).sort((a, b) => a.length - b.length)
  if (!aligned || !smallest || !fits(job.damaged.reader, smallest, reader, picture)) return undefined
  const states = new Map<number, ItemState>()
  const items: PlacedItem[] = []
  const primary = meta.items.get(meta.primary)
  if (primary && primary.type === 'grid') items.push({ item: primary, places: [] })
  for (const { item } of picture.tiles) {
    const slot = of.get(item.id)
    const there = slot === undefined ? undefined : aligned.pictures[slot]
    states.set(item.id, there ? (there.whole ? 'whole' : 'broken') : 'cut')
    // a tile that is gone must be some picture: the plainest of those that are there
    items.push({ item, places: [there ?? smallest] })
  }
  return {
    sample,
    structures: { reader, meta, fileType: Uint8Array.from(reader.bytes(0, fileType.end)) },
    items,
    states,
    guessed: aligned.guessed,
  }
}

/** Whether pictures are coded as the sample's are. Those of AV1 tell: their size, depth and profile. */
function fits(
  reader: ByteReader,
  found: FoundPicture,
  sample: ByteReader,
  { codec, tiles }: Picture,
): boolean {
  if (codec !== 'av01') return true
  const [mine, theirs] = [sequenceOf(reader, found), sequenceOf(sample, tiles[0].item.extents[0])]
  const look = (sequence: typeof mine): string =>
    sequence ? [sequence.width, sequence.height, ...sequence.config.subarray(0, 4)].join() : ''
  return look(mine) === look(theirs)
}

/**
 * What a file's items are in the order of their bytes, and which slot each picture has. What is no picture and lies side by side
 * is one.
 */
function slotsOf(
  items: readonly Item[],
  codec: string,
): { readonly slots: readonly Slot[]; readonly of: ReadonlyMap<number, number> } {
  const stored = items
    .filter(({ inside, extents }) => !inside && extents.length > 0)
    .sort((a, b) => a.extents[0].offset - b.extents[0].offset)
  const slots: Slot[] = []
  const of = new Map<number, number>()
  for (const { id, type, extents } of stored) {
    const picture = type === codec && extents.length === 1
    const length = extents.reduce((sum, extent) => sum + extent.length, 0)
    const last = slots.at(-1)
    if (picture) of.set(id, slots.length)
    if (!picture && last && !last.picture) slots[slots.length - 1] = { picture, length: last.length + length }
    else slots.push({ picture, length })
  }
  return { slots, of }
}
