import type { Format } from '../../src/formats/format.ts'
import { type Fixture, fixturesOf } from '../contract/fixtures.ts'
import { noise } from '../hostile-sources.ts'
import type { Adversary } from './adversary.ts'
import { joined, repeated } from './bytes.ts'
import { CONTAINER_PATTERNS, STREAM_PATTERNS } from './patterns.ts'

/** Share of a file that its header and first media data take. */
const HEAD = 0.3

type Fill = (bytes: Uint8Array, length: number) => Uint8Array

const sliceOf =
  (share: number, length: number): Fill =>
  (bytes, total) => {
    const start = Math.floor(bytes.length * share)
    return repeated(bytes.subarray(start, start + length), total)
  }

const headed =
  (fill: Fill): Fill =>
  (bytes, length) => {
    const head = bytes.subarray(0, Math.floor(bytes.length * HEAD))
    return joined([head, fill(bytes, length)])
  }

/** A file over and over, with one byte changed in so many. */
const changed =
  (every: number): Fill =>
  (bytes, length) => {
    const whole = repeated(bytes, length)
    const random = noise(4096, 5)
    for (let at = 0, i = 0; at < length; at += every, i++) whole[at] ^= random[i & 4095] | 1
    return whole
  }

/** Pieces of a file, with junk between them. */
const torn =
  (piece: number, junk: number): Fill =>
  (bytes, length) => {
    const filler = noise(junk * 64, 7)
    const parts: Uint8Array[] = []
    for (let done = 0, i = 0; done < length; done += piece + junk, i++) {
      const from = (i * piece) % Math.max(1, bytes.length - piece)
      parts.push(bytes.subarray(from, from + piece), filler.subarray((i % 64) * junk, ((i % 64) + 1) * junk))
    }
    return joined(parts)
  }

/** What becomes of a healthy file's bytes. */
const FILLS: Readonly<Record<string, Fill>> = {
  'whole files one after another': (bytes, length) => repeated(bytes, length),
  'whole files with a byte in 37 changed': changed(37),
  'whole files with a byte in 900 changed': changed(900),
  'pieces between junk': torn(700, 60),
  'long pieces between junk': torn(6000, 100),
  'its first bytes over and over': sliceOf(0, 48),
  'its head over and over': sliceOf(0, 1500),
  'some of it over and over': sliceOf(0.4, 1000),
  'a little of it over and over': sliceOf(0.6, 90),
  'its end over and over': sliceOf(0.9, 400),
  'its head, then some of it over and over': headed(sliceOf(0.5, 1000)),
  'its head, then much of it over and over': headed(sliceOf(0.3, 9000)),
  'its head, then noise': headed((_, length) => noise(length, 9)),
  'its head, then torn pieces': headed(torn(500, 70)),
}

/**
 * Whatever can be made of every format's fixtures, nothing known of the formats; those that take a sample with it and without.
 */
export function fixtureAdversaries(formats: readonly Format[]): Adversary[] {
  return formats.flatMap((format) =>
    fixturesOf(format).flatMap((fixture) =>
      Object.entries(FILLS).flatMap(([name, fill]) =>
        withAndWithout(format, `${format.name}: ${name} (${fixture.name}, `, fixture, (length) =>
          fill(fixture.bytes, length),
        ),
      ),
    ),
  )
}

/** Short patterns in files of every format, alone and behind the head of a healthy file. */
export function patternAdversaries(formats: readonly Format[]): Adversary[] {
  return formats.flatMap((format) => {
    const [fixture] = fixturesOf(format)
    if (!fixture) return []
    const own = CONTAINER_PATTERNS.filter(([, extensions]) =>
      extensions.some((e) => format.extensions.includes(e)),
    )
    const streams = format.kind === 'photo' ? [] : Object.entries(STREAM_PATTERNS)
    const patterns = [...own.map(([name, , pattern]) => [name, pattern] as const), ...streams]
    return patterns.flatMap(([name, pattern]) => [
      ...withAndWithout(format, `${format.name}: ${name} (`, fixture, (length) => repeated(pattern, length)),
      ...withAndWithout(format, `${format.name}: a head, then ${name} (`, fixture, (length) =>
        headed(() => repeated(pattern, length))(fixture.bytes, length),
      ),
    ])
  })
}

function withAndWithout(
  format: Format,
  name: string,
  { extension, sample }: Fixture,
  damaged: (length: number) => Uint8Array,
): Adversary[] {
  // a photo's fixture is small: nearly all of its work is for bytes
  const size = format.kind === 'photo' ? { megapixels: 0 } : {}
  const alone = {
    name: `${name}no sample)`,
    make: (bytes: number) => ({ damaged: damaged(bytes), extension, ...size }),
  }
  if (!sample) return [alone]
  return [
    alone,
    {
      name: `${name}with a sample)`,
      make: (bytes) => ({ damaged: damaged(bytes), sample, extension, ...size }),
    },
  ]
}
