import { BitReader } from '../../bytes/bit-reader.ts'
import { BitWriter } from '../../bytes/bit-writer.ts'
import type { ByteReader } from '../../bytes/reader.ts'
import { PICTURE_SIZES } from '../picture-sizes.ts'
import { intraPlanes, isWhole, planesIn } from './intra-planes.ts'
import { MacroblockReader } from './macroblock.ts'
import { likeliestSize } from './plane-shape.ts'
import type { VideoObjectLayer } from './video-object-layer.ts'
import { emptyVop, readVopHeader, VOP_B } from './vop-header.ts'

/** A video object layer worked out from planes that carry none. */
export interface DeducedLayer {
  /** Headers as a decoder's configuration holds them. */
  readonly config: Uint8Array
  readonly width: number
  readonly height: number
  /** Planes a second, where the planes' times show it. */
  readonly rate: { readonly num: number; readonly den: number } | undefined
  /** Intra planes that read exactly. */
  readonly planes: number
  /** Facts that planes do not show, as they were assumed. */
  readonly assumed: readonly string[]
}

const FEWEST_PLANES = 4
/** Readings handed on: what looks like an end comes by chance now and then. */
const MOST_READINGS = 4
/** Macroblocks of the largest picture tried. */
const MOST_MACROBLOCKS = 36_864
/** Ticks a second that encoders count in, for planes whose times do not show it; the usual first. */
const RESOLUTIONS = [30, 25, 30_000, 24, 15, 24_000, 1000, 90, 12_800, 600, 60, 50, 29_970, 25_000, 12, 10]

/**
 * Works out the video object layer of planes found in the regions, ISO/IEC 14496-2:2004 §6.2.3: the bits of their times,
 * interlacing and the number of macroblocks by reading whole intra planes to their stuffing, the ticks a second by their times.
 * The likeliest first; empty when no reading is exact. `usual` are the sizes tried, in samples.
 */
export function deduceLayers(
  reader: ByteReader,
  regions: readonly { readonly offset: number; readonly length: number }[],
  usual: readonly (readonly [width: number, height: number])[] = PICTURE_SIZES,
): DeducedLayer[] {
  const planes = planesIn(reader, regions)
  if (planes.length < FEWEST_PLANES) return []
  const intra = intraPlanes(reader, planes)
  if (intra.length === 0) return []
  const sizes = distinctSizes(usual)
  const readings: { layer: VideoObjectLayer; exact: number; count: number }[] = []
  for (const interlaced of [false, true]) {
    for (let timeBits = 1; timeBits <= 16; timeBits++) {
      const common = { timeBits, interlaced }
      const wide = layerOf({ ...common, width: 16, height: 16 })
      const most = Math.max(...intra.map((bytes) => macroblocksIn(bytes, wide)))
      for (const [width, height] of sizes) {
        const count = Math.ceil(width / 16) * Math.ceil(height / 16)
        if (count > most) continue
        const layer = layerOf({ ...common, width, height })
        const exact = intra.filter((bytes) => isWhole(bytes, layer)).length
        if (exact > 0) readings.push({ layer, exact, count })
      }
    }
  }
  // an end by chance comes within a plane, and hardly behind it
  return readings
    .sort((a, b) => b.exact - a.exact || b.count - a.count)
    .slice(0, MOST_READINGS)
    .map(({ layer, exact, count }) => {
      const [width, height] = likeliestSize(intra, layer, sizesOf(usual, count))
      return describe(reader, planes, { ...layer, width, height }, exact)
    })
}

/** Whether some intra plane in the regions reads to its end as a picture of this size. */
export function readsLayer(
  reader: ByteReader,
  regions: readonly { readonly offset: number; readonly length: number }[],
  width: number,
  height: number,
): boolean {
  return deduceLayers(reader, regions, [[width, height]]).length > 0
}

/** Sizes by their number of macroblocks, which is all that the syntax of planes tells: the most usual one of each. */
function distinctSizes(usual: readonly (readonly [number, number])[]): (readonly [number, number])[] {
  const byCount = new Map<number, readonly [number, number]>()
  for (const size of usual) {
    const count = Math.ceil(size[0] / 16) * Math.ceil(size[1] / 16)
    if (!byCount.has(count) && count <= MOST_MACROBLOCKS) byCount.set(count, size)
  }
  return [...byCount.values()]
}

