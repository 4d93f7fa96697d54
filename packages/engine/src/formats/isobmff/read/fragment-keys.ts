import type { ByteReader } from '../../../bytes/reader.ts'
import type { SampleTable } from '../../../model/sample-table.ts'
import { type Box, bodyOf, boxBytes, childOf, flagsOf, readChildren } from '../../../syntax/iso-boxes/box.ts'
import type { SampleKeys } from '../boxes/sample-encryption.ts'
import { fragmentKeys } from './encryption.ts'
import type { Protection } from './protection.ts'

/** Protection systems kept, and bytes of one: licences are fetched, these only name them. */
const MOST_SYSTEMS = 64
const MOST_SYSTEM_BYTES = 1 << 16

/** Bytes of a track fragment header up to its track, and flags of what its offsets count from: ISO/IEC 14496-12:2022 §8.8.7. */
const LEAST_HEADER = 8
const BASE_OFFSET = 0x1
const BASE_IS_FRAGMENT = 0x2_0000

/** A track whose samples fragments hold. */
export interface KeyedTrack {
  readonly header: { readonly id: number }
  readonly samples: SampleTable
  readonly protection: Protection | undefined
  readonly keys: SampleKeys | undefined
}

/**
 * Appends what the samples of fragments need to be decrypted to their tracks' keys. Samples that a fragment does not tell of are
 * left without; where they do not add up to the samples read, all are.
 */
export function readFragmentKeys(
  reader: ByteReader,
  fragments: readonly Box[],
  tracks: readonly KeyedTrack[],
): void {
  if (tracks.every(({ keys }) => keys === undefined)) return
  for (const moof of fragments) {
    let end = moof.offset
    for (const traf of readChildren(reader, bodyOf(moof), moof.end).boxes) {
      if (traf.type !== 'traf') continue
      const { boxes } = readChildren(reader, bodyOf(traf), traf.end)
      const headerBox = childOf(boxes, 'tfhd')
      if (!headerBox || headerBox.end - bodyOf(headerBox) < LEAST_HEADER) continue
      const id = reader.u32(bodyOf(headerBox) + 4)
      const flags = flagsOf(reader, headerBox)
      const runs = boxes.filter(({ type }) => type === 'trun').map((run) => reader.u32(bodyOf(run) + 4))
      const track = tracks.find(({ header }) => header.id === id)
      const own = (flags & BASE_OFFSET) !== 0 ? reader.u64(bodyOf(headerBox) + 8) : undefined
      const base = own ?? ((flags & BASE_IS_FRAGMENT) !== 0 ? moof.offset : end)
      end = traf.end
      if (!track?.keys || !track.protection) continue
      const left = Math.max(0, track.samples.length - track.keys.count)
      const added = Math.min(
        left,
        runs.reduce((sum, count) => sum + count, 0),
      )
      fragmentKeys(reader, boxes, track.protection, added, base, runs, track.keys)
    }
  }
}

/** Boxes of protection systems in fragments, ISO/IEC 23001-7:2023 §8.1, each once and none of those known. */
export function protectionSystems(
  reader: ByteReader,
  fragments: readonly Box[],
  known: readonly Uint8Array[],
): Uint8Array[] {
  const found = new Map<string, Uint8Array>()
  const there = new Set(known.map((box) => box.join()))
  for (const moof of fragments) {
    for (const box of readChildren(reader, bodyOf(moof), moof.end).boxes) {
      if (box.type !== 'pssh' || found.size >= MOST_SYSTEMS) continue
      const bytes = boxBytes(reader, box, MOST_SYSTEM_BYTES)
      const key = bytes.join()
      if (bytes.length > 0 && !there.has(key)) found.set(key, bytes)
    }
  }
  return [...found.values()]
}
