import type { ByteReader } from '../../../bytes/reader.ts'
import { type Element, readChildren, readUnsigned } from '../../../syntax/ebml/element.ts'
import {
  CUE_CLUSTER_POSITION,
  CUE_POINT,
  CUE_RELATIVE_POSITION,
  CUE_TIME,
  CUE_TRACK,
  CUE_TRACK_POSITIONS,
} from '../ids.ts'

/** One entry of an index, RFC 9559 §5.1.5. */
export interface Cue {
  /** Ticks. */
  readonly time: number
  readonly track: number
  /** Offset of the Cluster after the Segment's data. */
  readonly cluster: number
  /** Offset of the block after the Cluster's data, -1 where it is not told. */
  readonly relative: number
}

const MOST_CUES = 1_000_000
const MOST_CHILDREN = 256

export function readCues(reader: ByteReader, cues: Element): Cue[] {
  const found: Cue[] = []
  for (const point of readChildren(reader, cues.body, cues.end, MOST_CUES).children) {
    if (point.id !== CUE_POINT) continue
    const { children } = readChildren(reader, point.body, point.end, MOST_CHILDREN)
    const time = numberOf(reader, children, CUE_TIME)
    if (time === undefined) continue
    for (const positions of children) {
      if (positions.id !== CUE_TRACK_POSITIONS) continue
      const inner = readChildren(reader, positions.body, positions.end, MOST_CHILDREN).children
      const track = numberOf(reader, inner, CUE_TRACK)
      const cluster = numberOf(reader, inner, CUE_CLUSTER_POSITION)
      if (track === undefined || cluster === undefined) continue
      found.push({ time, track, cluster, relative: numberOf(reader, inner, CUE_RELATIVE_POSITION) ?? -1 })
    }
  }
  return found
}

function numberOf(reader: ByteReader, children: readonly Element[], id: number): number | undefined {
  const child = children.find((candidate) => candidate.id === id)
  return child && readUnsigned(reader, child)
}
