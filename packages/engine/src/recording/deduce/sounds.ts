import type { ByteReader } from '../../bytes/reader.ts'
import type { Region } from '../../bytes/regions.ts'
import { plainConfig } from '../../codecs/aac/audio-specific-config.ts'
import { codecNamed } from '../../codecs/index.ts'
import { parseHeader } from '../../codecs/mp3/header.ts'
import { pcmLayoutOf } from '../../codecs/pcm/layout.ts'
import { PcmLikeness } from '../../codecs/pcm/likeness.ts'
import { type Recogniser, Unit } from '../../codecs/recogniser.ts'
import type { TrackDescription } from '../../model/track.ts'
import type { Coding, DraftTrack } from '../draft.ts'
import type { Candidate } from './candidates.ts'

/** A sound track that some payload holds, with what speaks for it. */
export interface HeardSound {
  readonly candidate: Candidate
  /** Bits of evidence over the units found. */
  readonly evidence: number
  /** Bytes in units, and units. */
  readonly bytes: number
  readonly units: number
}

/** Units that must join before a codec is believed to be there. */
const CHAIN = 4
/** Evidence of a whole chain, in bits. */
const CHAIN_EVIDENCE = 120
/** Gaps listened to, and bytes of each. */
const MOST_GAPS = 96
const GAP_BYTES = 1 << 17
/** Bytes passed over at a gap's start while no unit is found there. */
const SEARCH_BYTES = 1 << 14
/** Gaps longer than so many usual ones hold more than sound. */
const TIMES_USUAL = 8

/**
 * Share of the gaps' bytes that a sound must explain, and that those must whose frames many bytes may be: speech, and samples
 * stored as they are.
 */
const LEAST_SHARE = 0.03
const EASY_SHARE = 0.6
const EASILY_HEARD: ReadonlySet<string> = new Set(['amr', 'alac'])
/** The same where the bytes sound as they are: loud PCM holds what looks like headers, compressed bytes never sound. */
const AUDIBLE_SHARE = 0.5
const CLEARLY_MORE = 1.004
/** Of configurations that read the same, the usual one is tried first and stays. */
const CLEARLY_LIKELIER = 1.02

/** Core rates of AAC whose scale factor bands differ: parsing tells these apart, and no others (ISO/IEC 14496-3 Table 4.110). */
const AAC_RATES = [48_000, 32_000, 24_000, 16_000, 8_000, 96_000, 64_000]
const AAC_CHANNELS = [2, 1, 6, 4]

/** The gaps but for those that hold pictures nobody recognised, or damage, beside sound: much longer than most. */
export function gapsOfSound(gaps: readonly Region[]): Region[] {
  const lengths = gaps.map(({ length }) => length).sort((a, b) => a - b)
  const most = (lengths[lengths.length >> 1] ?? 0) * TIMES_USUAL
  return gaps.filter(({ length }) => length <= most)
}

/** Finds the coded sound track that explains the bytes of the gaps best; undefined when none does. */
export function hearCoded(
  reader: ByteReader,
  gaps: readonly Region[],
  usualRates: readonly number[],
): HeardSound | undefined {
  let best: HeardSound | undefined
  const heard = gaps.slice(0, MOST_GAPS)
  const least = hearPcm(reader, heard) ? AUDIBLE_SHARE : LEAST_SHARE
  const audible = heard.reduce((sum, gap) => sum + Math.min(gap.length, GAP_BYTES), 0)
  for (const candidate of codedSounds(reader, heard, usualRates)) {
    const recogniser = codecNamed(candidate.codec)?.recogniser(describe(candidate))
    if (!recogniser) continue
    const found = follow(reader, heard, recogniser)
    const share = EASILY_HEARD.has(candidate.codec) ? EASY_SHARE : least
    if (found.units < CHAIN || found.evidence < CHAIN_EVIDENCE || found.bytes < audible * share) continue
    // the configuration that leaves less unexplained is the right one
    const more = best ? found.bytes / best.bytes : Number.POSITIVE_INFINITY
    const likelier = found.evidence > (best?.evidence ?? 0) * CLEARLY_LIKELIER
    if (more > CLEARLY_MORE || (more > 1 / CLEARLY_MORE && likelier)) best = { candidate, ...found }
  }
  return best
}

function describe(candidate: Candidate): TrackDescription {
  const { codec, track } = candidate
  return {
    id: 1,
    kind: 'audio',
    codec,
    timescale: track.timescale,
    framing: 'raw',
    config: track.coding?.config ?? NONE,
    sampleRate: track.timescale,
    channels: track.coding?.channels ?? 2,
  }
}

const NONE = new Uint8Array(0)

