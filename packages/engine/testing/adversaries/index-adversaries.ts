import { randomFrom } from '../hostile-sources.ts'
import type { Adversary } from './adversary.ts'
import { box, fullBox, joined, repeated, text, words, wordsOf } from './bytes.ts'
import { compactFile, endToEnd } from './index-tables.ts'
import { counted, FILE_TYPE, h264Entry, movieBox, movieFile, movieHeader, trackBox } from './movie.ts'

const random = (seed: number): ((below: number) => number) => {
  const next = randomFrom(seed)
  return (below) => Math.floor(next() * below)
}

/** A container in a container in a container …, each of 8 bytes. */
function nested(types: readonly string[], bytes: number): Uint8Array {
  const levels = Math.floor(bytes / 8)
  const whole = new Uint8Array(levels * 8)
  for (let level = 0; level < levels; level++) {
    whole.set(words([whole.length - level * 8]), level * 8)
    whole.set(text(types[Math.min(level, types.length - 1)]), level * 8 + 4)
  }
  return whole
}

/** What indexes may do to those who read and mend them. */
export const INDEX_ADVERSARIES: readonly Adversary[] = [
  {
    name: 'tiny boxes in the movie box',
    make: (bytes) => ({
      damaged: joined([
        FILE_TYPE,
        box('moov', movieHeader(), repeated(box('free'), bytes & ~7)),
        box('mdat'),
      ]),
    }),
  },
  {
    name: 'tiny unknown boxes in tracks',
    make: (bytes) => {
      const trak = box('trak', repeated(box('abcd'), 4000 * 8))
      return { damaged: joined([FILE_TYPE, box('moov', movieHeader(), whole(trak, bytes)), box('mdat')]) }
    },
  },
  {
    name: 'tiny boxes at the top',
    make: (bytes) => ({ damaged: joined([FILE_TYPE, repeated(box('free'), bytes & ~7)]) }),
  },
  {
    name: 'junk between boxes at the top',
    make: (bytes) => ({
      damaged: joined([FILE_TYPE, repeated(joined([box('mdat', new Uint8Array(8)), words([3, 7])]), bytes)]),
    }),
  },
  {
    name: 'empty media data and junk in turns',
    make: (bytes) => ({ damaged: joined([FILE_TYPE, repeated(joined([box('mdat'), words([3])]), bytes)]) }),
  },
  {
    name: 'signatures all over the media data',
    make: (bytes) => ({ damaged: joined([FILE_TYPE, box('mdat', repeated(text('moovmoofmdat'), bytes))]) }),
  },
  {
    name: 'movie boxes all over the media data',
    make: (bytes) => ({
      damaged: joined([FILE_TYPE, box('mdat', repeated(movieBox([{}]), bytes))]),
    }),
  },
  {
    name: 'movie boxes one after another',
    make: (bytes) => ({ damaged: joined([FILE_TYPE, repeated(movieBox([{}, {}]), bytes)]) }),
  },
  {
    name: 'tracks within tracks',
    make: (bytes) => ({ damaged: joined([FILE_TYPE, nested(['moov', 'trak'], bytes), box('mdat')]) }),
  },
  {
    name: 'media within media',
    make: (bytes) => ({ damaged: joined([FILE_TYPE, nested(['moov', 'trak', 'mdia'], bytes), box('mdat')]) }),
  },
  {
    name: 'user data within user data',
    make: (bytes) => ({
      damaged: joined([FILE_TYPE, nested(['moov', 'udta', 'meta', 'udta'], bytes), box('mdat')]),
    }),
  },
  {
    name: 'thousands of tracks',
    make: (bytes) => ({
      damaged: joined([FILE_TYPE, box('moov', movieHeader(), whole(trackBox({}, 1), bytes)), box('mdat')]),
    }),
  },
  {
    name: 'boxes whose sizes all have a bit flipped',
    make: (bytes) => {
      const child = box('udta', new Uint8Array(64))
      child[1] ^= 0x40
      return { damaged: joined([FILE_TYPE, box('moov', movieHeader(), whole(child, bytes)), box('mdat')]) }
    },
  },
  {
    name: 'sample descriptions of many entries, each with a bit flipped',
    make: (bytes) => {
      const entry = h264Entry()
      entry[2] ^= 0x20
      const stsd = fullBox('stsd', 0, words([200]), whole(entry, entry.length * 200))
      const trak = box('trak', box('mdia', box('minf', box('stbl', stsd))))
      return { damaged: joined([FILE_TYPE, box('moov', movieHeader(), whole(trak, bytes)), box('mdat')]) }
    },
  },
  {
    name: 'samples of no size',
    make: (bytes) => {
      const samples = bytes >> 2
      const stsz = fullBox('stsz', 0, words([0, samples]), new Uint8Array(samples * 4))
      const stsc = counted('stsc', words([1, samples, 1]), 12)
      return {
        damaged: movieFile([
          { stts: counted('stts', words([samples, 1])), stsz, stsc, stco: counted('stco', words([40]), 4) },
        ]),
      }
    },
  },
  {
    name: 'samples of no size, a chunk each',
    make: (bytes) => {
      const samples = bytes >> 3
      const stsz = fullBox('stsz', 0, words([0, samples]), new Uint8Array(samples * 4))
      const stco = counted(
        'stco',
        wordsOf(samples, () => 40),
        4,
      )
      return { damaged: movieFile([{ stts: counted('stts', words([samples, 1])), stsz, stco }]) }
    },
  },
  {
    name: 'sizes of four bits',
    make: (bytes) => ({ damaged: compactFile(1, bytes) }),
  },
  {
    name: 'a hundred tracks of sizes of four bits',
    make: (bytes) => ({ damaged: compactFile(100, bytes) }),
  },
  {
    name: 'four thousand million samples of one byte',
    make: (bytes) => {
      const stsz = fullBox('stsz', 0, words([1, 0xffff_ffff]))
      const stsc = counted('stsc', words([1, 0xffff_ffff, 1]), 12)
      const stts = counted('stts', words([0xffff_ffff, 1]))
      const ctts = counted('ctts', words([0xffff_ffff, 5]))
      const track = { stts, ctts, stsz, stsc, stco: counted('stco', words([40]), 4) }
      return { damaged: movieFile([track, track, track], new Uint8Array(bytes).fill(7)) }
    },
  },
  {
    name: 'eight million samples of one byte whose times do not add up',
    make: (bytes) => {
      const count = 8_000_000
      const stsz = fullBox('stsz', 0, words([1, count]))
      const stsc = counted('stsc', words([1, count, 1]), 12)
      const stts = counted(
        'stts',
        wordsOf(100, (i) => (i % 2 === 0 ? count >> 5 : 1000)),
      )
      const ctts = counted(
        'ctts',
        wordsOf(100, (i) => (i % 2 === 0 ? count >> 5 : 1000 * (i % 7))),
      )
      const track = { stts, ctts, stsz, stsc, stco: counted('stco', words([40]), 4), duration: 1e9 }
      return { damaged: movieFile([track, track], new Uint8Array(bytes).fill(7)) }
    },
  },
  {
    name: 'durations that do not add up',
    make: (bytes) => {
      const runs = bytes >> 3
      const next = random(5)
      const track = endToEnd(1000, 100, 1, 40)
      const stts = counted(
        'stts',
        wordsOf(runs * 2, () => next(0x1000)),
      )
      return { damaged: movieFile([{ ...track, stts, duration: 123_456 }]) }
    },
  },
  {
    name: 'tracks of few durations that do not add up',
    make: (bytes) => {
      const next = random(6)
      const stts = counted(
        'stts',
        wordsOf(190 * 2, () => 1 + next(1000)),
      )
      const ctts = counted(
        'ctts',
        wordsOf(190 * 2, () => 1 + next(1000)),
      )
      const one = trackBox({ ...endToEnd(1000, 100, 10, 40), stts, ctts, duration: 123_457 }, 1)
      const moov = box('moov', movieHeader(), whole(one, Math.min(bytes, 120 * one.length)))
      return { damaged: joined([FILE_TYPE, moov, box('mdat')]) }
    },
  },
  {
    name: 'composition offsets without sense',
    make: (bytes) => {
      const samples = Math.floor(bytes / 24)
      const next = random(7)
      const stts = counted(
        'stts',
        wordsOf(samples * 2, (i) => (i % 2 === 0 ? 1 : 1 + next(5000))),
      )
      const ctts = counted(
        'ctts',
        wordsOf(samples * 2, (i) => (i % 2 === 0 ? 1 : next(100_000))),
      )
      const track = endToEnd(samples, 10, 1, 40)
      return { damaged: movieFile([{ ...track, stts, ctts }]) }
    },
  },
  {
    name: 'composition offsets of which two thousand miss',
    make: (bytes) => {
      const samples = bytes >> 4
      const next = random(8)
      const miss = Math.max(1, Math.floor(samples / 1500))
      const ctts = counted(
        'ctts',
        wordsOf(samples * 2, (i) =>
          i % 2 === 0 ? 1 : (i >> 1) % miss === 0 ? 77_777 + next(1 << 24) : 2000,
        ),
      )
      return { damaged: movieFile([{ ...endToEnd(samples, 10, 1, 40), ctts, duration: 5 }]) }
    },
  },
  {
    name: 'an edit list of a million entries',
    make: (bytes) => {
      const edits = Math.floor(bytes / 12)
      const elst = counted(
        'elst',
        wordsOf(edits * 3, (i) => [1, (i * 7) % 100_000, 0x10000][i % 3]),
        12,
      )
      return { damaged: movieFile([{ ...endToEnd(100, 100, 1, 40), edits: elst }], new Uint8Array(10_000)) }
    },
  },
  {
    name: 'a chunk map out of order',
    make: (bytes) => {
      const runs = Math.min(4096, Math.floor(bytes / 24))
      const next = random(9)
      const stsc = counted(
        'stsc',
        wordsOf(runs * 3, (i) => [i === 0 ? 1 : 1 + next(4000), 1 + next(9), 1][i % 3]),
        12,
      )
      const one = trackBox({ ...endToEnd(4000, 100, 1, 40), stsc }, 1)
      const moov = box('moov', movieHeader(), whole(one, bytes))
      return { damaged: joined([FILE_TYPE, moov, box('mdat', new Uint8Array(1000))]) }
    },
  },
  {
    name: 'chunk maps of many runs that do not add up',
    make: (bytes) => {
      const next = random(10)
      const stsc = counted(
        'stsc',
        wordsOf(255 * 3, (i) => [1 + Math.floor(i / 3), 1 + next(50), 1][i % 3]),
        12,
      )
      const stco = counted(
        'stco',
        wordsOf(300, () => next(1 << 24)),
        4,
      )
      const one = trackBox({ ...endToEnd(1000, 100, 10, 40), stsc, stco }, 1)
      const moov = box('moov', movieHeader(), whole(one, bytes))
      return { damaged: joined([FILE_TYPE, moov, box('mdat', new Uint8Array(1000))]) }
    },
  },
  {
    name: 'chunks at random places',
    make: (bytes) => {
      const samples = bytes >> 4
      const next = random(11)
      const stsz = fullBox(
        'stsz',
        0,
        words([0, samples]),
        wordsOf(samples, () => next(1 << 14)),
      )
      const stco = counted(
        'stco',
        wordsOf(samples, () => next(bytes)),
        4,
      )
      return {
        damaged: movieFile([{ ...endToEnd(samples, 100, 1, 40), stsz, stco }], new Uint8Array(bytes >> 1)),
      }
    },
  },
  {
    name: 'tracks whose chunks miss each other, one in ten',
    make: (bytes) => layoutFile(bytes, 4, 10),
  },
  {
    name: 'a hundred tracks whose chunks miss each other, one in ten',
    make: (bytes) => layoutFile(bytes, 100, 10),
  },
  {
    name: 'tracks whose chunks miss each other, one in three',
    make: (bytes) => layoutFile(bytes, 4, 3),
  },
  {
    name: 'chunks of thousands of samples of wrong sizes',
    make: (bytes) => {
      const perChunk = 20_000
      const samples = Math.max(perChunk * 2, Math.floor(bytes / 8 / perChunk) * perChunk)
      const payload = new Uint8Array(bytes >> 1)
      const next = random(13)
      const sizes = wordsOf(samples, () => 1 + next(16))
      const stsz = fullBox('stsz', 0, words([0, samples]), sizes)
      const stco = counted(
        'stco',
        wordsOf(samples / perChunk, (chunk) => 4000 + chunk * (perChunk * 9 + 77)),
        4,
      )
      return { damaged: movieFile([{ ...endToEnd(samples, 9, perChunk, 40), stsz, stco }], payload) }
    },
  },
  {
    name: 'chunks of thousands of samples of any sizes without syntax',
    make: (bytes) => {
      const perChunk = 20_000
      const samples = Math.max(perChunk * 2, Math.floor(bytes / 8 / perChunk) * perChunk)
      const payload = repeated(Uint8Array.of(1, 2, 3, 4, 5), bytes >> 1)
      const stsz = fullBox(
        'stsz',
        0,
        words([0, samples]),
        wordsOf(samples, (i) => (i % 99 === 0 ? 0x4005 : 5)),
      )
      const stco = counted(
        'stco',
        wordsOf(samples / perChunk, (chunk) => 4000 + chunk * (perChunk * 5 + 64)),
        4,
      )
      const entry = box('mett', new Uint8Array(8))
      return {
        damaged: movieFile(
          [{ ...endToEnd(samples, 5, perChunk, 40), stsz, stco, entry, handler: 'meta' }],
          payload,
        ),
      }
    },
  },
]

/** So many copies of a part as fit into `bytes`, at least one. */
function whole(part: Uint8Array, bytes: number): Uint8Array {
  return repeated(part, Math.max(1, Math.floor(bytes / part.length)) * part.length)
}

/** Tracks whose chunks lie end to end but for one in `every`, whose offset is wrong. */
function layoutFile(bytes: number, tracks: number, every: number): { damaged: Uint8Array } {
  const next = random(12)
  const size = 64
  const chunks = Math.max(4, Math.floor(bytes / 2 / tracks / (size + 12)))
  const base = 60_000
  const list = Array.from({ length: tracks }, (_, track) => ({
    ...endToEnd(chunks, size, 1, 0),
    stsz: fullBox(
      'stsz',
      0,
      words([0, chunks]),
      wordsOf(chunks, () => size + (next(every * 2) === 0 ? 3 : 0)),
    ),
    stco: counted(
      'stco',
      wordsOf(
        chunks,
        (chunk) => base + (chunk * tracks + track) * size + (next(every) === 0 ? 1 + next(9999) : 0),
      ),
      4,
    ),
  }))
  return { damaged: movieFile(list, new Uint8Array(bytes >> 1)) }
}