/** The usual sizes with a number of macroblocks, lying and upright. */
function sizesOf(
  usual: readonly (readonly [number, number])[],
  count: number,
): (readonly [number, number])[] {
  const sizes = usual.filter(([width, height]) => Math.ceil(width / 16) * Math.ceil(height / 16) === count)
  return [...sizes, ...sizes.map(([width, height]) => [height, width] as const)]
}

function layerOf(
  facts: Pick<VideoObjectLayer, 'timeBits' | 'interlaced' | 'width' | 'height'>,
): VideoObjectLayer {
  return {
    ...facts,
    timeResolution: 2 ** facts.timeBits,
    fixedIncrement: 0,
    warpingPoints: -1,
    brightnessChange: false,
    quantBits: 5,
    quarterSample: false,
    resyncMarkers: true,
    dataPartitioned: false,
    opaque: false,
  }
}

/**
 * Macroblocks that an intra plane may have at most: those that read, or any number where video packets may interrupt them; 0 when
 * its header breaks the syntax.
 */
function macroblocksIn(bytes: Uint8Array, layer: VideoObjectLayer): number {
  const bits = new BitReader(bytes)
  const vop = emptyVop()
  if (!readVopHeader(bits, layer, vop) || !vop.coded) return 0
  const macroblocks = new MacroblockReader(layer)
  macroblocks.start(vop)
  for (let count = 0; count < MOST_MACROBLOCKS; count++) {
    const before = bits.position
    if (macroblocks.readReference(bits, vop) >= 0 && !bits.overrun) continue
    return isPacket(bytes, before) ? MOST_MACROBLOCKS : count
  }
  return MOST_MACROBLOCKS
}

/** Bits of a resync marker of an intra plane, §6.3.5.2, and of the stuffing before it. */
const MARKER_BITS = 17
const MARKER_REACH = 8 + MARKER_BITS

/** Whether a resync marker stands where a macroblock did not read. */
function isPacket(bytes: Uint8Array, from: number): boolean {
  const bits = new BitReader(bytes, from)
  for (let skipped = 0; skipped <= MARKER_REACH - MARKER_BITS; skipped++) {
    if (bits.peek(MARKER_BITS) === 1) return true
    bits.skip(1)
  }
  return false
}

/** The layer with its clock, as headers. */
function describe(
  reader: ByteReader,
  planes: readonly number[],
  layer: VideoObjectLayer,
  read: number,
): DeducedLayer {
  const clock = clockOf(reader, planes, layer)
  const assumed = ['the quantiser matrices', 'vectors of half samples']
  if (!clock.known) assumed.push('the ticks a second of the planes')
  const { width, height, interlaced } = layer
  const config = writeHeaders({ width, height, interlaced, ...clock })
  const { step, resolution } = clock
  const rate = step > 0 && clock.known ? { num: resolution, den: step } : undefined
  return { config, width, height, rate, planes: read, assumed }
}

interface Clock {
  readonly resolution: number
  /** Ticks from one plane to the next; 0 when they vary. */
  readonly step: number
  /** The times show it; `certain`: at the end of nearly every second. */
  readonly known: boolean
  readonly certain: boolean
  /** The commonest distance of planes, 0 for none, and the share of distances that are. */
  readonly usual: number
  readonly constant: number
  readonly bidirectional: boolean
}

/**
 * Ticks a second from times that count within one: where a second ends, the ticks missing to the usual step are what a second
 * has.
 */
