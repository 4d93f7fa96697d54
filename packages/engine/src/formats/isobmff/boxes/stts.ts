import type { ByteReader } from '../../../bytes/reader.ts'
import type { Findings } from '../../../model/finding.ts'
import type { Box } from '../../../syntax/iso-boxes/box.ts'
import type { BoxWriter } from '../../../syntax/iso-boxes/box-writer.ts'
import { parseRuns, type Runs } from './tables.ts'

/** Decoding time to sample box, ISO/IEC 14496-12:2022 §8.6.1.2: durations in ticks of the media's timescale. */
export function parseTimeToSample(reader: ByteReader, box: Box, findings: Findings): Runs {
  return parseRuns(reader, box, false, findings, '8.6.1.2')
}

/** Writes runs of (count, value) in a table of that form; returns nothing. Values are cut to 32 bits. */
export function writeRuns(writer: BoxWriter, type: string, version: number, runs: Runs): void {
  writer.fullBox(type, version, 0, () => {
    writer.u32(runs.length)
    for (let i = 0; i < runs.length; i++) {
      writer.u32(runs.counts[i])
      writer.u32(runs.values[i] >>> 0)
    }
  })
}

/** Collects values into runs, growing as needed. */
export class RunBuilder {
  length = 0
  counts = new Uint32Array(64)
  values = new Float64Array(64)

  add(value: number, count = 1): void {
    if (count <= 0) return
    if (this.length > 0 && this.values[this.length - 1] === value) {
      this.counts[this.length - 1] += count
      return
    }
    if (this.length === this.counts.length) this.#grow()
    this.counts[this.length] = count
    this.values[this.length] = value
    this.length++
  }

  #grow(): void {
    const counts = new Uint32Array(this.counts.length * 2)
    const values = new Float64Array(this.counts.length * 2)
    counts.set(this.counts)
    values.set(this.values)
    this.counts = counts
    this.values = values
  }
}
