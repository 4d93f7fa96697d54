import type { Recipe } from '../../src/bytes/damage.ts'
import { DEFAULT_LIMITS, type Limits } from '../../src/bytes/limits.ts'
import { type ByteSource, MemorySource } from '../../src/bytes/source.ts'
import { allLengthsMax, LyingSource, lies, noise, randomFrom, ZeroTailSource } from '../hostile-sources.ts'
import type { Fixture } from './fixtures.ts'

/** One damaged file, with the sample that its repair is given. */
export interface Case {
  readonly what: string
  readonly source: ByteSource
  readonly sample: ByteSource | undefined
  readonly limits?: Limits
}

const CUTS = 18
const LIES = 24
const ZEROS = 16 * 1024 * 1024
/** Share of a file that is left of one cut off. */
const LEFT = 0.7
const RECIPE_SEED = 1

/** Bounds that a fixture meets, if it is any kind of file that has what they bound. */
export const TIGHT: readonly Limits[] = [
  { ...DEFAULT_LIMITS, samplesPerTrack: 5 },
  { ...DEFAULT_LIMITS, tracks: 1 },
  { ...DEFAULT_LIMITS, depth: 2 },
  { ...DEFAULT_LIMITS, findings: 1 },
  { ...DEFAULT_LIMITS, structureBytes: 64 },
]

/** A file cut off: most of its media is there, its end is not. */
export function cutOff(fixture: Fixture, share = LEFT): ByteSource {
  return new MemorySource(fixture.bytes.subarray(0, Math.floor(fixture.bytes.length * share)))
}

/** A file with a long tail of zeros, as a disk leaves it that reserved more than was written. */
export function zeroTail(source: ByteSource): ByteSource {
  return new ZeroTailSource(source, ZEROS)
}

/**
 * What may happen to a fixture, by the name of what happened: each a list of cases whose verdicts `expected/` holds. Cases are
 * made when they are asked for.
 */
export function situationsOf(
  fixture: Fixture,
  recipes: readonly Recipe[],
): ReadonlyMap<string, () => Case[]> {
  const { bytes } = fixture
  const own = fixture.sample && new MemorySource(fixture.sample)
  const of = (what: string, content: Uint8Array | ByteSource, sample = own): Case => ({
    what,
    source: content instanceof Uint8Array ? new MemorySource(content) : content,
    sample,
  })
  const other = fixture.sample ?? bytes
  const cut = cutOff(fixture)
  return new Map<string, () => Case[]>([
    [
      'cut anywhere',
      () => cutPoints(bytes.length).map((at) => of(`cut at ${at} of ${bytes.length}`, bytes.subarray(0, at))),
    ],
    ['cut at 70%', () => [of('cut', cut)]],
    [
      'without its beginning',
      () =>
        [1, 4, 100, 5_001]
          .filter((start) => start < bytes.length)
          .map((start) => of(`without ${start} bytes`, bytes.subarray(start))),
    ],
    ['with zeros behind it', () => [of('zeros', zeroTail(cutOff(fixture, 0.6)))]],
    [
      'with lies about lengths',
      () => [...lies(bytes, LIES, 7), allLengthsMax(bytes)].map((content, i) => of(`lie ${i}`, content)),
    ],
    [
      'replaced by zeros, ones or noise',
      () => [
        of('zeros', new Uint8Array(bytes.length)),
        of('ones', new Uint8Array(bytes.length).fill(0xff)),
        of('noise', noise(bytes.length, 3)),
      ],
    ],
    [
      'with a sample that is damaged, foreign or the file itself',
      () =>
        [
          other.subarray(0, Math.floor(other.length / 2)),
          noise(50_000, 5),
          allLengthsMax(other),
          ...lies(other, 6, 11),
        ]
          .map((content, i) => of(`sample ${i}`, cut, new MemorySource(content)))
          .concat(of('itself', cut, cut as MemorySource)),
    ],
    [
      'on a medium that gives less than it claims',
      () => [
        of('more claimed', new LyingSource(new MemorySource(bytes), bytes.length + 3_000_000)),
        of('little given', new LyingSource(new MemorySource(bytes.subarray(0, 10_000)), bytes.length)),
      ],
    ],
    [
      'within limits',
      () =>
        [new MemorySource(bytes), cut].flatMap((source) =>
          TIGHT.map((limits, i) => ({ ...of(`limits ${i}`, source), limits })),
        ),
    ],
    ...recipes.map(({ name, apply }): [string, () => Case[]] => [
      `recipe: ${name}`,
      () => [of(name, apply(bytes, RECIPE_SEED))],
    ]),
  ])
}

/** Ends of structure at both ends of the file, and places in between. */
function cutPoints(length: number): number[] {
  const random = randomFrom(length)
  const fixed = [1, 7, 8, 9, 16, 31, 4_095, length - 1, length - 2, length - 8, length - 17]
  const spread = Array.from({ length: CUTS }, (_, index) => Math.floor(((index + random()) / CUTS) * length))
  return [...new Set([...fixed, ...spread])].filter((at) => at > 0 && at < length).sort((a, b) => a - b)
}
