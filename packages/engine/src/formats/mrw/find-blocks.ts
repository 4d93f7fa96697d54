import type { ByteReader } from '../../bytes/reader.ts'
import { blocksFrom, type Header, orientationOf, type Sensor, sensorOf, typeAt } from './read.ts'

/** Blocks that stand behind each other without the signature in front of them. */
export interface FoundBlocks {
  /** Where the first one begins. */
  readonly start: number
  readonly header: Header
  readonly sensor: Sensor
}

/** Bytes at the head in which the first block is looked for. */
const LOOK = 64
/** The block of the sensor and at least one more. */
const LEAST_BLOCKS = 2

/** The file's own blocks from the first one, which tells of the sensor, near the head. */
export function findBlocks(reader: ByteReader): FoundBlocks | undefined {
  for (let start = 0; start < LOOK; start++) {
    if (typeAt(reader, start) !== 'PRD') continue
    const blocks = blocksFrom(reader, start, reader.size)
    const sensor = sensorOf(reader, blocks)
    const last = blocks.at(-1)
    if (!sensor || !last || blocks.length < LEAST_BLOCKS) continue
    const data = last.body + last.length
    return {
      start,
      sensor,
      header: { blocks, sound: true, data, sensor, orientation: orientationOf(reader, blocks) },
    }
  }
  return undefined
}
