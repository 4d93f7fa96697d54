import type { ByteReader } from '../../bytes/reader.ts'
import { isZero } from '../../bytes/zeros.ts'
import {
  EXTENSION,
  GROUP,
  LAST_SLICE,
  PICTURE,
  SEQUENCE,
  USER_DATA,
} from '../../codecs/mpeg12/unit-walker.ts'
import { nextStartCode } from '../../codecs/nal/start-code.ts'
import type { InputFile, Probe } from '../format.ts'
import { EXTENSIONS } from './extensions.ts'
import { headAt } from './read/heads.ts'

/** Bytes looked at in each place, and places. */
const WINDOW = 64 * 1024
const PLACES = 5
const MOST_CODES = 2048
const CODE_BYTES = 4
/** Bytes of zeros that a file may begin with. */
const MOST_FRONT = 4096
/** Pictures by which a file is taken for one of them alone. */
const ENOUGH = 2
const CERTAIN = 92
const LIKELY = 55
const SOME = 15
/** Share of start codes that are none of pictures, and of a file whose start codes were hit. */
const FOREIGN = 0.02
const FOREIGN_HIT = 0.2

/** Judges by start codes in windows from head to tail: those of pictures alone, one picture's behind the other's. */
export function probe({ reader, extension }: InputFile): Probe {
  let pictures = 0
  let slices = 0
  let foreign = 0
  for (let place = 0; place < PLACES; place++) {
    const from = Math.floor((Math.max(0, reader.size - WINDOW) * place) / (PLACES - 1))
    const seen = codesIn(reader, from, Math.min(reader.size, from + WINDOW))
    pictures += seen.pictures
    slices += seen.slices
    foreign += seen.foreign
    if (reader.size <= WINDOW) break
  }
  const begins = beginsWithHead(reader)
  const reasons = [
    `${pictures} headers of pictures, ${slices} slices and ${foreign} other start codes`,
    ...(begins ? ['a sequence header at the beginning'] : []),
  ]
  const isNamed = EXTENSIONS.includes(extension)
  const share = foreign / (pictures + slices)
  if (slices === 0 || pictures === 0 || share > FOREIGN_HIT) return { score: 0, reasons }
  if (begins) return { score: share > FOREIGN ? LIKELY : CERTAIN, reasons }
  if (share > FOREIGN) return { score: isNamed && pictures >= ENOUGH ? SOME : 0, reasons }
  return { score: pictures >= ENOUGH ? (isNamed ? LIKELY : SOME) : isNamed ? SOME : 0, reasons }
}

/** Whether a sequence header stands first, behind which a picture comes. */
function beginsWithHead(reader: ByteReader): boolean {
  const at = nextStartCode(reader, 0, Math.min(reader.size, MOST_FRONT))
  if (reader.u32(at) !== 0x100 + SEQUENCE || !isZero(reader, 0, at)) return false
  const head = headAt(reader, at)
  const next = head ? reader.u32(at + head.bytes.length) - 0x100 : -1
  return next === GROUP || next === PICTURE || next === USER_DATA
}

/**
 * The start codes in [from, end) by what they begin: slices count that come behind a picture's header, one row behind the other.
 */
function codesIn(reader: ByteReader, from: number, end: number) {
  const seen = { pictures: 0, slices: 0, foreign: 0 }
  let row = -1
  let at = nextStartCode(reader, from, end)
  for (let codes = 0; at + CODE_BYTES < end && codes < MOST_CODES; codes++) {
    const value = reader.u8(at + CODE_BYTES - 1)
    if (value === PICTURE) {
      const type = (reader.u8(at + CODE_BYTES + 1) >> 3) & 7
      if (type >= 1 && type <= 4) {
        seen.pictures++
        row = 0
      } else seen.foreign++
    } else if (value <= LAST_SLICE) {
      if (row >= 0 && value >= row) {
        seen.slices++
        row = value
      } else if (row >= 0) seen.foreign++
    } else if (
      value > GROUP ||
      (value < EXTENSION && value !== USER_DATA && value !== SEQUENCE && value !== 0xb4)
    ) {
      seen.foreign++
    }
    at = nextStartCode(reader, at + CODE_BYTES - 1, end)
  }
  return seen
}
