import type { ByteReader } from '../../../../bytes/reader.ts'
import type { Findings } from '../../../../model/finding.ts'
import { type Orientation, orientationOf, oriented } from '../../boxes/orientation.ts'
import { deduced } from '../../findings.ts'
import type { MovieTrack } from '../../read/movie.ts'
import type { Teacher } from '../carve-file.ts'
import type { RecoveredTrack } from '../index/surviving-index.ts'

/** Key of timed metadata that tells how pictures are turned, QuickTime File Format, 'Timed Metadata Media'. */
const ORIENTATION_KEY = 'com.apple.quicktime.video-orientation'
const WHAT = 'orientation of the picture'

/** Turns by the values of that key, which are those of Exif's Orientation, JEITA CP-3451 §4.6.4 A. */
const BY_VALUE: Readonly<Record<number, Orientation>> = {
  1: { turns: 0, mirrored: false },
  2: { turns: 0, mirrored: true },
  3: { turns: 2, mirrored: false },
  4: { turns: 2, mirrored: true },
  5: { turns: 3, mirrored: true },
  6: { turns: 1, mirrored: false },
  7: { turns: 1, mirrored: true },
  8: { turns: 3, mirrored: false },
}

/**
 * Turns carved pictures whose own track header is lost as the recording's metadata say. Where nothing tells, they stay as
 * `teacher` has them, and the findings say that this is a guess.
 */
export function turnPictures(
  reader: ByteReader,
  tracks: readonly RecoveredTrack[],
  teacher: Teacher,
  findings: Findings,
): RecoveredTrack[] {
  const told = toldOrientation(reader, tracks)
  let said = false
  return tracks.map((track) => {
    const { template } = track.plan
    if (template.description.kind !== 'video' || !template.lost.has('tkhd')) return track
    if (!said) findings.add(told ? deduced(WHAT, 'its metadata', false) : unknown(template, teacher))
    said = true
    if (!told) return track
    const header = { ...template.header, tail: oriented(template.header.tail, told) }
    return { ...track, plan: { ...track.plan, template: { ...template, header } } }
  })
}

function unknown(template: MovieTrack, teacher: Teacher): ReturnType<typeof deduced> {
  if (teacher.origin !== 'sample' && !teacher.used)
    return deduced(WHAT, 'nothing: shown as it is coded', true)
  const turns = orientationOf(template.header.tail)?.turns ?? 0
  return deduced(WHAT, `the sample, which is turned by ${turns * 90} degrees`, true)
}

/** Samples of a track looked at: orientation is told when recording starts. */
const LOOKED_AT = 8

/**
 * What the first sample with the key says. It is one value alone; several metadata tracks of one codec are told apart by their
 * clocks, so that it may have come to lie in another.
 */
function toldOrientation(reader: ByteReader, tracks: readonly RecoveredTrack[]): Orientation | undefined {
  const metadata = tracks.filter(({ plan }) => plan.template.description.codec === 'mebx')
  const keys = metadata.map(({ plan }) => keyNumber(plan.template.entries[0]?.bytes))
  const key = keys.find((number) => number !== undefined)
  if (key === undefined) return undefined
  const own = metadata.filter((_, i) => keys[i] !== undefined)
  for (const [i, { plan }] of [...own, ...metadata].entries()) {
    const { table } = plan
    for (let row = 0; row < Math.min(LOOKED_AT, table.length); row++) {
      if (i >= own.length && table.size[row] !== ALONE_BYTES) continue
      const value = keyedValue(reader, table.offset[row], table.size[row], key)
      if (value !== undefined && value in BY_VALUE) return BY_VALUE[value]
    }
  }
  return undefined
}

/** Fields of a sample entry before its boxes. */
const ENTRY_FIXED = 16
const HEADER = 8
/** A sample of one integer of two bytes, as phones write the key. */
const ALONE_BYTES = HEADER + 2
const MAX_KEYS = 64

/** The number under which samples of a `mebx` entry carry the key. */
function keyNumber(entry: Uint8Array | undefined): number | undefined {
  if (!entry || entry.length < ENTRY_FIXED + HEADER) return undefined
  const view = new DataView(entry.buffer, entry.byteOffset, entry.length)
  const typeAt = (at: number): string => String.fromCharCode(...entry.subarray(at + 4, at + HEADER))
  if (typeAt(ENTRY_FIXED) !== 'keys') return undefined
  const end = Math.min(entry.length, ENTRY_FIXED + view.getUint32(ENTRY_FIXED))
  let at = ENTRY_FIXED + HEADER
  for (let n = 0; n < MAX_KEYS && at + 2 * HEADER <= end; n++) {
    const size = view.getUint32(at)
    const declared = view.getUint32(at + HEADER)
    if (size < 2 * HEADER || at + size > end) return undefined
    // the key's own box: name space, then the name to its end
    const name = String.fromCharCode(...entry.subarray(at + 2 * HEADER + 4, at + HEADER + declared))
    if (typeAt(at + HEADER) === 'keyd' && declared <= size - HEADER && name === ORIENTATION_KEY)
      return view.getUint32(at + 4)
    at += size
  }
  return undefined
}

/** The integer of a key in a sample of values. */
function keyedValue(reader: ByteReader, offset: number, length: number, key: number): number | undefined {
  const end = offset + length
  for (let at = offset, n = 0; n < MAX_KEYS && at + HEADER <= end; n++) {
    const size = reader.u32(at)
    if (size < HEADER || at + size > end) return undefined
    if (reader.u32(at + 4) === key) {
      const bytes = size - HEADER
      if (bytes === 1) return reader.u8(at + HEADER)
      if (bytes === 2) return reader.u16(at + HEADER)
      return bytes === 4 ? reader.u32(at + HEADER) : undefined
    }
    at += size
  }
  return undefined
}
