import { Allowance } from '../../../model/allowance.ts'
import type { Monitor } from '../../../model/monitor.ts'
import type { RepairJob } from '../../format.ts'
import type { Assessment } from '../assess.ts'
import { ItemStates } from '../read/item-states.ts'
import type { Item } from '../read/meta.ts'
import type { ItemState } from '../read/nal-items.ts'
import { pictureOf } from '../read/picture.ts'
import { findAv1Pictures } from './find-av1-pictures.ts'
import { findPictures } from './find-pictures.ts'

/**
 * The same file where bytes came between its items, or were lost from there: those that are no pictures where they are told to
 * lie, and are behind one of such lengths elsewhere, are there. Others behind the first of them lie as far off. Undefined where
 * none is found.
 */
export async function withDisplaced(job: RepairJob, own: Assessment): Promise<Assessment | undefined> {
  const { meta, picture, states } = own
  const { reader } = job.damaged
  if (!meta || !picture) return undefined
  const off = [...meta.items.values()].filter(
    ({ id, extents }) => extents.length === 1 && states.get(id) !== 'whole' && states.get(id) !== 'hollow',
  )
  if (off.length === 0) return undefined
  // the file was surveyed before, and progress does not go back
  const quiet: Monitor = { progress: () => {}, pause: () => job.monitor.pause() }
  const found =
    picture.codec === 'av01' ? await findAv1Pictures(reader, quiet) : await findPictures(reader, quiet)
  const shift = likeliestShift(off, found)
  if (shift === undefined) return undefined
  const moved = (item: Item): Item => ({
    ...item,
    extents: item.extents.map(({ offset, length }) => ({ offset: offset + shift, length })),
  })
  const itemStates = new ItemStates(reader, meta)
  const isThere = (item: Item): boolean => itemStates.of(moved(item)) === 'whole'
  const first = Math.min(...off.filter(isThere).map(({ extents: [{ offset }] }) => offset))
  const items = new Map<number, Item>()
  const newStates = new Map<number, ItemState>()
  for (const item of meta.items.values()) {
    const behind = !item.inside && item.extents.some(({ offset }) => offset >= first)
    const inPlace = CHECKED.has(item.type) && states.get(item.id) === 'whole'
    const settled = behind && !inPlace && isThere(item) ? moved(item) : item
    items.set(item.id, settled)
    newStates.set(item.id, itemStates.of(settled))
  }
  // what came in or went between the two may have done so within the one in front
  const before = lastBefore(meta.items.values(), first)
  if (before && newStates.get(before.id) === 'whole') newStates.set(before.id, 'broken')
  const newMeta = { ...meta, items }
  return { ...own, meta: newMeta, picture: pictureOf(reader, newMeta), states: newStates, displaced: true }
}

/** Types of items whose bytes show where they lie. */
const CHECKED: ReadonlySet<string> = new Set(['hvc1', 'av01'])

/** The picture that lies nearest in front of a place. */
function lastBefore(items: Iterable<Item>, place: number): Item | undefined {
  let last: Item | undefined
  for (const item of items) {
    if (!CHECKED.has(item.type) || item.extents.length !== 1 || item.extents[0].offset >= place) continue
    if (!last || item.extents[0].offset > last.extents[0].offset) last = item
  }
  return last
}

/** Pairs of an item and a picture of its length that are counted: more are of one length in no photo. */
const MOST_PAIRS = 500_000

/** By how many bytes the most items are off, as pictures of their lengths tell. */
export function likeliestShift(
  off: readonly Pick<Item, 'type' | 'extents'>[],
  found: readonly { readonly offset: number; readonly length: number }[],
): number | undefined {
  const byLength = new Map<number, number[]>()
  for (const { offset, length } of found) {
    const alike = byLength.get(length)
    if (alike) alike.push(offset)
    else byLength.set(length, [offset])
  }
  const pairs = new Allowance(MOST_PAIRS)
  const votes = new Map<number, number>()
  for (const { type, extents } of off) {
    if (!CHECKED.has(type)) continue
    for (const offset of byLength.get(extents[0].length) ?? []) {
      if (!pairs.take()) break
      const shift = offset - extents[0].offset
      if (shift !== 0) votes.set(shift, (votes.get(shift) ?? 0) + 1)
    }
  }
  const [best] = [...votes].sort(([a, one], [b, other]) => other - one || Math.abs(a) - Math.abs(b))
  return best?.[0]
}
