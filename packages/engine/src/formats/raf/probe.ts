import { searchBytes } from '../../codecs/search-bytes.ts'
import type { InputFile, Probe } from '../format.ts'
import { hasMagic, readFacts } from './read.ts'

const LOOK = 768 * 1024
/** The first record: its tag and how many bytes it has. The count of records stands in front of it. */
const FIRST = Uint8Array.of(0x01, 0x00, 0x00, 0x04)
const COUNT_BYTES = 4
const LEAST_RECORDS = 5

/** The signature is certain; facts about the sensor that follow each other are, too. */
export function probe({ reader }: InputFile): Probe {
  if (hasMagic(reader)) return { score: 99, reasons: ['signature'] }
  const end = Math.min(LOOK, reader.size - 8) + COUNT_BYTES
  for (let first = COUNT_BYTES; ; first++) {
    first = searchBytes(reader, first, end, FIRST)
    if (first >= end) break
    const at = first - COUNT_BYTES
    if (reader.u32(at) >= LEAST_RECORDS && readFacts(reader, at, reader.size)?.sensor)
      return { score: 95, reasons: [`facts about a sensor at ${at}`] }
  }
  return { score: 0, reasons: [] }
}
