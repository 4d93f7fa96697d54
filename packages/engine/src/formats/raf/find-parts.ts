import type { ByteReader } from '../../bytes/reader.ts'
import type { Monitor } from '../../model/monitor.ts'
import { readDataDirectory, readFacts, type Sensor } from './read.ts'

/** Where parts of a file whose header is gone begin, by their bytes. */
export interface FoundParts {
  readonly facts: number
  readonly factsEnd: number
  readonly sensor: Sensor
  /** The directory in front of the pixels, and the bytes from there to their end as it says; undefined where there is none. */
  readonly data: { readonly offset: number; readonly length: number } | undefined
}

/** Records that any camera writes, so many of them: that they follow each other by chance is out of the question. */
const LEAST_RECORDS = 5
const MOST_RECORDS = 255
/** The first record is the sensor's size, four bytes long. */
const FIRST = 0x0100_0004
const PIECE = 256 * 1024
/** Facts are a few kilobytes; newer cameras' up to 64. */
const MOST_FACTS = 256 * 1024
/** Bytes behind the facts in which the directory of the pixels begins: it is aligned. */
const LOOK = 256 * 1024
const LITTLE = 0x4949_2a00

/** Looks for the facts about the sensor, and the directory of the pixels behind them. */
export async function findParts(reader: ByteReader, monitor: Monitor): Promise<FoundParts | undefined> {
  for (let from = 0; from < reader.size; from += PIECE) {
    const end = Math.min(from + PIECE, reader.size - 8)
    for (let at = from; at < end; at++) {
      if (reader.u8(at + 4) !== 1 || reader.u32(at + 4) !== FIRST) continue
      const count = reader.u32(at)
      if (count < LEAST_RECORDS || count > MOST_RECORDS) continue
      const facts = readFacts(reader, at, at + MOST_FACTS)
      if (facts?.sensor)
        return { facts: at, factsEnd: facts.end, sensor: facts.sensor, data: dataBehind(reader, facts.end) }
    }
    monitor.progress('survey', Math.min(1, end / reader.size))
    await monitor.pause()
  }
  return undefined
}

function dataBehind(reader: ByteReader, from: number): FoundParts['data'] {
  for (let at = from; at < Math.min(from + LOOK, reader.size); at++) {
    if (reader.u8(at) !== 0x49 || reader.u32(at) !== LITTLE) continue
    const directory = readDataDirectory(reader, at)
    if (directory) return { offset: at, length: directory.length }
  }
  return undefined
}
