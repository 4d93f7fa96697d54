import type { ByteReader } from '../../bytes/reader.ts'
import { nextStartCode } from '../nal/start-code.ts'
import { parseVideoObjectLayer, type VideoObjectLayer } from './video-object-layer.ts'

/** Start code values, ISO/IEC 14496-2:2004 Table 6-3. */
export const LAST_VIDEO_OBJECT = 0x1f
export const FIRST_LAYER = 0x20
export const LAST_LAYER = 0x2f
export const SEQUENCE = 0xb0
export const SEQUENCE_END = 0xb1
export const USER_DATA = 0xb2
export const GROUP = 0xb3
export const VISUAL_OBJECT = 0xb5
export const PLANE = 0xb6

/** Longest headers between two planes: user data of some encoders reaches a few kilobytes. */
const MAX_HEADER = 1 << 16
const MAX_HEADERS = 32
/** Of those with which a unit may begin: a sequence, an object, its layer, a group, and as many again. */
const MAX_OPENING = 8
const MAX_EVIDENCE = 128
const EMPTY = new Uint8Array(0)

/** What stands in front of a plane. */
export interface Headers {
  /** Offset behind the plane's start code. */
  plane: number
  /** The layer in force, from here or before. */
  layer: VideoObjectLayer | undefined
  /** Seconds of a group's time code, -1 without one. */
  groupSeconds: number
  /** First start code's value. */
  first: number
  /** Bits of structure in front of the plane. */
  evidence: number
}

/** May a unit begin with this start code value? */
export function opensUnit(value: number): boolean {
  return (
    value === PLANE || value === GROUP || value === SEQUENCE || value === VISUAL_OBJECT || value <= LAST_LAYER
  )
}

/** Walks the headers from `offset` to a plane's start code, not past `end`. False when none comes. */
export function readHeaders(reader: ByteReader, offset: number, end: number, into: Headers): boolean {
  into.groupSeconds = -1
  into.evidence = 24
  let version = 1
  let at = offset
  let opening = 0
  for (let count = 0; count < MAX_HEADERS; count++) {
    if (at + 5 > end || reader.u24(at) !== 1) return false
    const value = reader.u8(at + 3)
    if (count === 0) {
      if (!opensUnit(value)) return false
      into.first = value
    }
    if (value === PLANE) {
      into.plane = at + 4
      return true
    }
    if (opensUnit(value) && ++opening > MAX_OPENING) return false
    const next = nextStartCode(reader, at + 4, Math.min(end, at + MAX_HEADER))
    const body = value <= LAST_VIDEO_OBJECT ? EMPTY : reader.bytes(at + 4, Math.min(next - at - 4, 512))
    into.evidence = Math.min(into.evidence + 16, MAX_EVIDENCE)
    if (value === VISUAL_OBJECT && body[0] > 127) version = (body[0] >> 3) & 15
    else if (value >= FIRST_LAYER && value <= LAST_LAYER) {
      const layer = parseVideoObjectLayer(body, version)
      if (!layer) return false
      into.layer = layer
      into.evidence += 24
    } else if (value === GROUP) into.groupSeconds = groupSeconds(body)
    else if (
      value !== SEQUENCE &&
      value !== USER_DATA &&
      value !== VISUAL_OBJECT &&
      value > LAST_VIDEO_OBJECT
    )
      return false
    at = next
  }
  return false
}

/** time_code, §6.2.4: hours, minutes, a marker, seconds. */
function groupSeconds(body: Uint8Array): number {
  const code = ((body[0] << 16) | (body[1] << 8) | (body[2] ?? 0)) >>> 6
  return (code >> 13) * 3600 + ((code >> 7) & 63) * 60 + (code & 63)
}

/** The layer of a decoder configuration (`esds` specific information, or the head of an AVI stream). */
export function layerOf(reader: ByteReader): VideoObjectLayer | undefined {
  return placedLayer(reader)?.layer
}

/** Where the layer of a decoder configuration begins, behind its start code; -1 without one. */
export function layerStart(reader: ByteReader): number {
  return placedLayer(reader)?.start ?? -1
}

function placedLayer(
  reader: ByteReader,
): { readonly layer: VideoObjectLayer; readonly start: number } | undefined {
  let version = 1
  for (
    let at = nextStartCode(reader, 0, reader.size);
    at < reader.size;
    at = nextStartCode(reader, at + 3, reader.size)
  ) {
    const value = reader.u8(at + 3)
    const body = reader.bytes(at + 4, 512)
    if (value === VISUAL_OBJECT && body[0] > 127) version = (body[0] >> 3) & 15
    if (value < FIRST_LAYER || value > LAST_LAYER) continue
    const layer = parseVideoObjectLayer(body, version)
    if (layer) return { layer, start: at + 4 }
  }
  return undefined
}
