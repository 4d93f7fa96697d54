import type { InputFile, Probe } from '../format.ts'
import { hasMagic, readFacts } from './read.ts'

const LOOK = 768 * 1024
const FIRST = 0x0100_0004
const LEAST_RECORDS = 5

/** The signature is certain; facts about the sensor that follow each other are, too. */
export function probe({ reader }: InputFile): Probe {
  if (hasMagic(reader)) return { score: 99, reasons: ['signature'] }
  for (let at = 0; at < Math.min(LOOK, reader.size - 8); at++) {
    if (reader.u8(at + 4) !== 1 || reader.u32(at + 4) !== FIRST || reader.u32(at) < LEAST_RECORDS) continue
    if (readFacts(reader, at, reader.size)?.sensor)
      return { score: 95, reasons: [`facts about a sensor at ${at}`] }
  }
  return { score: 0, reasons: [] }
}
