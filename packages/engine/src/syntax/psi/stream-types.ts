import type { TrackKind } from '../../model/report.ts'
import type { ElementaryStream, ProgramMap } from './program-map.ts'

/** What a stream is, in the engine's words. */
export interface StreamNature {
  readonly kind: TrackKind
  readonly codec: string
}

const video = (codec: string): StreamNature => ({ kind: 'video', codec })
const audio = (codec: string): StreamNature => ({ kind: 'audio', codec })
const data = (codec: string): StreamNature => ({ kind: 'data', codec })

/** stream_type of ISO/IEC 13818-1:2022 Table 2-34. */
const STANDARD: ReadonlyMap<number, StreamNature> = new Map([
  [0x01, video('mpeg1video')],
  [0x02, video('mpeg2video')],
  [0x03, audio('mp2')],
  [0x04, audio('mp2')],
  [0x0f, audio('aac-adts')],
  [0x10, video('mpeg4')],
  [0x11, audio('aac-latm')],
  [0x1b, video('h264')],
  [0x24, video('hevc')],
  [0x2d, audio('mhas')],
  [0x2e, audio('mhas')],
])
/** User private types as broadcasters in North America (ATSC A/53-3, A/52) and Blu-ray discs and AVCHD use them. */
const PRIVATE: ReadonlyMap<number, StreamNature> = new Map([
  [0x81, audio('ac3')],
  [0x87, audio('eac3')],
  [0x8a, audio('dts')],
  [0xea, video('vc1')],
])
/** Those of Blu-ray discs and AVCHD cameras alone, whose program carries the registration `HDMV`. */
const HDMV: ReadonlyMap<number, StreamNature> = new Map([
  [0x80, audio('pcm-bluray')],
  [0x81, audio('ac3')],
  [0x82, audio('dts')],
  [0x83, audio('truehd')],
  [0x84, audio('eac3')],
  [0x85, audio('dts')],
  [0x86, audio('dts')],
  [0x90, { kind: 'text', codec: 'pgs' }],
  [0x91, data('igs')],
  [0x92, { kind: 'text', codec: 'text-subtitle' }],
  [0xa1, audio('eac3')],
  [0xa2, audio('dts')],
])
/** PES packets of private data: their descriptors tell what it is. */
const PRIVATE_PES = 0x06
/** Descriptors of ETSI EN 300 468 and ISO/IEC 13818-1. */
const REGISTRATION = 0x05
const BY_DESCRIPTOR: ReadonlyMap<number, StreamNature> = new Map([
  [0x56, { kind: 'text', codec: 'teletext' }],
  [0x59, { kind: 'text', codec: 'dvb-subtitle' }],
  [0x6a, audio('ac3')],
  [0x7a, audio('eac3')],
  [0x7b, audio('dts')],
  [0x7c, audio('aac-latm')],
])
const BY_REGISTRATION: Readonly<Record<string, StreamNature>> = {
  'AC-3': audio('ac3'),
  EAC3: audio('eac3'),
  DTS1: audio('dts'),
  DTS2: audio('dts'),
  DTS3: audio('dts'),
  HEVC: video('hevc'),
  'VC-1': video('vc1'),
  Opus: audio('opus'),
  BSSD: audio('pcm-s302m'),
}

/** Tags and bodies of descriptors, §2.6. */
function* descriptorsOf(bytes: Uint8Array): Generator<{ tag: number; body: Uint8Array }> {
  for (let at = 0; at + 2 <= bytes.length; at += 2 + bytes[at + 1])
    yield { tag: bytes[at], body: bytes.subarray(at + 2, at + 2 + bytes[at + 1]) }
}

function registrationOf(descriptors: Uint8Array): string {
  for (const { tag, body } of descriptorsOf(descriptors))
    if (tag === REGISTRATION) return String.fromCharCode(...body.subarray(0, 4))
  return ''
}

/** What a stream of a program is; data under its number where nobody says. */
export function natureOf(stream: ElementaryStream, program: ProgramMap): StreamNature {
  const { streamType, descriptors } = stream
  const disc = HDMV.get(streamType)
  if (disc && registrationOf(program.descriptors) === 'HDMV') return disc
  const standard = STANDARD.get(streamType)
  if (standard) return standard
  if (streamType === PRIVATE_PES) {
    for (const { tag } of descriptorsOf(descriptors)) {
      const told = BY_DESCRIPTOR.get(tag)
      if (told) return told
    }
  }
  const registered = BY_REGISTRATION[registrationOf(descriptors)]
  return registered ?? PRIVATE.get(streamType) ?? disc ?? data(`type-${streamType.toString(16)}`)
}
