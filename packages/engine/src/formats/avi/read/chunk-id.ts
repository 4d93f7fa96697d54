/** What the two characters behind a stream's number say (AVI RIFF File Reference, Stream Data). */
const KINDS = new Uint8Array(1 << 16)
for (const kind of ['db', 'dc', 'wb', 'pc', 'tx', 'sb', 'dd', 'iv', '__', 'st']) KINDS[kindOf(kind)] = 1

function kindOf(letters: string): number {
  return letters.charCodeAt(0) | (letters.charCodeAt(1) << 8)
}

export const PALETTE = kindOf('pc')
export const SOUND = kindOf('wb')
const UNCOMPRESSED = kindOf('db')
const COMPRESSED = kindOf('dc')

export function isPicture(kind: number): boolean {
  return kind === COMPRESSED || kind === UNCOMPRESSED
}

/** Whether two characters are what names of data end with. */
export function isKind(kind: number): boolean {
  return KINDS[kind] !== 0
}

/** The stream's number of four characters as a number (first character lowest), -1 where they name no stream's data. */
export function streamOf(id: number): number {
  return isKind(id >>> 16) ? numberOf(id & 0xffff) : -1
}

/** The stream's number of an index chunk, `ix##`, -1 of others. */
export function indexedStreamOf(id: number): number {
  return (id & 0xffff) === INDEX ? numberOf(id >>> 16) : -1
}

const INDEX = kindOf('ix')

function numberOf(digits: number): number {
  const tens = digit(digits & 0xff)
  const ones = digit(digits >> 8)
  if (tens < 0 || ones < 0) return -1
  // up to sixteen streams both ways of counting tell apart: the first digit of sixteens is 0 then
  return tens < LETTERS && ones < LETTERS ? tens * LETTERS + ones : tens * 16 + ones
}

/** Digits from which on letters stand. */
const LETTERS = 10

/** Streams are numbered in two digits, of ten by most writers and of sixteen by others. */
function digit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  if (code >= 0x61 && code <= 0x66) return code - 0x61 + 10
  return code >= 0x41 && code <= 0x46 ? code - 0x41 + 10 : -1
}

/** What most writers call the chunks of a stream's sound or of its pictures. */
export function usualName(stream: number, isSound: boolean): number {
  return idOf(`${String(stream).padStart(2, '0')}${isSound ? 'wb' : 'dc'}`)
}

/** Four characters as a number, first one lowest, as the file has them. */
export function idOf(characters: string): number {
  return kindOf(characters) | (kindOf(characters.slice(2)) << 16)
}

/** The characters of a number. */
export function nameOf(id: number): string {
  return String.fromCharCode(id & 0xff, (id >> 8) & 0xff, (id >> 16) & 0xff, id >>> 24)
}
