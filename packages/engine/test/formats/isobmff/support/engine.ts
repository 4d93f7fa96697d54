import { DEFAULT_LIMITS } from '../../../../src/bytes/limits.ts'
import { ByteReader } from '../../../../src/bytes/reader.ts'
import { MemorySink } from '../../../../src/bytes/sink.ts'
import { MemorySource } from '../../../../src/bytes/source.ts'
import { diagnose, repair } from '../../../../src/engine.ts'
import type { RepairOptions } from '../../../../src/formats/format.ts'
import type { Movie } from '../../../../src/formats/isobmff/read/movie.ts'
import { type FileReading, readFile } from '../../../../src/formats/isobmff/read/read.ts'
import type { WritePlan } from '../../../../src/formats/isobmff/write/plan.ts'
import { writeMovie } from '../../../../src/formats/isobmff/write/write.ts'
import { Findings } from '../../../../src/model/finding.ts'
import { SILENT } from '../../../../src/model/monitor.ts'
import type { RecordingReport } from '../../../../src/model/report.ts'

export function readerOf(bytes: Uint8Array): ByteReader {
  return new ByteReader(new MemorySource(bytes))
}

export async function read(bytes: Uint8Array): Promise<FileReading & { findings: Findings }> {
  const findings = new Findings()
  return { ...(await readFile(readerOf(bytes), DEFAULT_LIMITS, findings, SILENT)), findings }
}

/** The movie of a file that must have one. */
export async function movieOf(bytes: Uint8Array): Promise<Movie> {
  const { movie } = await read(bytes)
  if (!movie) throw new Error('the file has no movie')
  return movie
}

/** A plan that writes a movie as its index has it. */
export function wholePlan(movie: Movie): WritePlan {
  return {
    movie,
    tracks: movie.tracks.map((track) => ({
      template: track,
      table: track.samples,
      times: 'index',
      ...(track.descriptions ? { descriptions: track.descriptions } : {}),
    })),
  }
}

export async function write(plan: WritePlan, source: Uint8Array): Promise<Uint8Array> {
  const sink = new MemorySink()
  await writeMovie(plan, readerOf(source), sink, SILENT)
  return sink.bytes().slice()
}

export async function repaired(
  damaged: Uint8Array,
  sample?: Uint8Array,
  options: Partial<RepairOptions> = {},
): Promise<{ report: RecordingReport; bytes: Uint8Array }> {
  const sink = new MemorySink()
  const report = await repair({
    damaged: { source: new MemorySource(damaged), name: 'damaged.mp4' },
    ...(sample ? { sample: { source: new MemorySource(sample), name: 'sample.mp4' } } : {}),
    sink,
    options,
  })
  if (report.kind !== 'recording') throw new Error('the file was taken for a photo')
  return { report, bytes: sink.bytes().slice() }
}

export async function diagnosed(bytes: Uint8Array): Promise<Awaited<ReturnType<typeof diagnose>>> {
  return diagnose({ file: { source: new MemorySource(bytes), name: 'file.mp4' } })
}
