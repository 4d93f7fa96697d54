import {
  type ByteSink,
  diagnose,
  EngineError,
  FORMATS,
  LimitError,
  MemorySource,
  type Report,
  repair,
} from '@mendframe/engine'
import {
  ByteReader,
  CODECS,
  type Codec,
  type Fixture,
  fixturesOf,
  noise,
  randomFrom,
  type TrackDescription,
  Unit,
} from '@mendframe/engine/testing'
import { mutate } from './mutate.ts'

/** One parser under test. An input is a number: it always means the same bytes. */
export interface Target {
  readonly name: string
  /** Makes the input of a number and feeds it to the parser; returns its size in bytes. Throws what must not be thrown. */
  run(seed: number): Promise<number>
}

/** A result may be this many times as long as what went in, and this many bytes longer. */
const GROWTH = 8
const GROWTH_BYTES = 4 * 1024 * 1024
/** Bytes of mutated media a recogniser is led through. */
const CODEC_BYTES = 16 * 1024
/** Places in them at which it is asked. */
const CODEC_STEPS = 300

/** Every format's diagnosis and repair, and every codec's recogniser. */
export function targets(): Target[] {
  const formats = FORMATS.flatMap((format) => {
    const fixtures = fixturesOf(format)
    return fixtures.length === 0
      ? []
      : [diagnosisTarget(format.name, fixtures), repairTarget(format.name, fixtures)]
  })
  const material = FORMATS.flatMap((format) => fixturesOf(format)).map(({ bytes }) => bytes)
  return [...formats, ...CODECS.map((codec) => codecTarget(codec, material))]
}

function diagnosisTarget(name: string, fixtures: readonly Fixture[]): Target {
  return {
    name: `diagnose ${name}`,
    run: async (seed) => {
      const { fixture, bytes } = mutated(fixtures, seed)
      await tolerate(() => diagnose({ file: file(bytes, fixture) }))
      return bytes.length
    },
  }
}

function repairTarget(name: string, fixtures: readonly Fixture[]): Target {
  return {
    name: `repair ${name}`,
    run: async (seed) => {
      const { fixture, bytes, random } = mutated(fixtures, seed)
      const healthy = fixture.sample ?? fixture.bytes
      // Now and then the sample is damaged as well, or there is none.
      const choice = random()
      const sample = choice < 0.7 ? healthy : choice < 0.85 ? mutate(healthy, bytes, random) : undefined
      const sink = new BoundedSink(GROWTH * (bytes.length + (sample?.length ?? 0)) + GROWTH_BYTES)
      const report = await tolerate(() =>
        repair({ damaged: file(bytes, fixture), ...(sample ? { sample: file(sample, fixture) } : {}), sink }),
      )
      if (report) expectConsistent(report, sink)
      return bytes.length + (sample?.length ?? 0)
    },
  }
}

function codecTarget(codec: Codec, material: readonly Uint8Array[]): Target {
  return {
    name: `recognise ${codec.name}`,
    run: async (seed) => {
      const random = randomFrom(seed)
      const slice = (length: number): Uint8Array => {
        const source = material[Math.floor(random() * material.length)] ?? new Uint8Array(0)
        const start = Math.floor(random() * source.length)
        return source.subarray(start, start + length)
      }
      const config =
        random() < 0.5 ? slice(Math.floor(random() * 200)) : noise(Math.floor(random() * 60), seed)
      const bytes =
        random() < 0.7 ? mutate(slice(CODEC_BYTES), slice(CODEC_BYTES), random) : noise(2_000, seed)
      const recogniser = codec.recogniser(describe(codec.name, config, random))
      if (!recogniser) return bytes.length
      const reader = new ByteReader(new MemorySource(bytes))
      const unit = new Unit()
      for (let at = 0, step = 0; at < bytes.length && step < CODEC_STEPS; step++) {
        const found = recogniser.search(reader, at, bytes.length)
        if (found < at) throw new Error(`search went back from ${at} to ${found}`)
        if (found >= bytes.length) break
        at = found + 1
        if (recogniser.recognise(reader, found, bytes.length, unit)) {
          if (!(unit.length > 0) || found + unit.length > bytes.length)
            throw new Error(`a unit of ${unit.length} bytes at ${found}`)
          if (random() < 0.7) {
            recogniser.accept(reader, found, unit)
            at = found + unit.length
          } else recogniser.discontinuity()
        }
      }
      return bytes.length
    },
  }
}

function describe(codec: string, config: Uint8Array, random: () => number): TrackDescription {
  const pick = <T>(...choices: readonly [T, ...T[]]): T =>
    choices[Math.floor(random() * choices.length)] ?? choices[0]
  return {
    id: 1,
    kind: pick('video', 'audio', 'data'),
    codec,
    timescale: pick(1, 600, 30_000, 48_000, 90_000),
    config,
    framing: pick('length', 'startcode', 'raw'),
    width: pick(0, 16, 176, 1_920, 65_535),
    height: pick(0, 16, 144, 1_080, 65_535),
    sampleRate: pick(0, 8_000, 44_100, 48_000, 4_294_967_295),
    channels: pick(0, 1, 2, 6, 255),
    blockAlign: pick(0, 1, 2, 4, 6, 65_535),
    facts: { bitsPerSample: pick(0, 8, 16, 24), endian: pick('big', 'little') },
  }
}

function mutated(
  fixtures: readonly Fixture[],
  seed: number,
): { fixture: Fixture; bytes: Uint8Array; random: () => number } {
  const random = randomFrom(seed)
  const fixture = fixtures[Math.floor(random() * fixtures.length)]
  const other = fixtures[Math.floor(random() * fixtures.length)]
  if (!fixture || !other) throw new Error('there are no fixtures')
  return { fixture, bytes: mutate(fixture.bytes, other.bytes, random), random }
}

function file(bytes: Uint8Array, fixture: Fixture): { source: MemorySource; name: string } {
  return { source: new MemorySource(bytes), name: `file.${fixture.extension}` }
}

/** Lets the engine's own "too much" pass; everything else it throws for bytes is a fault. */
async function tolerate<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof LimitError) return undefined
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
