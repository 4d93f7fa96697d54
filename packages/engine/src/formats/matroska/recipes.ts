import {
  bitsFlipped,
  blocksLost,
  bytesDeleted,
  bytesInserted,
  headCut,
  headZeroed,
  type Recipe,
  type Stretch,
  trailingGarbage,
  truncated,
  zeroTail,
} from '../../bytes/damage.ts'
import { ByteReader } from '../../bytes/reader.ts'
import { MemorySource } from '../../bytes/source.ts'
import { type Element, ElementHeader, readChildren, UNKNOWN_SIZE } from '../../syntax/ebml/element.ts'
import { CLUSTER, CUES, DURATION, EBML, INFO, SEGMENT, TRACKS, VOID } from './ids.ts'

/** The EBML header, the Segment and its children, of an undamaged file with known sizes. */
export function topElements(bytes: Uint8Array): Element[] {
  const reader = new ByteReader(new MemorySource(bytes))
  const header = new ElementHeader()
  const found: Element[] = []
  for (let at = 0; header.read(reader, at, bytes.length) && header.size !== UNKNOWN_SIZE; ) {
    const { id, offset, body, end } = header
    found.push({ id, offset, body, end })
    at = id === SEGMENT ? body : end
  }
  return found
}

function first(bytes: Uint8Array, id: number): Element {
  const found = topElements(bytes).find((element) => element.id === id)
  return found ?? { id, offset: 0, body: 0, end: 0 }
}

/** From the first Cluster to the last one's end. */
export function clusters(bytes: Uint8Array): Stretch {
  const all = topElements(bytes).filter(({ id }) => id === CLUSTER)
  return { start: all[0]?.offset ?? 0, end: all.at(-1)?.end ?? bytes.length }
}

function zeroed(bytes: Uint8Array, start: number, end: number): Uint8Array {
  const result = new Uint8Array(bytes)
  result.fill(0, start, end)
  return result
}

/** One element zeroed. */
export function elementZeroed(bytes: Uint8Array, id: number): Uint8Array {
  const { offset, end } = first(bytes, id)
  return zeroed(bytes, offset, end)
}

/** The header of the second Cluster, or the only one, with its time, zeroed. */
export function clusterHeaderZeroed(bytes: Uint8Array): Uint8Array {
  const [only, second] = topElements(bytes).filter(({ id }) => id === CLUSTER)
  const cluster = second ?? only
  return cluster ? zeroed(bytes, cluster.offset, cluster.body + CLUSTER_START) : new Uint8Array(bytes)
}

/** Bytes of a sum and a Timestamp behind a Cluster's header. */
const CLUSTER_START = 9

/** Everything in front of the first Cluster zeroed. */
export function headLost(bytes: Uint8Array): Uint8Array {
  return zeroed(bytes, 0, clusters(bytes).start)
}

/** The size of an element set to another, in the bytes it has. */
export function elementSize(bytes: Uint8Array, id: number, size: number): Uint8Array {
  const result = new Uint8Array(bytes)
  const { offset, body } = first(bytes, id)
  const at = offset + 4
  let rest = size
  for (let i = body - 1; i > at; i--) {
    result[i] = rest % 256
    rest = Math.floor(rest / 256)
  }
  const length = body - at
  result[at] = (0x100 >> length) | (rest & ((0x80 >> (length - 1)) - 1))
  return result
}

const MOST_CHILDREN = 64

/** A recording as it was being written: sizes of Segment and Clusters unknown, no Duration, no index. */
export function live(bytes: Uint8Array): Uint8Array {
  const result = new Uint8Array(bytes.subarray(0, clusters(bytes).end))
  for (const { id, offset, body, end } of topElements(bytes))
    if (id === SEGMENT || id === CLUSTER) {
      result.fill(0xff, offset + 4, body)
      result[offset + 4] = 0x1ff >> (body - offset - 4)
    } else if (id === INFO) {
      const children = readChildren(
        new ByteReader(new MemorySource(bytes)),
        body,
        end,
        MOST_CHILDREN,
      ).children
      const duration = children.find((child) => child.id === DURATION)
      if (duration) result.set([VOID, 0x80 | (duration.end - duration.offset - 2)], duration.offset)
    }
  return result
}

/** The recipes that every test of the format runs, from the commonest damage on. */
export const RECIPES: readonly Recipe[] = [
  { name: 'truncated at 70%', apply: (bytes) => truncated(bytes, 0.7) },
  { name: 'zero tail from 70%', apply: (bytes) => zeroTail(bytes, 0.7) },
  { name: 'trailing garbage', apply: (bytes, seed) => trailingGarbage(bytes, 5_000, seed) },
  { name: 'index zeroed', apply: (bytes) => elementZeroed(bytes, CUES) },
  { name: 'as it was being written', apply: (bytes) => live(bytes) },
  { name: 'as it was being written and cut', apply: (bytes) => truncated(live(bytes), 0.8) },
  { name: 'Info zeroed', apply: (bytes) => elementZeroed(bytes, INFO) },
  { name: 'Tracks zeroed', apply: (bytes) => elementZeroed(bytes, TRACKS) },
  { name: 'EBML header zeroed', apply: (bytes) => elementZeroed(bytes, EBML) },
  { name: 'all in front of the Clusters zeroed', apply: (bytes) => headLost(bytes) },
  { name: 'head zeroed', apply: (bytes) => headZeroed(bytes, bytes.length >> 2) },
  { name: 'head cut away', apply: (bytes) => headCut(bytes, bytes.length >> 2) },
  { name: 'header of a Cluster zeroed', apply: (bytes) => clusterHeaderZeroed(bytes) },
  { name: 'Segment size short', apply: (bytes) => elementSize(bytes, SEGMENT, 5_000) },
  { name: 'Segment size huge', apply: (bytes) => elementSize(bytes, SEGMENT, 2 ** 40) },
  { name: 'Cluster size short', apply: (bytes) => elementSize(bytes, CLUSTER, 1_000) },
  {
    name: 'three blocks zeroed',
    apply: (bytes, seed) => blocksLost(bytes, 3, 1024, false, seed, clusters(bytes)),
  },
  {
    name: 'three blocks overwritten',
    apply: (bytes, seed) => blocksLost(bytes, 3, 1024, true, seed, clusters(bytes)),
  },
  { name: '512 bytes deleted', apply: (bytes) => bytesDeleted(bytes, 512, 0.5, clusters(bytes)) },
  {
    name: '777 bytes inserted',
    apply: (bytes, seed) => bytesInserted(bytes, 777, 0.55, seed, clusters(bytes)),
  },
  { name: 'twenty bits flipped', apply: (bytes, seed) => bitsFlipped(bytes, 20, seed, clusters(bytes)) },
]