export function clockOf(reader: ByteReader, planes: readonly number[], layer: VideoObjectLayer): Clock {
  const vop = emptyVop()
  const steps = new Map<number, number>()
  const wraps: { from: number; to: number }[] = []
  let last = -1
  let most = 0
  let bidirectional = false
  const all: number[] = []
  for (const at of planes) {
    if (!readVopHeader(new BitReader(reader.bytes(at, 16).slice()), layer, vop)) {
      last = -1
      continue
    }
    most = Math.max(most, vop.increment)
    all.push(vop.increment)
    if (vop.type === VOP_B) {
      bidirectional = true
      continue
    }
    if (last >= 0 && vop.seconds === 0)
      steps.set(vop.increment - last, (steps.get(vop.increment - last) ?? 0) + 1)
    if (last >= 0 && vop.seconds === 1) wraps.push({ from: last, to: vop.increment })
    last = vop.increment
  }
  const [usual] = [...steps].sort((a, b) => b[1] - a[1])[0] ?? [0]
  const votes = new Map<number, number>()
  for (const { from, to } of wraps) {
    const ticks = usual + from - to
    if (ticks > most && bitsFor(ticks) === layer.timeBits) votes.set(ticks, (votes.get(ticks) ?? 0) + 1)
  }
  const [told, agreeing] = [...votes].sort((a, b) => b[1] - a[1])[0] ?? [0, 0]
  // planes left out where a second ends make it shorter by whole steps
  const fitting = usual > 0 ? wraps.filter(({ from, to }) => (told + to - from) % usual === 0).length : 0
  const isCertain = agreeing >= FEWEST_SECONDS && fitting >= wraps.length * SECONDS_FIT
  const distances = [...steps.values()].reduce((sum, count) => sum + count, 0)
  const guess = RESOLUTIONS.find((ticks) => ticks > most && bitsFor(ticks) === layer.timeBits)
  const resolution = told > 0 ? told : (guess ?? Math.max(most + 1, 2 ** (layer.timeBits - 1) + 1))
  const step = all.reduce((shared, increment) => greatestCommonDivisor(shared, increment), resolution)
  return {
    resolution,
    step: usual > 0 ? (bidirectional ? step : usual) : 0,
    known: told > 0,
    certain: isCertain,
    usual,
    constant: distances > 0 ? (steps.get(usual) ?? 0) / distances : 0,
    bidirectional,
  }
}

/** Seconds whose ends must tell the same number of ticks, and the share of all that must be of as many but for whole steps. */
const FEWEST_SECONDS = 3
const SECONDS_FIT = 0.75

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b)
}

/** Bits of a time within a second of so many ticks. */
export function bitsFor(resolution: number): number {
  return Math.max(1, 32 - Math.clz32(resolution - 1))
}

const SIMPLE = 0x01
const ADVANCED_SIMPLE = 0xf1

/** A visual object sequence, a visual object and a layer, §6.2.2 and §6.2.3, with the tools that every encoder uses. */
function writeHeaders(facts: { width: number; height: number; interlaced: boolean } & Clock): Uint8Array {
  const { width, height, interlaced, resolution, bidirectional } = facts
  const advanced = bidirectional || interlaced
  const writer = new BitWriter()
  writer.bits(0x1b0, 32)
  writer.bits(advanced ? ADVANCED_SIMPLE : SIMPLE, 8)
  // a visual object of type video without further marks, and stuffing
  writer.bits(0x1b5, 32)
  writer.bits(0x09, 8)
  writer.bits(0x100, 32)
  writer.bits(0x120, 32)
  writer.bit(0)
  writer.bits(advanced ? 17 : 1, 8)
  writer.bit(0)
  writer.bits(1, 4)
  // control parameters: 4:2:0, whether planes are shown as they come, no buffer model
  writer.bit(1)
  writer.bits(1, 2)
  writer.bit(bidirectional ? 0 : 1)
  writer.bit(0)
  writer.bits(0, 2)
  writer.bit(1)
  writer.bits(resolution, 16)
  writer.bit(1)
  writer.bit(0)
  writer.bit(1)
  writer.bits(width, 13)
  writer.bit(1)
  writer.bits(height, 13)
  writer.bit(1)
  writer.bit(interlaced ? 1 : 0)
  // no overlapped motion, no sprites, 8 bits, quantisers without matrices, no complexity estimation
  writer.bit(1)
  writer.bits(0, 3)
  writer.bit(1)
  // resync markers may be there; no partitions, one layer
  writer.bits(0, 3)
  // stuffing begins with a zero
  writer.bit(0)
  return stuffed(writer)
}

/** next_start_code(): ones up to the next byte. */
function stuffed(writer: BitWriter): Uint8Array {
  const before = writer.length
  for (let i = before; i % 8 !== 0; i++) writer.bit(1)
  return writer.bytes()
}
