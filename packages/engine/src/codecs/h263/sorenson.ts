import { BitReader } from '../../bytes/bit-reader.ts'
import { readPictureData } from './picture-data.ts'
import { type PictureHeader, SIZES, skipExtraInformation } from './picture-header.ts'

/** Sorenson H.263, Adobe SWF File Format Specification 19, chapter "Video", "Sorenson H.263 bitstream format". */
const START_CODE_BITS = 17
/** Where escapes have levels of one size, as in H.263, and where they tell which of two theirs has. */
const NEWEST_VERSION = 1
const BYTE_SIZED = 0
const WORD_SIZED = 1
/** Sizes that have a number: CIF, QCIF, sub-QCIF, and two of computers. */
const NUMBERED: readonly (readonly [number, number])[] = [
  ...[SIZES[3], SIZES[2], SIZES[1]],
  ...([
    [320, 240],
    [160, 120],
  ] as const),
]
/** Pictures that nothing refers to are the last type. */
const DISPOSABLE = 2

/** Reads a picture header from its start code on; undefined when it breaks the syntax. */
export function readSorensonHeader(bits: BitReader): PictureHeader | undefined {
  if (bits.bits(START_CODE_BITS) !== 1) return undefined
  const version = bits.bits(5)
  if (version > NEWEST_VERSION) return undefined
  const temporalReference = bits.bits(8)
  const [width, height] = readSize(bits)
  const type = bits.bits(2)
  // the deblocking flag
  bits.skip(1)
  const quantiser = bits.bits(5)
  if (!width || !height || type > DISPOSABLE || quantiser === 0) return undefined
  if (!skipExtraInformation(bits)) return undefined
  return {
    temporalReference,
    intra: type === 0,
    width,
    height,
    rowsPerGroup: Number.POSITIVE_INFINITY,
    fourVectors: true,
    modifiedQuantisation: false,
    sizedLevels: version === NEWEST_VERSION,
    opaque: false,
    evidence: START_CODE_BITS + 4,
  }
}

function readSize(bits: BitReader): readonly [number, number] {
  const size = bits.bits(3)
  if (size === BYTE_SIZED) return [bits.bits(8), bits.bits(8)]
  if (size === WORD_SIZED) return [bits.bits(16), bits.bits(16)]
  return NUMBERED[size - 2] ?? [0, 0]
}

/** Whether bytes are a picture: a header, all its macroblocks, and nothing but zeros behind them. */
export function isSorensonPicture(bytes: Uint8Array): boolean {
  const bits = new BitReader(bytes)
  const header = readSorensonHeader(bits)
  if (!header || !readPictureData(bits, header)) return false
  for (let at = Math.ceil(bits.position / 8); at < bytes.length; at++) if (bytes[at] !== 0) return false
  return true
}
