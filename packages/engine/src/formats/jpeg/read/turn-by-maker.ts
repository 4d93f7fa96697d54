/** A SHORT of one value, in the directory of a maker note: TIFF 6.0 §2. */
const SHORT = 3
const SIGNED_RATIONAL = 10
const ENTRY = 12
const MOST_ENTRIES = 128

/**
 * Panasonic's maker note: twelve bytes of its name, then a directory in which one entry tells how the camera was held, as Exif
 * does.
 */
const PANASONIC = [...'Panasonic\0\0\0'].map((letter) => letter.charCodeAt(0))
const ROTATION = 0x30
const ROTATIONS: ReadonlySet<number> = new Set([1, 3, 6, 8])

/**
 * Apple's: ten bytes of its name, a version, the order of bytes, then a directory whose offsets count from the name on. One entry
 * is the pull of gravity along the phone's width, its length and its depth.
 */
const APPLE = [...'Apple iOS\0'].map((letter) => letter.charCodeAt(0))
const APPLE_DIRECTORY = 14
const BIG = 0x4d4d
const GRAVITY = 8
/** In parts of its whole strength: what pulls along one side for the phone to be held so, and at most along the other. */
const LEAST_PULL = 0.5
const MOST_ASIDE = 0.5
/** How a photo of the lens on the back is turned where gravity pulls along the width or the length, against it and with it. */
const HELD = { width: [1, 3], length: [6, 8] } as const
/** A lens that looks the other way sees both of the width's ends exchanged. */
const FRONT = [...'front camera'].map((letter) => letter.charCodeAt(0))

/** How a photo is turned by a maker note of those that tell how the camera was held, 1 to 8; undefined where none does. */
export function turnByMaker(head: Uint8Array): number | undefined {
  return panasonicTurn(head) ?? appleTurn(head)
}

function panasonicTurn(head: Uint8Array): number | undefined {
  const name = indexOf(head, PANASONIC)
  if (name < 0) return undefined
  const at = entryOf(head, name + PANASONIC.length, ROTATION, SHORT, true)
  const turn = at === undefined ? 0 : head[at + 8]
  return ROTATIONS.has(turn) ? turn : undefined
}

function appleTurn(head: Uint8Array): number | undefined {
  const name = indexOf(head, APPLE)
  if (name < 0 || name + APPLE_DIRECTORY > head.length) return undefined
  const view = new DataView(head.buffer, head.byteOffset, head.length)
  const little = view.getUint16(name + APPLE.length + 2) !== BIG
  const at = entryOf(head, name + APPLE_DIRECTORY, GRAVITY, SIGNED_RATIONAL, little)
  const values = at === undefined ? head.length : name + view.getUint32(at + 8, little)
  if (values + 16 > head.length) return undefined
  const along = (place: number): number =>
    view.getInt32(values + place, little) / view.getInt32(values + place + 4, little)
  const [width, length] = [along(0), along(8)]
  const lying = Math.abs(width) > Math.abs(length)
  const [pull, aside] = lying ? [width, length] : [length, width]
  if (!(Math.abs(pull) >= LEAST_PULL && Math.abs(aside) <= MOST_ASIDE * Math.abs(pull))) return undefined
  const exchanged = lying && indexOf(head, FRONT) >= 0
  return HELD[lying ? 'width' : 'length'][pull > 0 === exchanged ? 0 : 1]
}

/** Where the entry of a tag and a type stands in a directory. */
function entryOf(
  head: Uint8Array,
  directory: number,
  tag: number,
  type: number,
  little: boolean,
): number | undefined {
  const view = new DataView(head.buffer, head.byteOffset, head.length)
  if (directory + 2 > head.length) return undefined
  const count = Math.min(MOST_ENTRIES, view.getUint16(directory, little))
  for (let i = 0; i < count; i++) {
    const at = directory + 2 + i * ENTRY
    if (at + ENTRY > head.length) break
    if (view.getUint16(at, little) === tag && view.getUint16(at + 2, little) === type) return at
  }
  return undefined
}

/** The first place of a pattern in bytes, -1 where it is not. */
function indexOf(bytes: Uint8Array, pattern: readonly number[]): number {
  for (let at = bytes.indexOf(pattern[0]); at >= 0; at = bytes.indexOf(pattern[0], at + 1))
    if (pattern.every((byte, i) => bytes[at + i] === byte)) return at
  return -1
}
