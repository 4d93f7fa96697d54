import {
  type ByteSink,
  diagnose,
  EngineError,
  type EngineFile,
  type Format,
  LimitError,
  MemorySource,
  profile,
  type Report,
  repair,
} from '@mendframe/engine'
import { type Fixture, randomFrom } from '@mendframe/engine/testing'
import { indexPlaces, type Place } from './index-places.ts'
import { joined, mutate, mutateWithin } from './mutate.ts'
import type { Target } from './target.ts'

/** A result may be this many times as long as what went in, and this many bytes longer. */
const GROWTH = 8
const GROWTH_BYTES = 4 * 1024 * 1024
/** Shares of repairs with a healthy sample and with a damaged one; the rest have none. */
const WITH_HEALTHY = 0.7
const WITH_DAMAGED = 0.15

/** Recordings from which a deduction takes far less than a second. */
const SHORT_BYTES = 80_000

/** How often a small recording comes for one of cameras' kinds: as many bytes, and the same parsers in a fraction of the time. */
const SMALL_SHARE = 3

type Random = () => number

/** A fixture changed at random, and the row of numbers it was changed by. */
interface Changed {
  readonly fixture: Fixture
  readonly bytes: Uint8Array
  readonly random: Random
}

type Change = (fixture: Fixture, other: Fixture, random: Random) => Uint8Array

const anywhere: Change = (fixture, other, random) => mutate(fixture.bytes, other.bytes, random)

/** Flipped bits and wrong numbers in the index alone, which is then mended entry by entry. */
const inIndex: Change = (fixture, _other, random) => {
  const places = indexPlaces(fixture.bytes)
  const place = places[Math.floor(random() * places.length)]
  return place ? mutateWithin(fixture.bytes, place.start, place.end, random) : fixture.bytes
}

/** Without one part of the index, cut out or zeroed, and whatever else happens to the rest. */
const withoutIndex: Change = (fixture, other, random) => {
  const places = indexPlaces(fixture.bytes)
  const place = places[Math.floor(random() * places.length)]
  const bytes = place ? withoutPlace(fixture.bytes, place, random() < 0.5) : fixture.bytes
  return random() < 0.3 ? bytes : mutate(bytes, other.bytes, random)
}

function withoutPlace(bytes: Uint8Array, { start, end }: Place, zeroed: boolean): Uint8Array {
  if (zeroed) return Uint8Array.from(bytes).fill(0, start, end)
  return joined(bytes.subarray(0, start), bytes.subarray(end))
}

/** Every way a format's parsers are led to bytes: `stored` recordings of cameras' kinds, `small` ones of rarer kinds. */
export function formatTargets(
  { name, profile: profiles }: Pick<Format, 'name' | 'profile'>,
  stored: readonly Fixture[],
  small: readonly Fixture[],
): readonly Target[] {
  const all = [...stored, ...Array.from({ length: SMALL_SHARE }, () => small).flat()]
  const short = all.filter(({ bytes }) => bytes.length <= SHORT_BYTES)
  return [
    target(`diagnose ${name}`, 2, all, anywhere, ({ fixture, bytes }) =>
      diagnose({ file: file(bytes, fixture) }),
    ),
    target(`repair ${name}`, 2, all, anywhere, (changed) => repaired(changed, sampleFor(changed))),
    target(`mend the index of ${name}`, 4, all, inIndex, (changed) => repaired(changed, undefined)),
    target(`carve ${name}`, 2, small.length > 0 ? small : all, withoutIndex, (changed) =>
      repaired(changed, sampleFor(changed)),
    ),
    target(`deduce ${name}`, 1, short.length > 0 ? short : all, withoutIndex, (changed) =>
      repaired(changed, undefined),
    ),
    ...(profiles
      ? [
          target(`profile ${name}`, 4, all, inIndex, ({ fixture, bytes }) =>
            profile({ file: file(bytes, fixture), name: 'A camera' }),
          ),
        ]
      : []),
  ]
}

function target(
  name: string,
  weight: number,
  fixtures: readonly Fixture[],
  change: Change,
  work: (changed: Changed) => Promise<unknown>,
): Target {
  return {
    name,
    weight,
    run: async (seed) => {
      const random = randomFrom(seed)
      const fixture = fixtures[Math.floor(random() * fixtures.length)]
      const other = fixtures[Math.floor(random() * fixtures.length)]
      if (!fixture || !other) throw new Error('there are no fixtures')
      const bytes = change(fixture, other, random)
      await tolerate(() => work({ fixture, bytes, random }))
      return bytes.length
    },
  }
}

/** Mostly the healthy sample; now and then a damaged one, or none. */
function sampleFor({ fixture, bytes, random }: Changed): Uint8Array | undefined {
  const healthy = fixture.sample ?? fixture.bytes
  const choice = random()
  if (choice < WITH_HEALTHY) return healthy
  return choice < WITH_HEALTHY + WITH_DAMAGED ? mutate(healthy, bytes, random) : undefined
}

async function repaired({ fixture, bytes }: Changed, sample: Uint8Array | undefined): Promise<void> {
  const sink = new BoundedSink(GROWTH * (bytes.length + (sample?.length ?? 0)) + GROWTH_BYTES)
  const damaged = file(bytes, fixture)
  const report = await repair({ damaged, ...(sample ? { sample: file(sample, fixture) } : {}), sink })
  expectConsistent(report, sink)
}

function file(bytes: Uint8Array, fixture: Fixture): EngineFile {
  return { source: new MemorySource(bytes), name: `file.${fixture.extension}` }
}

/** Lets the engine's own "too much" pass; everything else it throws for bytes is a fault. */
async function tolerate(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (error instanceof LimitError) return
    if (error instanceof EngineError)
      throw new Error(`damage was thrown: ${error.name}: ${error.message}`, { cause: error })
    throw error
  }
}

/** A result and its report must tell the same. */
function expectConsistent(report: Report, sink: ByteSink): void {
  const wrote = report.verdict === 'repaired' || report.verdict === 'partial'
  if (wrote !== sink.position > 0)
    throw new Error(`verdict ${report.verdict} with ${sink.position} bytes written`)
  if (report.verdict === 'unrepairable' && !report.reason) throw new Error('unrepairable without a reason')
}

/** Counts what is written and refuses to grow without end. */
class BoundedSink implements ByteSink {
  position = 0
  readonly #bound: number

  constructor(bound: number) {
    this.#bound = bound
  }

  write(bytes: Uint8Array): void {
    this.position += bytes.length
    if (this.position > this.#bound) throw new Error(`the result grows past ${this.#bound} bytes`)
  }
}
