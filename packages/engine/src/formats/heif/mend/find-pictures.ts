import type { ByteReader } from '../../../bytes/reader.ts'
import type { Region } from '../../../bytes/regions.ts'
import { searchPieces } from '../../../bytes/search-pieces.ts'
import type { Monitor } from '../../../model/monitor.ts'
import { checkHevcItem, isPictureType, nalTypeAt } from '../read/nal-items.ts'

/** A coded picture found in the bytes. */
export interface FoundPicture extends Region {
  /** Holds nothing that no such picture can. */
  readonly whole: boolean
  /** How it is coded, where it tells: pictures that differ in it have different places. */
  readonly coding?: string
  /** How its first slice begins, where that tells pictures apart: those that differ in it are likely to have different places. */
  readonly kind?: string
}

/** Smallest coded picture that is believed: a tile of one colour takes about 40 bytes. */
const LEAST = 24
const LENGTH = 4
const MOST_FOUND = 70_000

/**
 * Looks for HEVC pictures behind their lengths: a NAL unit of a picture of its own whose length leads to the next one, to the end
 * of the file, or past which something else begins. Reads the file once.
 */
export async function findPictures(reader: ByteReader, monitor: Monitor): Promise<readonly FoundPicture[]> {
  const found: FoundPicture[] = []
  for (let at = 0; at + LENGTH + 2 < reader.size; ) {
    const length = pictureAt(reader, at)
    if (length === 0) {
      at = nextHeader(reader, at + 1)
    } else {
      const whole = checkHevcItem(reader, at, length) === 'whole'
      // one that is not whole is believed where another follows it at once
      if (whole || pictureAt(reader, at + length) > 0) {
        found.push({ offset: at, length, whole })
        at += length
      } else at = nextHeader(reader, at + 1)
    }
    if (found.length >= MOST_FOUND) break
    monitor.progress('survey', Math.min(1, at / reader.size))
    await monitor.pause()
  }
  return found
}

/**
 * Bytes of the picture that begins at an offset, with the lengths in it; 0 where none can: what goes with a picture, its first
 * slice, its further slices, H.265 §7.4.2.4.4.
 */
function pictureAt(reader: ByteReader, start: number): number {
  let at = start
  let slices = 0
  for (let units = 0; units < MOST_UNITS; units++) {
    const type = nalTypeAt(reader, at + LENGTH)
    const size = LENGTH + reader.u32(at)
    if (type < 0 || size < LENGTH + 2 || at + size > reader.size) break
    const first = (reader.u8(at + LENGTH + 2) & 0x80) !== 0
    if (isPictureType(type)) {
      if (first === slices > 0) break
      slices++
    } else if (slices > 0 !== BEHIND.has(type)) break
    at += size
  }
  return slices > 0 && at - start >= LEAST ? at - start : 0
}

/** NAL units of one picture: slices, parameter sets and messages. */
const MOST_UNITS = 1_024
/** What stands behind a picture's slices: the ends of sequences, bytes that fill up, supplemental messages. H.265 §7.4.2.4.4. */
const BEHIND: ReadonlySet<number> = new Set([36, 37, 38, 40])

/** First bytes of the headers of IDR and CRA pictures, parameter sets and messages; the second is 1: H.265 §7.3.1.2. */
const FIRST_BYTES: ReadonlySet<number> = new Set([19, 20, 21, 32, 33, 34, 39].map((type) => type << 1))

/** The next place at or behind an offset where such a header stands behind a length. */
function nextHeader(reader: ByteReader, from: number): number {
  for (const { at, bytes } of searchPieces(reader, from + LENGTH, reader.size, 1)) {
    for (let i = 0; i + 1 < bytes.length; i++) {
      const first = bytes[i]
      if (bytes[i + 1] === 1 && FIRST_BYTES.has(first)) return at + i - LENGTH
    }
  }
  return reader.size
}
