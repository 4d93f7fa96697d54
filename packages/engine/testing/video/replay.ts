import { ByteReader } from '../../src/bytes/reader.ts'
import { MemorySource } from '../../src/bytes/source.ts'
import type { Codec } from '../../src/codecs/codec.ts'
import { type Recogniser, Unit } from '../../src/codecs/recogniser.ts'
import type { TrackDescription } from '../../src/model/track.ts'
import type { StreamFixture } from './stream-fixture.ts'

/** What a recogniser said of one unit. */
export interface Seen {
  readonly offset: number
  readonly length: number
  readonly key: boolean
  readonly order: number
  readonly restart: boolean
  readonly evidence: number
  readonly leading: boolean
  readonly gap: number
}

export function readerOf(bytes: Uint8Array): ByteReader {
  return new ByteReader(new MemorySource(bytes))
}

/** The track a container would describe for this stream. */
export function trackOf(fixture: StreamFixture, framing: TrackDescription['framing']): TrackDescription {
  const { codec, width, height, config } = fixture
  return { id: 1, kind: 'video', codec, timescale: 90_000, config, framing, width, height }
}

/** A recogniser for the fixture's track. */
export function recogniserFor(
  codec: Codec,
  fixture: StreamFixture,
  framing: TrackDescription['framing'],
): Recogniser {
  const recogniser = codec.recogniser(trackOf(fixture, framing))
  if (!recogniser) throw new Error(`no recogniser for ${fixture.name}`)
  return recogniser
}

/**
 * Walks `bytes` as a container would: recognises and accepts unit after unit from `starts`, or back to back when those
 * are left out. Stops at the first place where nothing is recognised.
 */
export function replay(recogniser: Recogniser, bytes: Uint8Array, starts?: readonly number[]): Seen[] {
  const reader = readerOf(bytes)
  const unit = new Unit()
  const seen: Seen[] = []
  let at = starts?.[0] ?? 0
  while (at < bytes.length && recogniser.recognise(reader, at, bytes.length, unit)) {
    recogniser.accept(reader, at, unit)
    const { length, key, order, restart, evidence, leading, gap } = unit
    seen.push({ offset: at, length, key, order, restart, evidence, leading, gap })
    if (starts && seen.length === starts.length) break
    at = starts ? starts[seen.length] : at + length
  }
  return seen
}

/** Indexes of units in display order: by coded sequence, then by order within it. */
export function displayed(seen: readonly Seen[]): number[] {
  let sequence = 0
  const places = seen.map(({ order, restart }, index) => {
    if (restart) sequence++
    return { index, sequence, order }
  })
  return places.sort((a, b) => a.sequence - b.sequence || a.order - b.order).map((place) => place.index)
}

/** Bytes of a fixed pseudo-random sequence. */
export function noise(length: number, seed = 1): Uint8Array {
  let state = seed >>> 0
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state >>> 24
  })
}

/**
 * The fixture's packets with `filler(i)` behind packet i, as other tracks lie between in a file. Returns the packets' offsets
 * too.
 */
export function interleave(
  fixture: StreamFixture,
  filler: (index: number) => Uint8Array,
): { bytes: Uint8Array; starts: number[] } {
  const parts: Uint8Array[] = []
  const starts: number[] = []
  let at = 0
  fixture.packets.forEach(({ offset, size }, index) => {
    const between = filler(index)
    starts.push(at)
    parts.push(fixture.bytes.subarray(offset, offset + size), between)
    at += size + between.length
  })
  const bytes = new Uint8Array(at)
  at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return { bytes, starts }
}