/** Every coded sound worth listening for. */
function codedSounds(
  reader: ByteReader,
  gaps: readonly Region[],
  usualRates: readonly number[],
): Candidate[] {
  const all: Candidate[] = []
  for (const channels of AAC_CHANNELS)
    for (const rate of [usualRates[0], ...AAC_RATES.slice(1)]) {
      const candidate = aacTrack(rate, channels)
      if (candidate) all.push(candidate)
    }
  for (const channels of [2, 1])
    for (const bits of ALAC_BITS) all.push(alacTrack(usualRates[0], channels, bits))
  for (const wide of [false, true]) all.push(amrTrack(wide))
  for (const codec of ['ac3', 'eac3', 'mp3'] as const) {
    const candidate = headedTrack(reader, gaps, codec)
    if (candidate) all.push(candidate)
  }
  return all
}

function soundTrack(coding: Coding & { readonly sampleRate: number }, unit: number): DraftTrack {
  return { kind: 'audio', timescale: coding.sampleRate, unit, coding }
}

/** An AAC-LC track of a rate in Hz; undefined for rates and channels it cannot express. */
export function aacTrack(rate: number, channels: number): Candidate | undefined {
  const config = plainConfig(rate, channels)
  if (!config) return undefined
  return {
    codec: 'aac',
    origin: 'trial',
    rate: { num: rate, den: 1024 },
    track: soundTrack({ codec: 'aac', config, channels, sampleRate: rate }, 1024),
  }
}

/** Bits of a sample before compression, the usual first. */
const ALAC_BITS = [16, 24]
/** Frame length and tuning that every known encoder writes: Apple Lossless, 'Magic Cookie'. */
const ALAC_FRAME = 4096
const ALAC_TUNING = [40, 10, 14]
const ALAC_LONGEST_RUN = 255

/** An Apple Lossless track of a rate in Hz. */
export function alacTrack(rate: number, channels: number, bits: number): Candidate {
  const config = new Uint8Array(24)
  const view = new DataView(config.buffer)
  view.setUint32(0, ALAC_FRAME)
  config.set([0, bits, ...ALAC_TUNING, channels], 4)
  view.setUint16(10, ALAC_LONGEST_RUN)
  view.setUint32(20, rate)
  return {
    codec: 'alac',
    origin: 'trial',
    facts: [{ what: `sound of ${bits} bits`, by: 'frames read to their ends', estimated: false }],
    track: soundTrack({ codec: 'alac', config, channels, bits, sampleRate: rate }, ALAC_FRAME),
  }
}

function amrTrack(wide: boolean): Candidate {
  const rate = wide ? 16_000 : 8_000
  // vendor, version, all modes, no mode changes noted, one frame a sample: 3GPP TS 26.244 §6.7
  const config = Uint8Array.of(0x6d, 0x65, 0x6e, 0x64, 0, wide ? 0x83 : 0x81, 0xff, 0, 1)
  return {
    codec: 'amr',
    origin: 'trial',
    track: soundTrack({ codec: 'amr', config, channels: 1, sampleRate: rate }, rate / 50),
  }
}

/** Sound with headers of its own: the first certain frame tells rate and channels. */
function headedTrack(
  reader: ByteReader,
  gaps: readonly Region[],
  codec: 'ac3' | 'eac3' | 'mp3',
): Candidate | undefined {
  const recogniser = codecNamed(codec)?.recogniser({
    ...{ id: 1, kind: 'audio', codec, timescale: 48_000, config: NONE, framing: 'raw' },
  })
  if (!recogniser) return undefined
  const unit = new Unit()
  for (const gap of gaps) {
    const end = gap.offset + Math.min(gap.length, SEARCH_BYTES)
    for (
      let at = recogniser.search(reader, gap.offset, end);
      at < end;
      at = recogniser.search(reader, at + 1, end)
    ) {
      if (!recogniser.recognise(reader, at, gap.offset + gap.length, unit)) continue
      const candidate = codec === 'mp3' ? mp3Track(reader, at) : ac3Track(reader, at, codec)
      if (candidate) return candidate
    }
  }
  return undefined
}

function mp3Track(reader: ByteReader, at: number): Candidate | undefined {
  const header = parseHeader(reader.u32(at))
  if (!header) return undefined
  const { sampleRate, channels, samples } = header
  return {
    codec: 'mp3',
    origin: 'trial',
    track: soundTrack({ codec: 'mp3', config: NONE, channels, sampleRate }, samples),
  }
}

const AC3_RATES = [48_000, 44_100, 32_000]

