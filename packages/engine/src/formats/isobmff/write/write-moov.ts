import { BoxWriter } from '../../../syntax/iso-boxes/box-writer.ts'
import { type Edit, writeEditList } from '../boxes/elst.ts'
import { writeHandler } from '../boxes/hdlr.ts'
import { writeMediaHeader } from '../boxes/mdhd.ts'
import { writeMovieHeader } from '../boxes/mvhd.ts'
import { patchChunkOffsets, reserveChunkOffsets } from '../boxes/stco.ts'
import { writeSampleToChunk } from '../boxes/stsc.ts'
import { writeSyncSamples } from '../boxes/stss.ts'
import { writeSampleSizes } from '../boxes/stsz.ts'
import { writeRuns } from '../boxes/stts.ts'
import { writeTrackHeader } from '../boxes/tkhd.ts'
import type { PlannedTrack, WritePlan } from './plan.ts'
import type { ChunkPlan, TrackChunks } from './plan-chunks.ts'
import { editedDuration, planEdits, shownFrom } from './plan-edits.ts'
import { planAllTimes, type TrackTimes } from './plan-times.ts'
import { Silence } from './silence.ts'
import {
  fitsAuxiliaryBoxes,
  planKeys,
  writeAuxiliaryBoxes,
  writeKeyGroups,
  writeSampleEncryption,
} from './write-keys.ts'

/** A movie box whose chunk offsets are still to be filled in. */
export interface MovieBox {
  readonly bytes: Uint8Array
  /** Fills in the chunk offsets for a payload that starts at `base` of the file. */
  place(base: number): void
}

/** Serialises the movie box of a plan, to stand at `at` of the file; `wide` chooses 64-bit chunk offsets. */
export function buildMovieBox(plan: WritePlan, chunks: ChunkPlan, wide: boolean, at: number): MovieBox {
  const writer = new BoxWriter()
  const scale = plan.movie.header.timescale
  const times = planAllTimes(plan.tracks)
  const starts = plan.tracks.flatMap((track, i) =>
    track.table.length > 0 ? [shownFrom(track, times[i])] : [],
  )
  const origin = starts.length > 0 ? Math.max(0, Math.min(...starts)) : 0
  const edits = plan.tracks.map((track, i) => planEdits(track, times[i], scale, origin))
  const durations = plan.tracks.map((track, i) => {
    const list = edits[i]
    return list
      ? editedDuration(list)
      : Math.round((times[i].total * scale) / track.template.description.timescale)
  })
  const offsets: { position: number; offsets: Float64Array }[] = []
  writer.box('moov', () => {
    const tail = plan.movie.header.tail.slice()
    const nextId = Math.max(0, ...plan.tracks.map((track) => track.template.header.id)) + 1
    new DataView(tail.buffer).setUint32(76, nextId)
    writeMovieHeader(writer, { ...plan.movie.header, tail, duration: Math.max(0, ...durations) })
    for (const [i, track] of plan.tracks.entries()) {
      const part = chunks.tracks[i]
      const position = writeTrack(writer, track, times[i], edits[i], durations[i], part, wide, at)
      offsets.push({ position, offsets: part.offset.subarray(0, part.length) })
    }
    for (const box of plan.movie.boxes) writer.raw(box)
  })
  return {
    bytes: writer.bytes(),
    place(base) {
      for (const entry of offsets) patchChunkOffsets(writer, entry.position, entry.offsets, base, wide)
    },
  }
}

function writeTrack(
  writer: BoxWriter,
  track: PlannedTrack,
  times: TrackTimes,
  edits: readonly Edit[] | undefined,
  duration: number,
  chunks: TrackChunks,
  wide: boolean,
  at: number,
): number {
  const { template } = track
  const keys = planKeys(track)
  let position = 0
  let auxiliary = 0
  writer.box('trak', () => {
    writeTrackHeader(writer, { ...template.header, duration })
    if (edits) writeEditList(writer, edits)
    for (const box of template.trackBoxes) writer.raw(box)
    writer.box('mdia', () => {
      writeMediaHeader(writer, { ...template.mediaHeader, duration: times.total })
      if (template.handler.length > 0) writer.raw(template.handler)
      else writeHandler(writer, template.handlerType)
      writer.box('minf', () => {
        if (template.information.length === 0) writePlainInformation(writer, template.handlerType)
        for (const box of template.information) writer.raw(box)
        writeDataInformation(writer)
        writer.box('stbl', () => {
          position = writeTables(writer, track, times, chunks, wide)
          if (keys && fitsAuxiliaryBoxes(keys)) auxiliary = writeAuxiliaryBoxes(writer, keys)
          if (keys && !isUntouched(track)) writeKeyGroups(writer, template.groupBoxes, keys.rows)
        })
      })
    })
    const entries = keys ? writeSampleEncryption(writer, keys) : 0
    if (auxiliary > 0) writer.patch32(auxiliary, at + entries)
  })
  return position
}

/** The media header box of a handler, ISO/IEC 14496-12:2022 §8.4.5, where the track's own was lost. */
function writePlainInformation(writer: BoxWriter, handler: string): void {
  if (handler === 'vide') writer.fullBox('vmhd', 0, 1, () => writer.zeros(8))
  else if (handler === 'soun') writer.fullBox('smhd', 0, 0, () => writer.zeros(4))
  else writer.fullBox('nmhd', 0, 0, () => {})
}

/** A data reference to the file itself, ISO/IEC 14496-12:2022 §8.7.2. */
function writeDataInformation(writer: BoxWriter): void {
  writer.box('dinf', () => {
    writer.fullBox('dref', 0, 0, () => {
      writer.u32(1)
      writer.fullBox('url ', 0, 1, () => {})
    })
  })
}

function writeTables(
  writer: BoxWriter,
  track: PlannedTrack,
  times: TrackTimes,
  chunks: TrackChunks,
  wide: boolean,
): number {
  const { template, table } = track
  writer.raw(template.sampleDescription)
  writeRuns(writer, 'stts', 0, times.durations)
  if (times.compositions) writeRuns(writer, 'ctts', times.compositionVersion, times.compositions)
  if (times.sync) writeSyncSamples(writer, times.sync)
  writeSampleToChunk(
    writer,
    chunks.samples.subarray(0, chunks.length),
    chunks.description.subarray(0, chunks.length),
  )
  if (template.layout.rows === 'runs') {
    const silence = new Silence(track)
    let samples = 0
    for (let row = 0; row < table.length; row++)
      samples += (table.count[row] + silence.behind(row)) * template.layout.unitSamples
    writeSampleSizes(writer, template.layout.sizeField, samples, NO_SIZES)
  } else {
    const sizes = new Uint32Array(table.length)
    sizes.set(table.size.subarray(0, table.length))
    const [first = 0] = sizes
    const isConstant = sizes.every((size) => size === first)
    writeSampleSizes(writer, isConstant ? first : 0, sizes.length, sizes)
  }
  const position = reserveChunkOffsets(writer, chunks.length, wide)
  // Boxes that number samples hold only while the samples are the index's own, all of them.
  if (isUntouched(track)) for (const box of template.groupBoxes) writer.raw(box)
  return position
}

/** True when the rows are exactly those of the template's index. */
export function isUntouched(track: PlannedTrack): boolean {
  return (
    track.times === 'index' && track.table.length === track.template.samples.length && track.table.length > 0
  )
}

const NO_SIZES = new Uint32Array(0)
