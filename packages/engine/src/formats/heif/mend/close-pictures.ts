import type { ByteReader } from '../../../bytes/reader.ts'
import { closeAv1Picture } from '../../../codecs/av1/close-picture.ts'
import { Allowance } from '../../../model/allowance.ts'
import type { ItemState } from '../read/nal-items.ts'
import type { PlacedItem } from '../write/write-heif.ts'

/** Bytes of pictures that are closed, in all and for each of the file: all are held at once. */
const MOST_BYTES = 1 << 24
const MOST_A_BYTE = 8
/** Bytes of a picture that must be there for anything of it to be seen. */
const LEAST_THERE = 64
/** Steps of any file, and for each byte of this one: each picture is read twice. */
const EFFORT = 1 << 25
const EFFORT_A_BYTE = 8

/**
 * AV1 pictures with holes, or which the file ends within, by the numbers of their items: with bytes that decoders read to the
 * end, as long as they were.
 */
export function closedPictures(
  reader: ByteReader,
  items: readonly PlacedItem[],
  states: ReadonlyMap<number, ItemState>,
): ReadonlyMap<number, Uint8Array> {
  const closed = new Map<number, Uint8Array>()
  const allowance = new Allowance(EFFORT + reader.size * EFFORT_A_BYTE)
  let room = Math.min(MOST_BYTES, MOST_A_BYTE * reader.size)
  for (const { item, places } of items) {
    const state = states.get(item.id)
    if (item.type !== 'av01' || places.length !== 1 || (state !== 'hollow' && state !== 'cut')) continue
    const [{ offset, length }] = places
    const there = Math.min(length, reader.size - offset)
    if (there < LEAST_THERE || length > room) continue
    const picture = new Uint8Array(length)
    picture.set(reader.bytes(offset, there))
    const bytes = closeAv1Picture(picture, allowance)
    if (!bytes) continue
    closed.set(item.id, bytes)
    room -= length
  }
  return closed
}
