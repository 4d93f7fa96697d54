import type { ByteReader } from '../../../bytes/reader.ts'
import { plainConfig } from '../../../codecs/aac/audio-specific-config.ts'
import { SAMPLING_RATES } from '../../../codecs/aac/bands.ts'
import { aac } from '../../../codecs/aac/index.ts'
import { parseSyncFrame } from '../../../codecs/ac3/sync-frame.ts'
import { LONGEST_HEADER, parseFrameHeader } from '../../../codecs/flac/frame-header.ts'
import { parseHeader } from '../../../codecs/mp3/header.ts'
import { PRE_SKIP, plainHead, toldChannels } from '../../../codecs/opus/head.ts'
import { OPUS_RATE } from '../../../codecs/opus/packet.ts'
import { Unit } from '../../../codecs/recogniser.ts'
import type { Deduced } from './finding.ts'
import type { Frame, Stream } from './stream.ts'

const MOST = 0.9
const LOOKED = 64
const NANOSECONDS = 1e9
/** Share by which a track's pace may be off what its codec says: times are rounded to milliseconds. */
const NEAR = 0.02

/** What kind of sound a track's frames are; undefined when they are none that tell enough of themselves. */
export function deduceSound(reader: ByteReader, stream: Stream): Deduced | undefined {
  for (const hear of [hearFlac, hearAc3, hearMpeg, hearAac, hearOpus, hearPcm]) {
    const found = hear(reader, stream)
    if (found) return found
  }
  return undefined
}

function looked({ frames }: Stream): readonly Frame[] {
  return frames.slice(0, LOOKED)
}

function most(count: number, of: number): boolean {
  return of > 0 && count >= of * MOST
}

/** Whether frames of `samples` at a rate come at the track's pace. */
function keepsPace({ pace }: Stream, samples: number, rate: number): boolean {
  const expected = (samples / rate) * NANOSECONDS
  return pace > 0 && Math.abs(pace - expected) <= expected * NEAR
}

function hearFlac(reader: ByteReader, stream: Stream): Deduced | undefined {
  const headers = looked(stream).map(({ offset }) =>
    parseFrameHeader(reader.bytes(offset, LONGEST_HEADER).slice(), 0),
  )
  const found = headers.filter((header) => header !== undefined)
  const [first] = found
  if (!first || !most(found.length, headers.length) || first.sampleRate === 0 || first.bits === 0)
    return undefined
  const { sampleRate, channels, bits } = first
  const samples = Math.max(...found.map((header) => header.samples))
  return {
    codecId: 'A_FLAC',
    paced: keepsPace(stream, samples, sampleRate),
    kind: 'audio',
    assumed: false,
    codecPrivate: streamInfo(samples, sampleRate, channels, bits),
    ...{ sampleRate, channels, bitDepth: bits },
  }
}

/** `fLaC` and a STREAMINFO block, RFC 9639 §8.2, that leaves open what only the whole stream tells. */
function streamInfo(samples: number, rate: number, channels: number, bits: number): Uint8Array {
  const bytes = new Uint8Array(8 + 34)
  bytes.set([
    0x66,
    0x4c,
    0x61,
    0x43,
    0x80,
    0,
    0,
    34,
    samples >> 8,
    samples & 255,
    samples >> 8,
    samples & 255,
  ])
  const word = ((rate << 12) | ((channels - 1) << 9) | ((bits - 1) << 4)) >>> 0
  bytes.set([word >>> 24, (word >>> 16) & 255, (word >>> 8) & 255, word & 255], 18)
  return bytes
}

/** Channels by acmod, ETSI TS 102 366 Table 4.3. */
const AC3_CHANNELS = [2, 1, 2, 3, 3, 4, 4, 5]

function hearAc3(reader: ByteReader, stream: Stream): Deduced | undefined {
  const frames = looked(stream)
  const found = frames.flatMap(({ offset, size }) => {
    const frame = parseSyncFrame(reader.bytes(offset, Math.min(size, 16)).slice(), 0)
    return frame && frame.length <= size ? [frame] : []
  })
  const [first] = found
  if (!first || !most(found.length, frames.length)) return undefined
  return {
    codecId: first.enhanced ? 'A_EAC3' : 'A_AC3',
    paced: keepsPace(stream, first.blocks * 256, first.sampleRate),
    kind: 'audio',
    assumed: false,
    sampleRate: first.sampleRate,
    channels: AC3_CHANNELS[first.channels >> 1] + (first.channels & 1),
  }
}

