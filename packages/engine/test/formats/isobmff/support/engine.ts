import { DEFAULT_LIMITS } from '../../../../src/bytes/limits.ts'
import { ByteReader } from '../../../../src/bytes/reader.ts'
import { MemorySink } from '../../../../src/bytes/sink.ts'
import { MemorySource } from '../../../../src/bytes/source.ts'
import { diagnose } from '../../../../src/engine.ts'
import type { RepairOptions } from '../../../../src/formats/format.ts'
import type { Movie } from '../../../../src/formats/isobmff/read/movie.ts'
import { type FileReading, readFile } from '../../../../src/formats/isobmff/read/read.ts'
import type { WritePlan } from '../../../../src/formats/isobmff/write/plan.ts'
import { writeMovie } from '../../../../src/formats/isobmff/write/write.ts'
import { Findings } from '../../../../src/model/finding.ts'
import { SILENT } from '../../../../src/model/monitor.ts'
import { repairRecording } from '../../../../testing/recordings/repair-recording.ts'

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

export const repaired = (damaged: Uint8Array, sample?: Uint8Array, options?: Partial<RepairOptions>) =>
  repairRecording(damaged, 'mp4', sample, options)

export async function diagnosed(bytes: Uint8Array): Promise<Awaited<ReturnType<typeof diagnose>>> {
  return diagnose({ file: { source: new MemorySource(bytes), name: 'file.mp4' } })
}
