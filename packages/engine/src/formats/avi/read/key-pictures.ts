import { BitReader } from '../../../bytes/bit-reader.ts'
import type { ByteReader } from '../../../bytes/reader.ts'
import { readSorensonHeader } from '../../../codecs/h263/sorenson.ts'
import { codecNamed } from '../../../codecs/index.ts'
import { type Headers, readHeaders } from '../../../codecs/mpeg4/headers.ts'
import { VOP_I } from '../../../codecs/mpeg4/vop-header.ts'
import { Unit } from '../../../codecs/recogniser.ts'
import type { TrackDescription } from '../../../model/track.ts'

/** Tells key pictures by their beginnings. */
export type KeyTest = (offset: number, size: number) => boolean

/** Codecs whose pictures depend on others; those of all other codecs stand for themselves. */
const DEPENDENT: ReadonlySet<string> = new Set([
  ...['h264', 'hevc', 'h263', 'mpeg1video', 'mpeg2video', 'vp8', 'vp9', 'av1', 'cinepak'],
  ...['msmpeg4v1', 'msmpeg4v2', 'msmpeg4v3', 'wmv1', 'wmv2', 'wmv3', 'vc1'],
])

/**
 * Whether a picture is a key by a few bytes of it, of codecs by what AVI calls them that have no recogniser: the frame types of
 * Indeo 3, 4 and 5, of VP3 and VP6, and of Sorenson H.263.
 */
const BY_FIRST_BYTES: Readonly<Record<string, (reader: ByteReader, offset: number) => boolean>> = {
  ...{ iv31: isKeyOfIndeo3, iv32: isKeyOfIndeo3, iv41: isKeyOfIndeo4, iv50: isKeyOfIndeo5 },
  ...{ vp30: startsWithZeroBit, vp31: startsWithZeroBit },
  ...{ vp60: startsWithZeroBit, vp61: startsWithZeroBit, vp62: startsWithZeroBit },
  flv1: (reader, offset) =>
    readSorensonHeader(new BitReader(reader.bytes(offset, SORENSON_HEADER)))?.intra === true,
}
const SORENSON_HEADER = 32

/** A bit of the flags behind the frame's number, checksum and size. */
function isKeyOfIndeo3(reader: ByteReader, offset: number): boolean {
  return (reader.u16le(offset + 18) & 4) !== 0
}

/** Three bits behind the 18 of a picture's start code, the lowest first. */
function isKeyOfIndeo4(reader: ByteReader, offset: number): boolean {
  return ((reader.u32le(offset) >> 18) & 7) === 0
}

/** Three bits behind the five of a picture's start code, the lowest first. */
function isKeyOfIndeo5(reader: ByteReader, offset: number): boolean {
  return reader.u8(offset) >> 5 === 0
}

function startsWithZeroBit(reader: ByteReader, offset: number): boolean {
  return reader.u8(offset) >> 7 === 0
}

/** A test of a track's pictures, where no index says which are keys. */
export function keyTest(reader: ByteReader, track: TrackDescription): KeyTest {
  if (track.codec === 'mpeg4') {
    const headers: Headers = { plane: 0, layer: undefined, groupSeconds: -1, first: 0, evidence: 0 }
    return (offset, size) =>
      readHeaders(reader, offset, offset + size, headers) && reader.u8(headers.plane) >> 6 === VOP_I
  }
  const byFirstBytes = BY_FIRST_BYTES[track.codec]
  if (byFirstBytes) return (offset, size) => size > 0 && byFirstBytes(reader, offset)
  if (!DEPENDENT.has(track.codec)) return () => true
  const recogniser = codecNamed(track.codec)?.recogniser(track)
  const unit = new Unit()
  return (offset, size) => {
    if (size === 0 || !recogniser?.recognise(reader, offset, offset + size, unit)) return false
    const key = unit.key
    recogniser.accept(reader, offset, unit)
    return key
  }
}
