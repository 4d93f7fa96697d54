import { BitReader } from '../../bytes/bit-reader.ts'

/** A video object layer, ISO/IEC 14496-2:2004 §6.2.3, as far as finding and ordering its pictures needs it. */
export interface VideoObjectLayer {
  readonly width: number
  readonly height: number
  /** Ticks a second of vop_time_increment. */
  readonly timeResolution: number
  readonly timeBits: number
  /** Ticks of a picture when the rate is fixed, else 0. */
  readonly fixedIncrement: number
  readonly interlaced: boolean
  /** Sprite warping points; -1 without global motion compensation. */
  readonly warpingPoints: number
  readonly brightnessChange: boolean
  readonly quantBits: number
  readonly quarterSample: boolean
  readonly resyncMarkers: boolean
  readonly dataPartitioned: boolean
  /** Uses a tool whose macroblock layer is not parsed. */
  readonly opaque: boolean
}

const EXTENDED_PAR = 15
const RECTANGULAR = 0
const STATIC_SPRITE = 1
const GLOBAL_MOTION = 2

/**
 * Parses what follows a video object layer start code; undefined when it breaks the syntax. `objectVersion` is the visual
 * object's own version, in force where the layer names none.
 */
export function parseVideoObjectLayer(
  bytes: Uint8Array,
  objectVersion: number,
): VideoObjectLayer | undefined {
  const bits = new BitReader(bytes)
  const version = skipToShape(bits, objectVersion)
  const shape = bits.bits(2)
  if (shape !== RECTANGULAR || bits.bit() === 0) return undefined
  const timeResolution = bits.bits(16)
  if (timeResolution === 0 || bits.bit() === 0) return undefined
  const timeBits = Math.max(1, 32 - Math.clz32(timeResolution - 1))
  const fixedIncrement = bits.bit() === 1 ? bits.bits(timeBits) : 0
  if (bits.bit() === 0) return undefined
  const width = bits.bits(13)
  if (bits.bit() === 0) return undefined
  const height = bits.bits(13)
  if (bits.bit() === 0 || width === 0 || height === 0) return undefined
  const interlaced = bits.bit() === 1
  bits.skip(1)
  const sprite = bits.bits(version === 1 ? 1 : 2)
  let warpingPoints = -1
  let brightnessChange = false
  if (sprite === STATIC_SPRITE) return undefined
  if (sprite === GLOBAL_MOTION) {
    warpingPoints = bits.bits(6)
    bits.skip(2)
    brightnessChange = bits.bit() === 1
  }
  let quantBits = 5
  if (bits.bit() === 1) {
    quantBits = bits.bits(4)
    bits.skip(4)
  }
  if (bits.bit() === 1) {
    skipMatrix(bits)
    skipMatrix(bits)
  }
  const quarterSample = version !== 1 && bits.bit() === 1
  const complexity = bits.bit() === 0
  if (complexity) {
    const size = { width, height, timeResolution, timeBits, fixedIncrement }
    const tools = { interlaced, warpingPoints, brightnessChange, quantBits, quarterSample }
    return { ...size, ...tools, resyncMarkers: true, dataPartitioned: false, opaque: true }
  }
  const resyncMarkers = bits.bit() === 0
  const dataPartitioned = bits.bit() === 1
  if (dataPartitioned) bits.skip(1)
  let opaque = false
  if (version !== 1) {
    if (bits.bit() === 1) {
      bits.skip(3)
      opaque = true
    }
    if (bits.bit() === 1) opaque = true
  }
  if (bits.bit() === 1) opaque = true
  if (bits.overrun) return undefined
  return {
    width,
    height,
    timeResolution,
    timeBits,
    fixedIncrement,
    interlaced,
    warpingPoints,
    brightnessChange,
    quantBits,
    quarterSample,
    resyncMarkers,
    dataPartitioned,
    opaque: opaque || dataPartitioned || quantBits < 3 || quantBits > 9 || warpingPoints > 4,
  }
}

/** Reads up to the layer's shape; returns its version. */
function skipToShape(bits: BitReader, objectVersion: number): number {
  bits.skip(1 + 8)
  let version = objectVersion
  if (bits.bit() === 1) {
    version = bits.bits(4)
    bits.skip(3)
  }
  if (bits.bits(4) === EXTENDED_PAR) bits.skip(16)
  if (bits.bit() === 1) {
    bits.skip(3)
    if (bits.bit() === 1) bits.skip(79)
  }
  return version
}

/** Bits of a layer, behind its start code, in front of vop_time_increment_resolution. */
export function resolutionBits(bytes: Uint8Array): number {
  const bits = new BitReader(bytes)
  skipToShape(bits, 1)
  // the shape and a marker
  return bits.position + 3
}

/** A quantiser matrix ends early with a zero. */
function skipMatrix(bits: BitReader): void {
  if (bits.bit() === 0) return
  for (let i = 0; i < 64; i++) if (bits.bits(8) === 0) return
}
