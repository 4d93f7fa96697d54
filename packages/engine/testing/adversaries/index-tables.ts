import { fullBox, words, wordsOf } from './bytes.ts'
import { counted, movieFile } from './movie.ts'

/** So many samples of one size laid end to end in chunks of so many, without their media data. */
export function endToEnd(samples: number, size: number, perChunk: number, from: number) {
  const chunks = Math.ceil(samples / perChunk)
  return {
    stts: counted('stts', words([samples, 1000])),
    stsc: counted('stsc', words([1, perChunk, 1]), 12),
    stsz: fullBox(
      'stsz',
      0,
      words([0, samples]),
      wordsOf(samples, () => size),
    ),
    stco: counted(
      'stco',
      wordsOf(chunks, (chunk) => from + chunk * perChunk * size),
      4,
    ),
    duration: samples * 1000,
  }
}

/** Tracks whose sizes take four bits each, ISO/IEC 14496-12:2022 §8.7.3.3, most of a file of so many bytes together. */
export function compactFile(tracks: number, bytes: number): Uint8Array {
  const perTrack = Math.floor(bytes / tracks)
  const samples = perTrack * 2
  const track = {
    stts: counted('stts', words([samples, 1])),
    stsc: counted('stsc', words([1, samples, 1]), 12),
    stsz: fullBox('stz2', 0, words([4, samples]), new Uint8Array(perTrack).fill(0x10)),
    stco: counted('stco', words([40]), 4),
  }
  return movieFile(Array.from({ length: tracks }, () => track))
}
