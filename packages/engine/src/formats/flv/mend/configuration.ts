import type { ByteReader } from '../../../bytes/reader.ts'
import type { Region } from '../../../bytes/regions.ts'
import { plainConfig } from '../../../codecs/aac/audio-specific-config.ts'
import { SAMPLING_RATES } from '../../../codecs/aac/bands.ts'
import { inBandSequences } from '../../../codecs/av1/configuration.ts'
import { deduceSets } from '../../../codecs/h264/deduce-sets.ts'
import { configurationOf, InBandH264 } from '../../../codecs/h264/in-band.ts'
import { type LooseSlice, looseSlices } from '../../../codecs/h264/loose-slices.ts'
import { configurationOf as hevcConfigurationOf, InBandHevc } from '../../../codecs/hevc/in-band.ts'
import { codecNamed } from '../../../codecs/index.ts'
import { headChannels, plainHead, toldChannels } from '../../../codecs/opus/head.ts'
import { Unit } from '../../../codecs/recogniser.ts'
import type { Monitor } from '../../../model/monitor.ts'
import type { TrackDescription } from '../../../model/track.ts'
import { showsConfiguration } from '../../../recording/shown-configuration.ts'
import { readMediaHeader } from '../read/media-header.ts'
import { AUDIO, KEY, type TagTable, VIDEO } from '../read/tag-table.ts'
import { type Stream, unitOf } from '../streams.ts'

/** A configuration for a stream that lost its own, as the data of its tag. */
export interface FoundConfiguration {
  readonly header: Uint8Array
  readonly from: 'sample' | 'in-band' | 'syntax'
  /** Nothing proves it. */
  readonly doubtful: boolean
}

/** Units on which a configuration is tried, and the share of them it has to explain. */
const TRIED = 24
const LEAST_SHARE = 0.7
/** Units, and key ones, by which pictures show that a configuration is theirs. */
const TRIED_FIRST = 240
const TRIED_KEYS = 48
/** Bytes of payload in which parameter sets are looked for. */
const SEARCHED = 64 * 1024 * 1024
const MOST_SLICES = 300
/** Packets of Opus that are looked at. */
const LISTENED = 64
/** Channels of AAC, the usual ones first. */
const CHANNELS = [2, 1, 6, 4, 3, 5, 8]

/** A configuration for a stream without one: the sample's where the units agree, else what the units themselves carry or show. */
export async function findConfiguration(
  reader: ByteReader,
  table: TagTable,
  stream: Stream,
  sample: Stream | undefined,
  monitor: Monitor,
): Promise<FoundConfiguration | undefined> {
  const borrowed = sample?.codec === stream.codec ? sample.header : undefined
  const fits = borrowed && explains(reader, table, stream, borrowed)
  if (borrowed && fits) return { header: borrowed, from: 'sample', doubtful: false }
  const found = await tellsItself(reader, table, stream, monitor)
  // of Opus packets tell how many channels they have, a sample also what its encoder put in front
  if (borrowed && found && stream.codec === 'opus' && channelsIn(borrowed) === channelsIn(found.header))
    return { header: borrowed, from: 'sample', doubtful: false }
  if (found || !borrowed || fits === false) return found
  return { header: borrowed, from: 'sample', doubtful: true }
}

/** A configuration that the units carry, or show. */
async function tellsItself(
  reader: ByteReader,
  table: TagTable,
  stream: Stream,
  monitor: Monitor,
): Promise<FoundConfiguration | undefined> {
  const build = (config: Uint8Array): Uint8Array => headerFor(reader, table, stream, config)
  if (stream.codec === 'aac') {
    for (const config of soundConfigurations(table, stream)) {
      const header = build(config)
      if (explains(reader, table, stream, header)) return { header, from: 'syntax', doubtful: false }
    }
    return undefined
  }
  if (stream.codec === 'opus') {
    const packets = [...stream.rows.subarray(0, LISTENED)].map((row) => {
      const { offset, size } = unitOf(reader, table, row)
      return reader.bytes(offset, size).slice()
    })
    const channels = toldChannels(packets, usualFrame(table, stream.rows))
    return channels > 0 ? { header: build(plainHead(channels)), from: 'syntax', doubtful: false } : undefined
  }
  for (const config of inBand(reader, stream)) {
    const header = build(config)
    const fits = explains(reader, table, stream, header)
    if (fits || (fits === undefined && !stream.unread)) return { header, from: 'in-band', doubtful: false }
  }
  if (stream.codec !== 'h264') return undefined
  const slices: LooseSlice[] = []
  for (const row of stream.rows) {
    if (slices.length >= MOST_SLICES) break
    const { offset, size } = unitOf(reader, table, row)
    slices.push(...looseSlices(reader, offset, offset + size, MOST_SLICES - slices.length))
  }
  const deduced = await deduceSets(reader, slices, () => monitor.pause())
  if (!deduced) return undefined
  return { header: build(deduced.config), from: 'syntax', doubtful: deduced.assumed.length > 0 }
}

