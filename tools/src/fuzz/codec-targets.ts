import { MemorySource } from '@mendframe/engine'
import {
  Allowance,
  ByteReader,
  type Codec,
  noise,
  type Recogniser,
  randomFrom,
  type TrackDescription,
  Unit,
  type UnitReader,
} from '@mendframe/engine/testing'
import { mutate } from './mutate.ts'
import type { Target } from './target.ts'

/** Bytes of mutated media a recogniser is led through. */
const CODEC_BYTES = 16 * 1024
/** Places in them at which it is asked, and those where units have no syntax and any place will do. */
const CODEC_STEPS = 300
const VAGUE_STEPS = 40
/** Units read to their last symbol, and what that may take. */
const UNITS_READ = 60
const UNIT_STEPS = 1 << 18
/** How often a recogniser is given a stream of its own codec, and any bytes of the others'. */
const OWN_STREAM = 0.5
const OTHER_STREAMS = 0.35
const OWN_CONFIG = 0.6
const OTHER_CONFIG = 0.2

/** Recognisers are quick. */
const WEIGHT = 4

/** A coded stream with its configuration. */
export interface Stream {
  readonly codec: string
  readonly config: Uint8Array
  readonly bytes: Uint8Array
}

type Random = () => number

/** Leads a codec's recogniser through `streams` of its own and of other codecs, mutated. */
export function codecTarget(codec: Codec, streams: readonly Stream[]): Target {
  const own = streams.filter((stream) => stream.codec === codec.name)
  return {
    name: `recognise ${codec.name}`,
    weight: WEIGHT,
    run: async (seed) => {
      const random = randomFrom(seed)
      const any = pick(streams, random)
      const mine = own.length > 0 ? pick(own, random) : any
      const bytes = material(mine, any, random, seed)
      const config = configuration(mine, any, random, seed)
      const recogniser = codec.recogniser(describe(codec.name, config, random))
      const reader = new ByteReader(new MemorySource(bytes))
      if (recogniser) lead(recogniser, reader, random)
      const units = recogniser?.unitReader?.(new Allowance(UNIT_STEPS))
      if (recogniser && units) readUnits(units, recogniser, reader, random)
      return bytes.length
    },
  }
}

function material(mine: Stream, any: Stream, random: Random, seed: number): Uint8Array {
  const choice = random()
  if (choice >= OWN_STREAM + OTHER_STREAMS) return noise(2_000, seed)
  const bytes = choice < OWN_STREAM ? mine.bytes : any.bytes
  const start = random() < 0.5 ? 0 : Math.floor(random() * bytes.length)
  const piece = bytes.subarray(start, start + CODEC_BYTES)
  return random() < 0.1 ? piece : mutate(piece, any.bytes.subarray(0, CODEC_BYTES), random)
}

function configuration(mine: Stream, any: Stream, random: Random, seed: number): Uint8Array {
  const choice = random()
  if (choice < OWN_CONFIG) return random() < 0.6 ? mine.config : mutate(mine.config, any.config, random)
  if (choice < OWN_CONFIG + OTHER_CONFIG) return any.bytes.subarray(0, Math.floor(random() * 200))
  return noise(Math.floor(random() * 60), seed)
}

/** Asks a recogniser all it can be asked, and holds its answers to what they promise. */
function lead(recogniser: Recogniser, reader: ByteReader, random: Random): void {
  const unit = new Unit()
  const end = reader.size
  const steps = recogniser.selfDelimiting ? CODEC_STEPS : VAGUE_STEPS
  if (random() < 0.3) recogniser.learn?.(reader, 0, Math.floor(random() * end))
  for (let at = 0, step = 0; at < end && step < steps; step++) {
    const found = recogniser.search(reader, at, end)
    if (found < at) throw new Error(`search went back from ${at} to ${found}`)
    if (found >= end) break
    at = found + 1
    if (!recogniser.recognise(reader, found, end, unit)) continue
    const { length } = unit
    if (!(length > 0) || found + length > end) throw new Error(`a unit of ${length} bytes at ${found}`)
    if (!Number.isFinite(unit.evidence)) throw new Error(`evidence ${unit.evidence} at ${found}`)
    if (random() < 0.1) recogniser.learn?.(reader, found, length)
    if (random() < 0.3) {
      recogniser.discontinuity()
      continue
    }
    recogniser.accept(reader, found, unit)
    if (!Number.isSafeInteger(unit.order)) throw new Error(`order ${unit.order} at ${found}`)
    recogniser.intact?.(reader, found, length)
    const bits = recogniser.closing?.(reader, found, found + length) ?? 0
    if (!Number.isFinite(bits)) throw new Error(`closing ${bits} at ${found}`)
    at = found + length
  }
}

/** Reads units to their last symbol at places that begin like one, and holds their ends to what they promise. */
function readUnits(units: UnitReader, recogniser: Recogniser, reader: ByteReader, random: Random): void {
  const unit = new Unit()
  const end = reader.size
  for (let at = 0, step = 0; at < end && step < UNITS_READ; at++) {
    if (!recogniser.recognise(reader, at, end, unit) && random() > 0.01) continue
    step++
    const until = units.read(reader, at, end)
    if (until !== 0 && (until <= at || until + units.closing > end))
      throw new Error(`a unit from ${at} to ${until} and ${units.closing} bytes`)
    if (random() < 0.2) continue
    if (until === 0) units.pass()
    else {
      units.accept()
      at = until - 1
    }
  }
}

function describe(codec: string, config: Uint8Array, random: Random): TrackDescription {
  return {
    id: 1,
    kind: pick(['video', 'audio', 'data'], random),
    codec,
    timescale: pick([1, 600, 30_000, 48_000, 90_000], random),
    config,
    framing: pick(['length', 'startcode', 'raw'], random),
    width: pick([0, 16, 96, 176, 1_920, 65_535], random),
    height: pick([0, 16, 64, 144, 1_080, 65_535], random),
    sampleRate: pick([0, 8_000, 44_100, 48_000, 4_294_967_295], random),
    channels: pick([0, 1, 2, 6, 255], random),
    blockAlign: pick([0, 1, 2, 4, 6, 65_535], random),
    facts: { bitsPerSample: pick([0, 8, 16, 24], random), endian: pick(['big', 'little'], random) },
  }
}

function pick<T>(choices: readonly T[], random: Random): T {
  const choice = choices[Math.floor(random() * choices.length)]
  if (choice === undefined) throw new Error('there is nothing to pick from')
  return choice
}
