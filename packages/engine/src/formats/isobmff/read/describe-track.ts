import type { ByteReader } from '../../../bytes/reader.ts'
import type { TrackKind } from '../../../model/report.ts'
import type { TrackDescription } from '../../../model/track.ts'
import { bodyOf } from '../../../syntax/iso-boxes/box.ts'
import { parseElementaryStream } from '../boxes/esds.ts'
import type { SampleEntry } from '../boxes/stsd.ts'
import { codecName } from './codec-names.ts'
import { pcmLayout } from './pcm-layout.ts'

const EMPTY = new Uint8Array(0)
/** Largest codec configuration kept. */
const MAX_CONFIG = 1024 * 1024

/** Boxes that hold a codec's configuration record as their body. */
const CONFIG_BOXES: ReadonlySet<string> = new Set([
  'avcC',
  'hvcC',
  'av1C',
  'vpcC',
  'vvcC',
  'd263',
  'damr',
  'dac3',
  'dec3',
  'dOps',
  'dfLa',
  'alac',
  'iacb',
  'mhaC',
  'glbl',
])
/** Of those, the ones that are full boxes: version and flags come first. */
const FULL_CONFIG_BOXES: ReadonlySet<string> = new Set(['vpcC', 'vvcC', 'dfLa', 'alac'])

/** Codecs whose units are NAL units behind a length field. */
const LENGTH_FRAMED: ReadonlySet<string> = new Set(['h264', 'hevc', 'vvc'])
/** Their formats that carry Annex B start codes instead: Panasonic's AVC-Intra in QuickTime. */
const START_CODED = /^ai|^AVin/

/** Puts a track's sample entry in the words all containers share. */
export function describeTrack(
  reader: ByteReader,
  id: number,
  kind: TrackKind,
  timescale: number,
  entry: SampleEntry | undefined,
  size: { width: number; height: number },
): TrackDescription {
  if (!entry) return { id, kind, codec: 'unknown', timescale, config: EMPTY, framing: 'raw' }
  const descriptor = entry.boxes.find((box) => box.type === 'esds')
  const stream = descriptor ? parseElementaryStream(reader, descriptor) : undefined
  const codec = codecName(entry.format, stream?.objectType ?? 0, kind === 'video')
  const config = stream ? stream.specific : configRecord(reader, entry, codec)
  const framed = LENGTH_FRAMED.has(codec) && !START_CODED.test(entry.format)
  return {
    id,
    kind,
    codec,
    timescale,
    config,
    framing: framed ? 'length' : LENGTH_FRAMED.has(codec) ? 'startcode' : 'raw',
    ...pictureFacts(entry, kind, size),
    ...soundFacts(reader, entry, codec, timescale),
  }
}

/** Bytes of a sample entry's box header and of what all entries have in common. */
const ENTRY_HEAD = 16

function configRecord(reader: ByteReader, entry: SampleEntry, codec: string): Uint8Array {
  // a hint track's entry tells its clock and its packets' size: so several of them differ, ISO/IEC 14496-12:2022 §9.1.2
  if (codec === 'rtp') return entry.bytes.slice(ENTRY_HEAD)
  for (const box of entry.boxes) {
    if (!CONFIG_BOXES.has(box.type) || box.end - box.offset > MAX_CONFIG) continue
    const start = bodyOf(box) + (FULL_CONFIG_BOXES.has(box.type) ? 4 : 0)
    if (start < box.end) return reader.bytes(start, box.end - start).slice()
  }
  return EMPTY
}

function pictureFacts(
  entry: SampleEntry,
  kind: TrackKind,
  size: { width: number; height: number },
): Partial<TrackDescription> {
  if (kind !== 'video') return {}
  const width = entry.visual?.width || size.width
  const height = entry.visual?.height || size.height
  return { width, height, facts: { format: entry.format } }
}

function soundFacts(
  reader: ByteReader,
  entry: SampleEntry,
  codec: string,
  timescale: number,
): Partial<TrackDescription> {
  const audio = entry.audio
  if (!audio) return {}
  if (codec === 'amr') {
    // 3GPP TS 26.244 §6.5: channel count and rate of the entry mean nothing, the format does.
    return {
      sampleRate: entry.format === 'sawb' ? 16_000 : 8_000,
      channels: 1,
      facts: { format: entry.format },
    }
  }
  const common = { sampleRate: audio.rate > 0 ? audio.rate : timescale, channels: audio.channels }
  const layout = codec === 'pcm' ? pcmLayout(reader, entry) : undefined
  if (layout) {
    const { endian, bitsPerSample, float, signed, law } = layout
    return {
      ...common,
      blockAlign: (bitsPerSample / 8) * layout.channels,
      facts: { format: entry.format, endian, bitsPerSample, float, signed, law },
    }
  }
  if (codec === 'adpcm-ima') {
    return {
      ...common,
      blockAlign: IMA_PACKET_BYTES * audio.channels,
      facts: { format: entry.format, packetSamples: IMA_PACKET_SAMPLES },
    }
  }
  if (audio.packetBytes > 0 && audio.packetSamples > 0) {
    return {
      ...common,
      facts: { format: entry.format, packetSamples: audio.packetSamples, packetBytes: audio.packetBytes },
    }
  }
  return { ...common, facts: { format: entry.format } }
}

/** Apple's IMA 4:1: 34 bytes a channel hold 64 samples. */
const IMA_PACKET_BYTES = 34
const IMA_PACKET_SAMPLES = 64
