import { MemorySink } from '../../src/bytes/sink.ts'
import { MemorySource } from '../../src/bytes/source.ts'
import { repair } from '../../src/engine.ts'
import type { Format } from '../../src/formats/format.ts'
import type { PhotoReport } from '../../src/model/report.ts'
import { fixturesOf } from '../contract/fixtures.ts'

/** What became of a damaged photo, and the codes of its doubts and findings. */
export interface RepairedPhoto {
  readonly report: PhotoReport
  readonly bytes: Uint8Array
  readonly doubts: readonly string[]
  readonly findings: readonly string[]
}

/** Repairs a photo with every format there is; `extension` without its dot. */
export async function repairPhoto(
  damaged: Uint8Array,
  extension: string,
  sample?: Uint8Array,
): Promise<RepairedPhoto> {
  const sink = new MemorySink()
  const report = await repair({
    damaged: { source: new MemorySource(damaged), name: `damaged.${extension}` },
    ...(sample ? { sample: { source: new MemorySource(sample), name: `sample.${extension}` } } : {}),
    sink,
  })
  if (report.kind !== 'photo') throw new Error('the file was taken for a recording')
  return {
    report,
    bytes: sink.bytes().slice(),
    doubts: (report.doubts ?? []).map(({ code }) => code),
    findings: report.findings.map(({ code }) => code),
  }
}

/** A healthy photo of a format and another one as its sample. */
export function photoPair(
  format: Format,
  name: string,
): { readonly bytes: Uint8Array; readonly sample: Uint8Array } {
  const found = fixturesOf(format).find((each) => each.name === name)
  if (!found?.sample) throw new Error(`there is no ${name} with a sample`)
  return { bytes: found.bytes, sample: found.sample }
}

/** Where bytes of one file stand in another; -1 where they do not. */
export function placeOf(bytes: Uint8Array, piece: Uint8Array): number {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf(piece)
}
