/**
 * "SEFT", with which the trailer ends that Samsung's cameras write behind a photo, and "SEFH", with which its directory begins.
 */
const END = 0x53454654
const DIRECTORY = 0x53454648
const ENTRY = 12
const MOST_ENTRIES = 256
const MOST_TRAILERS = 64

/** Where such a trailer begins with the first of its blocks, and the byte behind its last. */
export interface SamsungTrailer {
  readonly start: number
  readonly end: number
}

/**
 * The trailers that end behind `from`: blocks of anything, pictures among them, and a directory that tells how far in front of
 * itself each of them begins. All numbers are little-endian; ExifTool, Image::ExifTool::Samsung, "Samsung trailer".
 */
export function samsungTrailers(bytes: Uint8Array, from: number): SamsungTrailer[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const trailers: SamsungTrailer[] = []
  for (
    let at = bytes.indexOf(0x53, from);
    at >= 0 && at + 4 <= bytes.length;
    at = bytes.indexOf(0x53, at + 1)
  ) {
    if (at < 4 || view.getUint32(at) !== END) continue
    const directory = at - 4 - view.getUint32(at - 4, true)
    if (directory < from || directory + ENTRY > at || view.getUint32(directory) !== DIRECTORY) continue
    const count = Math.min(MOST_ENTRIES, view.getUint32(directory + 8, true))
    let back = 0
    for (let i = 0, entry = directory + ENTRY; i < count && entry + ENTRY <= at; i++, entry += ENTRY) {
      back = Math.max(back, view.getUint32(entry + 4, true))
    }
    trailers.push({ start: Math.max(from, directory - back), end: at + 4 })
    if (trailers.length === MOST_TRAILERS) break
  }
  return trailers
}