function hearMpeg(reader: ByteReader, stream: Stream): Deduced | undefined {
  const frames = looked(stream)
  const found = frames.flatMap(({ offset, size }) => {
    const header = parseHeader(reader.u32(offset))
    return header && header.length === size ? [header] : []
  })
  const [first] = found
  if (!first || !most(found.length, frames.length)) return undefined
  const { layer, sampleRate, channels, samples } = first
  const paced = keepsPace(stream, samples, sampleRate)
  return { codecId: `A_MPEG/L${layer}`, kind: 'audio', paced, assumed: false, sampleRate, channels }
}

/** Samples of an AAC frame at the core's rate. */
const AAC_SAMPLES = 1024
const AAC_CHANNELS = [1, 2, 6, 3, 4, 5]

/** AAC reads to its end with the right tables only; which of the rates that share them it is, its pace tells. */
function hearAac(reader: ByteReader, stream: Stream): Deduced | undefined {
  const frames = looked(stream)
  const rate = SAMPLING_RATES.filter((candidate) => keepsPace(stream, AAC_SAMPLES, candidate))[0]
  if (rate === undefined) return undefined
  const unit = new Unit()
  for (const channels of AAC_CHANNELS) {
    const config = plainConfig(rate, channels)
    const recogniser =
      config &&
      aac.recogniser({
        id: 1,
        kind: 'audio',
        codec: 'aac',
        timescale: rate,
        config,
        framing: 'raw',
        channels,
      })
    if (!config || !recogniser) continue
    const whole = frames.filter(
      ({ offset, size }) => recogniser.recognise(reader, offset, offset + size, unit) && unit.length === size,
    )
    if (!most(whole.length, frames.length)) continue
    return {
      codecId: 'A_AAC',
      paced: true,
      kind: 'audio',
      assumed: false,
      codecPrivate: config,
      sampleRate: rate,
      channels,
    }
  }
  return undefined
}

/** Nanoseconds that decoders need before a seek's target, RFC 7845 §4.6. */
const PRE_ROLL = 80_000_000

function hearOpus(reader: ByteReader, stream: Stream): Deduced | undefined {
  const packets = looked(stream).map(({ offset, size }) => reader.bytes(offset, size).slice())
  const channels = toldChannels(packets, stream.pace / NANOSECONDS)
  if (channels === 0) return undefined
  return {
    codecId: 'A_OPUS',
    paced: true,
    kind: 'audio',
    assumed: false,
    codecPrivate: plainHead(channels),
    ...{ sampleRate: OPUS_RATE, channels },
    codecDelay: (PRE_SKIP / OPUS_RATE) * NANOSECONDS,
    seekPreRoll: PRE_ROLL,
  }
}

const PCM_RATES = [48_000, 44_100, 32_000, 96_000, 16_000, 22_050, 8_000, 11_025]
const PCM_LAYOUTS = [
  [2, 16],
  [1, 16],
  [2, 24],
  [6, 16],
  [1, 24],
  [2, 32],
  [1, 8],
] as const

/** Plain samples: packets of one size, at the pace of a usual rate and layout. */
function hearPcm(_reader: ByteReader, stream: Stream): Deduced | undefined {
  const frames = looked(stream)
  const [first] = frames
  if (!first || !most(frames.filter(({ size }) => size === first.size).length, frames.length))
    return undefined
  for (const sampleRate of PCM_RATES)
    for (const [channels, bitDepth] of PCM_LAYOUTS) {
      const samples = first.size / ((channels * bitDepth) / 8)
      if (!Number.isInteger(samples) || samples < 16 || !keepsPace(stream, samples, sampleRate)) continue
      return { codecId: 'A_PCM/INT/LIT', kind: 'audio', assumed: true, sampleRate, channels, bitDepth }
    }
  return undefined
}
