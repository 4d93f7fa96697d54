import type { BoxWriter } from '../../../syntax/iso-boxes/box-writer.ts'
import type { PlannedTrack } from './plan.ts'

/** Samples of a planned track, by row, as its template numbers them; undefined where that is not known. */
function templateRows({ rows, table, template }: PlannedTrack): Uint32Array | undefined {
  if (rows) return rows.length === table.length ? rows : undefined
  return table.length === template.samples.length
    ? Uint32Array.from({ length: table.length }, (_, row) => row)
    : undefined
}

/** What a track's samples need beside them to be decrypted, ready to be written. */
export interface PlannedKeys {
  /** By sample, in writing order. */
  readonly entries: readonly Uint8Array[]
  readonly ivBytes: number
  readonly rows: Uint32Array
}

/** The keys of a planned track; undefined for tracks in the clear and for those that need nothing beside their samples. */
export function planKeys(track: PlannedTrack): PlannedKeys | undefined {
  const { keys, protection } = track.template
  const rows = keys && protection ? templateRows(track) : undefined
  if (!keys || !protection || !rows) return undefined
  const entries = Array.from(rows, (row) => keys.of(row))
  return { entries, ivBytes: protection.ivBytes, rows }
}

/** Sizes that `saiz` can tell. */
const LARGEST_TOLD = 255

/** Whether `saiz` can tell the entries' sizes: those of many clear stretches stand in the sample encryption box alone. */
export function fitsAuxiliaryBoxes({ entries }: PlannedKeys): boolean {
  return entries.every(({ length }) => length <= LARGEST_TOLD)
}

/** `saiz` and `saio`, ISO/IEC 14496-12:2022 §8.7.8 and §8.7.9. @returns the position of the offset, to be filled in */
export function writeAuxiliaryBoxes(writer: BoxWriter, { entries }: PlannedKeys): number {
  writer.fullBox('saiz', 0, 0, () => {
    writer.u8(0)
    writer.u32(entries.length)
    for (const entry of entries) writer.u8(entry.length)
  })
  let position = 0
  writer.fullBox('saio', 0, 0, () => {
    writer.u32(1)
    position = writer.length
    writer.u32(0)
  })
  return position
}

const SUBSAMPLES = 2

/**
 * The entries themselves in a sample encryption box, ISO/IEC 23001-7:2023 §7.2, or in free space where some list clear stretches
 * and others do not, which that box cannot hold. @returns the position of the first entry
 */
export function writeSampleEncryption(writer: BoxWriter, { entries, ivBytes }: PlannedKeys): number {
  let position = 0
  const listed = entries.every(({ length }) => length > ivBytes)
  const bare = entries.every(({ length }) => length === ivBytes)
  const type = listed || bare ? 'senc' : 'free'
  writer.fullBox(type, 0, listed ? SUBSAMPLES : 0, () => {
    writer.u32(entries.length)
    position = writer.length
    for (const entry of entries) writer.raw(entry)
  })
  return position
}

/** Bytes of a sample group box before its runs, and of one run, version 0: ISO/IEC 14496-12:2022 §8.9.2. */
const GROUP_RUNS = 20
const RUN_BYTES = 8

/** Of a template's group boxes those that choose keys, for the rows that are left. */
export function writeKeyGroups(writer: BoxWriter, boxes: readonly Uint8Array[], rows: Uint32Array): void {
  for (const box of boxes) {
    const text = String.fromCharCode(...box.subarray(4, 16))
    if (text.startsWith('sgpd') && text.endsWith('seig')) writer.raw(box)
    if (!text.startsWith('sbgp') || !text.endsWith('seig') || box[8] !== 0 || box.length < GROUP_RUNS)
      continue
    const runs = groupRuns(box, rows)
    writer.fullBox('sbgp', 0, 0, () => {
      writer.fourcc('seig')
      writer.u32(runs.length)
      for (const { count, group } of runs) {
        writer.u32(count)
        writer.u32(group)
      }
    })
  }
}

function groupRuns(box: Uint8Array, rows: Uint32Array): { count: number; group: number }[] {
  const view = new DataView(box.buffer, box.byteOffset, box.length)
  const declared = Math.min(view.getUint32(16), Math.floor((box.length - GROUP_RUNS) / RUN_BYTES))
  const runs: { count: number; group: number }[] = []
  let run = -1
  let end = 0
  for (const row of rows) {
    // rows of one file rise
    while (row >= end && run + 1 < declared) end += view.getUint32(GROUP_RUNS + RUN_BYTES * ++run)
    const group = row < end ? view.getUint32(GROUP_RUNS + RUN_BYTES * run + 4) : 0
    const last = runs.at(-1)
    if (last?.group === group) last.count++
    else runs.push({ count: 1, group })
  }
  return runs
}