function channelsIn(header: Uint8Array): number | undefined {
  return headChannels(header.subarray(readMediaHeader(AUDIO, header).length))
}

/**
 * Whether units are whole ones under a configuration, and show that it is theirs; undefined where nothing can be read of them.
 */
export function explains(
  reader: ByteReader,
  table: TagTable,
  stream: Stream,
  header: Uint8Array,
): boolean | undefined {
  const { kind, codec, rows } = stream
  const track: TrackDescription = {
    ...{ id: kind, kind: kind === VIDEO ? 'video' : 'audio', codec, timescale: 1000 },
    config: header.subarray(readMediaHeader(kind, header).length),
    framing: codec === 'h264' || codec === 'hevc' ? 'length' : 'raw',
  }
  const recogniser = codecNamed(codec)?.recogniser(track)
  if (!recogniser?.selfDelimiting) return undefined
  const unit = new Unit()
  let tried = 0
  let read = 0
  for (const row of rows) {
    if (tried >= TRIED) break
    const { offset, size } = unitOf(reader, table, row)
    if (size === 0) continue
    tried++
    if (recogniser.recognise(reader, offset, offset + size, unit) && unit.length === size) read++
  }
  if (tried > 0 && read < tried * LEAST_SHARE) return false
  return tried > 0 && showsConfiguration(reader, track, keyUnits(reader, table, stream)) !== false
    ? true
    : undefined
}

/** Where the first units and the first key ones lie. */
function keyUnits(reader: ByteReader, table: TagTable, { rows }: Stream): Region[] {
  const looked = [
    ...rows.subarray(0, TRIED_FIRST),
    ...rows.filter((row) => table.flags[row] & KEY).subarray(0, TRIED_KEYS),
  ]
  return [...new Set(looked)].map((row) => {
    const { offset, size } = unitOf(reader, table, row)
    return { offset, length: size }
  })
}

/** Plain configurations of AAC whose frames last as long as the tags tell, the likeliest first. */
function* soundConfigurations(table: TagTable, { rows }: Stream): Generator<Uint8Array> {
  const frame = usualFrame(table, rows)
  const rates = [...SAMPLING_RATES].sort((a, b) => Math.abs(1024 / a - frame) - Math.abs(1024 / b - frame))
  // times count whole milliseconds: over many frames they tell neighbouring rates apart
  for (const rate of rates.slice(0, 1))
    for (const channels of CHANNELS) {
      const config = plainConfig(rate, channels)
      if (config) yield config
    }
}

/** Share of a frame by which the coarse clocks of live encoders move one: a lost one is a whole frame. */
const JITTER = 0.6

/** Seconds of a frame, by the longest stretch without a pause. */
export function usualFrame(table: TagTable, rows: Uint32Array): number {
  let best = 0
  let frame = 0
  for (let from = 0, i = 1; i <= rows.length; i++) {
    const step = i < rows.length ? table.time[rows[i]] - table.time[rows[i - 1]] : -1
    const usual = i - 1 > from ? (table.time[rows[i - 1]] - table.time[rows[from]]) / (i - 1 - from) : step
    if (step >= 0 && Math.abs(step - usual) <= Math.max(2, usual * JITTER)) continue
    if (i - 1 - from > best) {
      best = i - 1 - from
      frame = usual / 1000
    }
    from = i
  }
  return frame
}

function inBand(reader: ByteReader, { codec }: Stream): Uint8Array[] {
  const end = Math.min(reader.size, SEARCHED)
  if (codec === 'h264') {
    const search = new InBandH264()
    search.search(reader, 0, end)
    return search.sets().map((sets) => configurationOf(sets, 4).config)
  }
  if (codec === 'hevc') {
    const search = new InBandHevc()
    search.search(reader, 0, end)
    return search.sets().map((sets) => hevcConfigurationOf(sets, 4).config)
  }
  if (codec === 'av1')
    return inBandSequences(reader, [{ offset: 0, length: end }]).map(({ config }) => config)
  return []
}

/** A configuration with what tags of the stream have in front of it. */
function headerFor(reader: ByteReader, table: TagTable, stream: Stream, config: Uint8Array): Uint8Array {
  const first = table.offset[stream.rows[0]] + 11
  const lead = reader.bytes(first, 5)
  const extended = stream.kind === AUDIO ? lead[0] >> 4 === 9 : (lead[0] & 0x80) !== 0
  const front = extended
    ? [stream.kind === AUDIO ? 0x90 : 0x90, ...lead.subarray(1, 5)]
    : stream.kind === AUDIO
      ? [lead[0], 0]
      : [0x10 | (lead[0] & 15), 0, 0, 0, 0]
  return Uint8Array.from([...front, ...config])
}
