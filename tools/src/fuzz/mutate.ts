/** Numbers that break arithmetic: ends of ranges, signs, small counts. */
const WORDS = [
  0, 1, 2, 7, 8, 9, 16, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffffff, 0x80000000,
  0xfffffff0, 0xffffffff,
]

type Random = () => number

const below = (random: Random, limit: number): number => Math.floor(random() * limit)

/** One way to change bytes; returns the same array changed in place, or a new one of another length. */
type Mutation = (bytes: Uint8Array, random: Random, other: Uint8Array) => Uint8Array

const flipBits: Mutation = (bytes, random) => {
  for (let count = 1 + below(random, 16); count > 0; count--) {
    const at = below(random, bytes.length)
    bytes[at] = (bytes[at] ?? 0) ^ (1 << below(random, 8))
  }
  return bytes
}

const setBytes: Mutation = (bytes, random) => {
  const start = below(random, bytes.length)
  const value = random() < 0.5 ? undefined : random() < 0.5 ? 0 : 255
  const end = Math.min(bytes.length, start + 1 + below(random, 64))
  for (let at = start; at < end; at++) bytes[at] = value ?? below(random, 256)
  return bytes
}

const zeroBlock: Mutation = (bytes, random) => {
  const start = below(random, bytes.length)
  return bytes.fill(0, start, start + 1 + below(random, Math.ceil(bytes.length / 4)))
}

const putWord: Mutation = (bytes, random) => write(bytes, below(random, bytes.length), word(random), random)

/** Overwrites a word right before or behind something that looks like a chunk or box name, where lengths and counts are. */
const putWordAtName: Mutation = (bytes, random) => {
  const from = below(random, bytes.length)
  for (let step = 0; step < 4_096; step++) {
    const at = (from + step) % bytes.length
    if (isName(bytes, at)) {
      const places = [-8, -4, 4, 8, 12, 16, 20, 24]
      return write(bytes, Math.max(0, at + (places[below(random, places.length)] ?? 4)), word(random), random)
    }
  }
  return bytes
}

const remove: Mutation = (bytes, random) => {
  const start = below(random, bytes.length)
  return joined(bytes.subarray(0, start), bytes.subarray(start + 1 + below(random, 5_000)))
}

const insert: Mutation = (bytes, random) => {
  const at = below(random, bytes.length)
  const put = Uint8Array.from({ length: 1 + below(random, 600) }, () => below(random, 256))
  return joined(bytes.subarray(0, at), put, bytes.subarray(at))
}

const repeat: Mutation = (bytes, random) => {
  const start = below(random, bytes.length)
  const end = Math.min(bytes.length, start + 1 + below(random, 5_000))
  return joined(bytes.subarray(0, end), bytes.subarray(start))
}

const cut: Mutation = (bytes, random) => bytes.subarray(0, below(random, bytes.length))

const behead: Mutation = (bytes, random) => bytes.subarray(below(random, bytes.length))

/** Goes on with another file in the middle. */
const splice: Mutation = (bytes, random, other) =>
  joined(bytes.subarray(0, below(random, bytes.length)), other.subarray(below(random, other.length)))

const MUTATIONS: readonly Mutation[] = [
  flipBits,
  flipBits,
  setBytes,
  setBytes,
  zeroBlock,
  putWord,
  putWordAtName,
  putWordAtName,
  putWordAtName,
  remove,
  insert,
  repeat,
  cut,
  behead,
  splice,
]

/** A changed copy of `seedBytes`; the same random row gives the same bytes. */
export function mutate(seedBytes: Uint8Array, other: Uint8Array, random: Random): Uint8Array {
  let bytes = Uint8Array.from(seedBytes)
  for (let rounds = 1 + below(random, 4); rounds > 0 && bytes.length > 0; rounds--) {
    const mutation = MUTATIONS[below(random, MUTATIONS.length)]
    if (mutation) bytes = Uint8Array.from(mutation(bytes, random, other))
  }
  return bytes
}

/** Most places changed within a structure: from there on it is given up for lost. */
const MOST_PLACES = 40

/** A copy of `healthy` with bits flipped and numbers overwritten in [start, end) alone; its length stays. */
export function mutateWithin(healthy: Uint8Array, start: number, end: number, random: Random): Uint8Array {
  const bytes = Uint8Array.from(healthy)
  const part = bytes.subarray(start, end)
  if (part.length === 0) return bytes
  for (let places = 1 + below(random, 1 + below(random, MOST_PLACES)); places > 0; places--) {
    const choice = random()
    if (choice < 0.6) {
      const at = below(random, part.length)
      part[at] = (part[at] ?? 0) ^ (1 << below(random, 8))
    } else if (choice < 0.8) putWordAtName(part, random, part)
    else putWord(part, random, part)
  }
  return bytes
}

function word(random: Random): number {
  return random() < 0.8 ? (WORDS[below(random, WORDS.length)] ?? 0) : below(random, 0x1_0000_0000)
}

/** Writes a number of 8, 16 or 32 bits in either byte order. */
function write(bytes: Uint8Array, at: number, value: number, random: Random): Uint8Array {
  const width = [1, 2, 4][below(random, 3)] ?? 4
  const little = random() < 0.3
  for (let index = 0; index < width && at + index < bytes.length; index++) {
    bytes[at + index] = value >>> (8 * (little ? index : width - 1 - index))
  }
  return bytes
}

function isName(bytes: Uint8Array, at: number): boolean {
  for (let index = 0; index < 4; index++) {
    const byte = bytes[at + index] ?? 0
    const letter =
      (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x30 && byte <= 0x39)
    if (!letter) return false
  }
  return true
}

/** The parts one behind the other. */
export function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
