import type { ByteReader } from '../../../bytes/reader.ts'
import type { Findings } from '../../../model/finding.ts'
import { type Box, bodyOf } from '../../../syntax/iso-boxes/box.ts'
import type { BoxWriter } from '../../../syntax/iso-boxes/box-writer.ts'
import { heldEntries } from './tables.ts'

/** Sample to chunk box, ISO/IEC 14496-12:2022 §8.7.4: runs of chunks with the same number of samples. */
export interface SampleToChunk {
  readonly length: number
  /** Number, from 1, of the first chunk of each run. */
  readonly firstChunk: Uint32Array
  readonly samples: Uint32Array
  /** Number, from 1, of the sample entry. */
  readonly description: Uint32Array
}

export function parseSampleToChunk(reader: ByteReader, box: Box, findings: Findings): SampleToChunk {
  const at = bodyOf(box) + 8
  const declared = at <= box.end ? reader.u32(at - 4) : 0
  const length = heldEntries(reader, box, at, 12, declared, findings, '8.7.4')
  const firstChunk = new Uint32Array(length)
  const samples = new Uint32Array(length)
  const description = new Uint32Array(length)
  for (let i = 0; i < length; i++) {
    firstChunk[i] = reader.u32(at + i * 12)
    samples[i] = reader.u32(at + i * 12 + 4)
    description[i] = reader.u32(at + i * 12 + 8)
  }
  return { length, firstChunk, samples, description }
}

/** Writes the table from the samples and sample entry of every chunk, in order. */
export function writeSampleToChunk(writer: BoxWriter, samples: Uint32Array, descriptions: Uint32Array): void {
  writer.fullBox('stsc', 0, 0, () => {
    const countAt = writer.length
    writer.u32(0)
    let entries = 0
    for (let chunk = 0; chunk < samples.length; chunk++) {
      if (
        chunk > 0 &&
        samples[chunk] === samples[chunk - 1] &&
        descriptions[chunk] === descriptions[chunk - 1]
      )
        continue
      writer.u32(chunk + 1)
      writer.u32(samples[chunk])
      writer.u32(descriptions[chunk])
      entries++
    }
    writer.patch32(countAt, entries)
  })
}
