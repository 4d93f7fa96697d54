import { AmfWriter } from './amf0.ts'
import type { KeptProperty } from './read.ts'

/** What a repaired file says of itself. */
export interface Facts {
  /** Seconds. */
  readonly duration: number
  readonly width?: number
  readonly height?: number
  readonly hasVideo: boolean
  readonly hasAudio: boolean
  /** Numbers of the codecs, Annex E.5; a code of four characters as its number. */
  readonly videoCodec?: number
  readonly audioCodec?: number
  /** Seconds of key pictures. */
  readonly times: readonly number[]
}

/** What depends on where things come to lie. */
export interface Places {
  readonly fileSize: number
  /** Offsets of the key pictures' tags. */
  readonly positions: readonly number[]
}

/** Values that are computed anew, or that no longer hold. */
const REPLACED: ReadonlySet<string> = new Set([
  ...[
    'duration',
    'filesize',
    'keyframes',
    'hasKeyframes',
    'canSeekToEnd',
    'lasttimestamp',
    'lastkeyframetimestamp',
  ],
  ...[
    'lastkeyframelocation',
    'datasize',
    'videosize',
    'audiosize',
    'hasVideo',
    'hasAudio',
    'hasMetadata',
    'totalframes',
  ],
])

/**
 * The data of an `onMetaData` tag: what was there, with true length and size, and an index of key pictures. As long for any
 * `places` as for others of as many positions.
 */
export function writeMetadata(kept: readonly KeptProperty[], facts: Facts, places: Places): Uint8Array {
  const own = kept.filter(({ name }) => !REPLACED.has(name))
  const numbers: [string, number][] = [
    ['duration', facts.duration],
    ['filesize', places.fileSize],
  ]
  if (own.length === 0) {
    for (const name of ['width', 'height'] as const) if (facts[name]) numbers.push([name, facts[name]])
    if (facts.videoCodec !== undefined) numbers.push(['videocodecid', facts.videoCodec])
    if (facts.audioCodec !== undefined) numbers.push(['audiocodecid', facts.audioCodec])
  }
  const { times } = facts
  if (times.length > 0) {
    numbers.push(['lastkeyframetimestamp', times[times.length - 1]])
    numbers.push(['lastkeyframelocation', places.positions[times.length - 1]])
  }
  const flags: [string, boolean][] = [
    ['hasVideo', facts.hasVideo],
    ['hasAudio', facts.hasAudio],
    ['hasMetadata', true],
    ['hasKeyframes', times.length > 0],
  ]
  const writer = new AmfWriter()
  writer.string('onMetaData').array(own.length + numbers.length + flags.length + (times.length > 0 ? 1 : 0))
  for (const [name, value] of numbers) writer.name(name).number(value)
  for (const [name, value] of flags) writer.name(name).boolean(value)
  for (const { name, value } of own) writer.name(name).raw(value)
  if (times.length > 0) {
    writer.name('keyframes').object()
    writer.name('filepositions').numbers(places.positions)
    writer.name('times').numbers(times)
    writer.end()
  }
  return writer.end().bytes()
}
