import { ByteReader } from '../../../src/bytes/reader.ts'
import { MemorySource } from '../../../src/bytes/source.ts'
import { type Recogniser, Unit } from '../../../src/codecs/recogniser.ts'
import type { TrackDescription } from '../../../src/model/track.ts'
import { randomBytes } from './signals.ts'

export function readerOf(bytes: Uint8Array): ByteReader {
  return new ByteReader(new MemorySource(bytes))
}

export function concatenated(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** An audio track as a container would describe it. */
export function audioTrack(
  codec: string,
  config: Uint8Array,
  more: Partial<TrackDescription> = {},
): TrackDescription {
  return { id: 1, kind: 'audio', codec, timescale: 48000, config, framing: 'raw', ...more }
}

/** Lengths found for each packet alone, with other bytes behind it; 0 where none is found. */
export function lengthsAlone(recogniser: Recogniser, packets: readonly Uint8Array[]): number[] {
  const unit = new Unit()
  const tail = randomBytes(64, 99)
  return packets.map((packet) => {
    const bytes = concatenated([packet, tail])
    return recogniser.recognise(readerOf(bytes), 0, bytes.length, unit) ? unit.length : 0
  })
}

/** Units found one behind the other from `from` on, learning from each, until one is missing. */
export function chain(
  recogniser: Recogniser,
  bytes: Uint8Array,
  from = 0,
): { offset: number; length: number; evidence: number; duration: number; order: number }[] {
  const reader = readerOf(bytes)
  const unit = new Unit()
  const units = []
  let offset = from
  while (offset < bytes.length && recogniser.recognise(reader, offset, bytes.length, unit)) {
    recogniser.accept(reader, offset, unit)
    const { length, evidence, duration, order } = unit
    units.push({ offset, length, evidence, duration, order })
    offset += length
  }
  return units
}

/** Evidence of every place in random bytes where a unit is recognised. */
export function evidenceInNoise(recogniser: Recogniser, length: number, seed: number): number[] {
  const reader = readerOf(randomBytes(length, seed))
  const unit = new Unit()
  const found: number[] = []
  for (let offset = 0; offset < length; offset++) {
    if (recogniser.recognise(reader, offset, length, unit)) found.push(unit.evidence)
  }
  return found
}

/** Every place `search` stops at. */
export function searched(recogniser: Recogniser, bytes: Uint8Array): number[] {
  const reader = readerOf(bytes)
  const places: number[] = []
  for (let at = recogniser.search(reader, 0, bytes.length); at < bytes.length; ) {
    places.push(at)
    at = recogniser.search(reader, at + 1, bytes.length)
  }
  return places
}

/** What a recogniser takes the beginning of some bytes for; undefined where that is no unit. */
export function recognisedIn(recogniser: Recogniser, bytes: readonly number[]): Unit | undefined {
  const unit = new Unit()
  const reader = readerOf(Uint8Array.from(bytes))
  return recogniser.recognise(reader, 0, reader.size, unit) ? unit : undefined
}
