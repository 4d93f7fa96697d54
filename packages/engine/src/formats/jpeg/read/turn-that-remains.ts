import { EXIF_HEADER } from './exif.ts'
import { turnByMaker } from './turn-by-maker.ts'

/** An Orientation entry of one SHORT, in front of its value, and where the value's low byte is: TIFF 6.0 §2. */
const ENTRIES = [
  { begin: [0x12, 0x01, 3, 0, 1, 0, 0, 0], value: 8 },
  { begin: [0x01, 0x12, 0, 3, 0, 0, 0, 1], value: 9 },
]
const UPRIGHT = 1
const MOST = 8
/** Entry of Canon's maker note for facts of the shot, in front of how many SHORTs they are. */
const SHOT = [4, 0, 3, 0]
/** Place of how a viewer is to turn the photo among them, and how many there are at most in cameras that tell it. */
const AUTO_ROTATE = 27
const MOST_FACTS = 64
/** Orientation for each way to turn: not at all, a quarter, a half and three quarters clockwise. */
const TURNS = [UPRIGHT, 6, 3, 8]
/** Where TIFF data begin in a file with Exif data in front, or behind a JFIF segment of 18 bytes. */
const BASES = [6, 24].map((offset) => offset + EXIF_HEADER.length)

/** The property of XMP, and what stands between its name and its value: as an attribute, or as an element. XMP part 2, §7.3. */
const PROPERTY = [...'tiff:Orientation'].map((letter) => letter.charCodeAt(0))
const BEFORE_VALUE = ['="', "='", '>'].map((text) => [...text].map((letter) => letter.charCodeAt(0)))
const ZERO = 0x30

/**
 * How a photo is turned, as what is left of Exif data tells whose first directory is gone: the thumbnail's directory, or a maker
 * note if those are `believed`; else what stands in XMP. Undefined where they tell nothing. That it is upright is believed of no
 * thumbnail: those of turned photos may be called so.
 */
export function turnThatRemains(
  head: Uint8Array,
  width: number,
  height: number,
  believed = true,
): number | undefined {
  for (const { begin, value } of ENTRIES) {
    for (const at of placesOf(head, begin)) {
      const turn = head[at + value]
      if (turn > UPRIGHT && turn <= MOST) return turn
    }
  }
  return (believed ? turnByNote(head, width, height) : undefined) ?? turnInXmp(head)
}

/**
 * How a photo is turned by the maker note in `head`, the file up to its scan, as the camera was held; undefined where none tells.
 * Programs that turn the picture itself leave the note as it was.
 */
export function turnByNote(head: Uint8Array, width: number, height: number): number | undefined {
  const held = canonTurn(head) ?? turnByMaker(head)
  // what lies turned by a quarter already needs no more of it
  return held !== undefined && held > 4 && height > width ? UPRIGHT : held
}

function turnInXmp(head: Uint8Array): number | undefined {
  for (const at of placesOf(head, PROPERTY)) {
    const behind = at + PROPERTY.length
    const before = BEFORE_VALUE.find((text) => text.every((byte, i) => head[behind + i] === byte))
    const turn = before ? head[behind + before.length] - ZERO : 0
    if (turn >= UPRIGHT && turn <= MOST) return turn
  }
  return undefined
}

/** By a maker note of Canon's. */
function canonTurn(head: Uint8Array): number | undefined {
  const view = new DataView(head.buffer, head.byteOffset, head.length)
  for (const at of placesOf(head, SHOT)) {
    if (at + 12 > head.length) break
    const count = view.getUint32(at + 4, true)
    if (count <= AUTO_ROTATE || count > MOST_FACTS) continue
    for (const base of BASES) {
      const facts = base + view.getUint32(at + 8, true)
      // the first of them is their length in bytes
      if (facts + 2 * count > head.length || view.getUint16(facts, true) !== 2 * count) continue
      return TURNS[view.getUint16(facts + 2 * AUTO_ROTATE, true)]
    }
  }
  return undefined
}

function* placesOf(bytes: Uint8Array, pattern: readonly number[]): Generator<number> {
  for (let at = bytes.indexOf(pattern[0]); at >= 0; at = bytes.indexOf(pattern[0], at + 1))
    if (pattern.every((byte, i) => bytes[at + i] === byte)) yield at
}