/** ETSI TS 102 366 Annex F: `dac3` repeats the first frame's fields; `dec3` needs the rate of data, which is left 0. */
function ac3Track(reader: ByteReader, at: number, codec: 'ac3' | 'eac3'): Candidate | undefined {
  const bytes = reader.bytes(at, 8).slice()
  if (bytes.length < 8) return undefined
  const enhanced = codec === 'eac3'
  const rateCode = bytes[4] >> 6
  const rate = AC3_RATES[rateCode]
  if (!rate) return undefined
  const mode = enhanced ? (bytes[4] >> 1) & 7 : bytes[6] >> 5
  const bsid = bytes[5] >> 3
  const channels = [2, 1, 2, 3, 3, 4, 4, 5][mode] ?? 2
  let config: Uint8Array
  if (enhanced) {
    const word = (rateCode << 22) | (bsid << 17) | (mode << 9) | ((bytes[4] & 1) << 8)
    config = Uint8Array.of(0, 0, (word >> 16) & 255, (word >> 8) & 255, 0)
  } else {
    const lfeAt = 3 + (mode & 1 && mode !== 1 ? 2 : 0) + (mode & 4 ? 2 : 0) + (mode === 2 ? 2 : 0)
    const lfe = (((bytes[6] << 8) | bytes[7]) >> (15 - lfeAt)) & 1
    const word =
      (rateCode << 22) |
      (bsid << 17) |
      ((bytes[5] & 7) << 14) |
      (mode << 11) |
      (lfe << 10) |
      (((bytes[4] & 63) >> 1) << 5)
    config = Uint8Array.of((word >> 16) & 255, (word >> 8) & 255, word & 255)
  }
  const track = soundTrack({ codec, config, channels, sampleRate: rate }, 1536)
  return { codec, origin: 'trial', track }
}

/** Follows chains of units through the gaps. */
function follow(
  reader: ByteReader,
  gaps: readonly Region[],
  recogniser: Recogniser,
): { evidence: number; bytes: number; units: number } {
  const unit = new Unit()
  const total = { evidence: 0, bytes: 0, units: 0 }
  for (const gap of gaps) {
    const end = gap.offset + gap.length
    const stop = gap.offset + Math.min(gap.length, GAP_BYTES)
    let at = gap.offset
    let searched = 0
    while (at < stop) {
      if (recogniser.recognise(reader, at, end, unit)) {
        recogniser.accept(reader, at, unit)
        total.evidence += unit.evidence
        total.bytes += unit.length
        total.units++
        at += unit.length
        continue
      }
      recogniser.discontinuity()
      const until = Math.min(stop, at + SEARCH_BYTES - searched)
      if (until <= at) break
      const next = recogniser.search(reader, at + 1, until)
      searched += next - at
      if (next >= until) break
      at = next
    }
  }
  return total
}

/** Layouts of PCM that recorders use, the usual first: bits, byte order. */
const PCM_LAYOUTS = [
  { bits: 16, facts: { endian: 'little', bitsPerSample: 16, signed: 1 } },
  { bits: 16, facts: { endian: 'big', bitsPerSample: 16, signed: 1 } },
  { bits: 24, facts: { endian: 'little', bitsPerSample: 24, signed: 1 } },
  { bits: 24, facts: { endian: 'big', bitsPerSample: 24, signed: 1 } },
  { bits: 32, facts: { endian: 'little', bitsPerSample: 32, float: 1 } },
  { bits: 8, facts: { endian: 'little', bitsPerSample: 8, signed: 0 } },
] as const

/** A PCM layout without its channels and rate, which only clocks tell. */
export type PcmKind = (typeof PCM_LAYOUTS)[number]

/** Bits a sample by which sound must be likelier than chance. */
const SOUNDING = 0.75
/** Bytes listened to. */
const LISTEN_BYTES = 1 << 17

/** The PCM layout that the gaps' bytes sound most like, weighed over channels; undefined when they are no sound. */
export function hearPcm(
  reader: ByteReader,
  gaps: readonly Region[],
): { readonly kind: PcmKind; readonly channels: number } | undefined {
  let best: { kind: PcmKind; channels: number } | undefined
  let bestScore = 0
  for (const kind of PCM_LAYOUTS) {
    for (const channels of [1, 2, 4]) {
      const layout = pcmLayoutOf({
        ...{ id: 1, kind: 'audio', codec: 'pcm', timescale: 48_000, config: NONE, framing: 'raw' },
        channels,
        facts: kind.facts,
      })
      if (!layout) continue
      const likeness = new PcmLikeness(layout)
      let score = 0
      let samples = 0
      let listened = 0
      for (const gap of gaps) {
        const bytes = reader.bytes(gap.offset, Math.min(gap.length, LISTEN_BYTES - listened)).slice()
        score += likeness.score(bytes)
        samples += Math.floor((bytes.length * 8) / kind.bits)
        listened += bytes.length
        if (listened >= LISTEN_BYTES) break
      }
      if (samples === 0 || score / samples < SOUNDING) continue
      // per byte, so that wide and narrow samples compare
      const weight = score / listened
      if (weight <= bestScore * CLEARLY) continue
      bestScore = weight
      best = { kind, channels }
    }
  }
  return best
}

/** A rarer layout must be this much likelier than one before it. */
const CLEARLY = 1.02

/** A PCM track of a kind, at a rate in Hz. */
export function pcmTrack(kind: PcmKind, channels: number, rate: number): Candidate {
  const { bits, facts } = kind
  const coding = { codec: 'pcm', config: NONE, channels, sampleRate: rate, bits, facts }
  return {
    codec: 'pcm',
    origin: 'trial',
    track: { ...soundTrack(coding, 1), constantBytes: (bits / 8) * channels },
  }
}
