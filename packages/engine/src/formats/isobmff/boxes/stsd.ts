import type { ByteReader } from '../../../bytes/reader.ts'
import type { Findings } from '../../../model/finding.ts'
import {
  type Box,
  bodyOf,
  boxBytes,
  isCut,
  readBox,
  readChildren,
  versionOf,
} from '../../../syntax/iso-boxes/box.ts'
import { boxSize } from '../findings.ts'
import { type AudioEntry, parseAudioEntry } from './audio-sample-entry.ts'
import { parseVisualEntry, type VisualEntry } from './visual-sample-entry.ts'

/** One sample entry, ISO/IEC 14496-12:2022 §8.5.2: its bytes verbatim and what the engine understands of them. */
export interface SampleEntry {
  /** Four-character code, e.g. `avc1`. */
  readonly format: string
  /** The whole entry with its header, as it stands in the file. */
  readonly bytes: Uint8Array
  /** False when its bytes are cut off. */
  readonly whole: boolean
  readonly visual?: VisualEntry
  readonly audio?: AudioEntry
  /** Boxes within the entry, in the file. */
  readonly boxes: readonly Box[]
}

/** Entries of one track: cameras write 1, editors a handful, and some writers of Motion JPEG one for each picture. */
const MAX_ENTRIES = 1 << 14
/** Bytes of one entry kept; the largest real ones carry colour tables and previews of some 100 kB. */
const MAX_ENTRY_BYTES = 4 * 1024 * 1024

/** Reads every entry of an `stsd` box; `handler` decides how the fields behind the common header are laid out. */
export function parseSampleDescription(
  reader: ByteReader,
  box: Box,
  handler: string,
  findings: Findings,
): SampleEntry[] {
  const entries: SampleEntry[] = []
  let at = bodyOf(box) + 8
  const declared = at <= box.end ? reader.u32(at - 4) : 0
  const isoVersion = versionOf(reader, box)
  while (entries.length < Math.min(declared, MAX_ENTRIES) && at + 8 <= box.end) {
    const entry = readBox(reader, at, box.end)
    if (!entry || entry.size < 16) {
      findings.add(
        boxSize(entry?.type ?? 'stsd entry', at, entry?.size ?? reader.u32(at), box.end - at, '8.5.2'),
      )
      break
    }
    if (isCut(entry)) findings.add(boxSize(entry.type, at, entry.size, box.end - at, '8.5.2'))
    entries.push(parseEntry(reader, entry, handler, isoVersion))
    at = entry.end
  }
  return entries
}

function parseEntry(reader: ByteReader, box: Box, handler: string, isoVersion: number): SampleEntry {
  const common = {
    format: box.type,
    bytes: boxBytes(reader, box, MAX_ENTRY_BYTES),
    whole: !isCut(box),
  }
  if (handler === 'soun') {
    const audio = parseAudioEntry(reader, box, isoVersion)
    if (audio) return { ...common, audio: audio.entry, boxes: entryBoxes(reader, audio.children, box.end) }
  } else if (handler === 'vide' || handler === 'pict' || handler === 'auxv') {
    const visual = parseVisualEntry(reader, box)
    if (visual)
      return { ...common, visual: visual.entry, boxes: entryBoxes(reader, visual.children, box.end) }
  }
  return { ...common, boxes: [] }
}

/** Boxes of an entry, those in QuickTime's `wave` box included. */
function entryBoxes(reader: ByteReader, start: number, end: number): Box[] {
  const boxes: Box[] = []
  for (const box of readChildren(reader, start, end).boxes) {
    boxes.push(box)
    if (box.type === 'wave') boxes.push(...readChildren(reader, bodyOf(box), box.end).boxes)
  }
  return boxes
}
