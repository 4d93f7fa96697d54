import type { ByteReader } from '../../src/bytes/reader.ts'
import type { Recogniser, Unit } from '../../src/codecs/recogniser.ts'
import { SAMPLE_KEY, SAMPLE_RESTART, SampleTable } from '../../src/model/sample-table.ts'
import type { Hole } from '../../src/recovery/carving/assembler.ts'
import type { Lane } from '../../src/recovery/carving/lane.ts'
import type { Interleave, LanePrior } from '../../src/recovery/learning/learn.ts'
import { KeyDistances } from '../../src/recovery/losses/key-distances.ts'

/** A recogniser of nothing, for lanes whose rows a test writes itself. */
const BLIND: Recogniser = {
  codec: 'test',
  timescale: 0,
  orderStep: 2,
  orderPeriod: 0,
  selfDelimiting: true,
  recognise: (_reader: ByteReader, _offset: number, _end: number, _unit: Unit) => false,
  accept: () => {},
  discontinuity: () => {},
  search: (_reader: ByteReader, _from: number, end: number) => end,
}

export function lane(
  index: number,
  kind: 'video' | 'audio' | 'data',
  timescale: number,
  orderPeriod = 0,
): Lane {
  return {
    index,
    description: { id: index + 1, kind, codec: 'test', timescale, config: new Uint8Array(0), framing: 'raw' },
    group: index,
    recogniser: { ...BLIND, orderPeriod },
    table: new SampleTable(),
  }
}

/** Distances of key units around a row, when the sample's is `sample`. */
export function keysAt(table: SampleTable, row: number, sample = 0): KeyDistances {
  const keys = new KeyDistances(table, sample)
  keys.moveTo(row)
  return keys
}

export function prior(unitDuration: number, byteRate: number): LanePrior {
  return {
    unitDuration,
    constantRate: true,
    steady: true,
    jitter: 0,
    unitBytes: 0,
    constantUnitBytes: 0,
    byteRate,
    runUnits: 1,
    prefix: new Uint8Array(0),
    firstCts: 0,
  }
}

export function interleave(lanes: readonly LanePrior[]): Interleave {
  return {
    lanes,
    patterns: [],
    lead: lanes.map(() => 0),
    spread: lanes.map(() => 0.015),
    reference: 0,
    filler: 0,
    sound: 1,
    lag: undefined,
  }
}

/**
 * Writes pictures (25 a second, groups of `orders.length` pictures with the given display order) and sound (50 units a
 * second) interleaved by time, 1000 bytes a picture and 100 a sound unit. Units for which `lost` says so are left out.
 */
export function record(
  video: Lane,
  audio: Lane,
  orders: readonly number[],
  pictures: number,
  lost: (kind: 'video' | 'audio', unit: number) => boolean,
): number {
  let offset = 0
  let sound = 0
  for (let picture = 0; picture < pictures; picture++) {
    const place = picture % orders.length
    if (!lost('video', picture)) {
      const flags = place === 0 ? SAMPLE_KEY | SAMPLE_RESTART : 0
      video.table.push(offset, 1000, 1, 1, orders[place] * 2, flags)
    }
    offset += 1000
    while (sound < (picture + 1) * 2) {
      if (!lost('audio', sound)) audio.table.push(offset, 100, 1, 20, sound, SAMPLE_KEY)
      offset += 100
      sound++
    }
  }
  return offset
}

/** Display order of a group of pictures in decoding order: I P B B P B B. */
export const WITH_B = [0, 3, 1, 2, 6, 4, 5]

/** A lane of pictures and one of sound. */
export function setUp(): { video: Lane; audio: Lane } {
  return { video: lane(0, 'video', 25), audio: lane(1, 'audio', 1000) }
}

/** When units of a lane are shown, in its ticks. */
export function times(of: Lane, shift: number): number[] {
  return Array.from({ length: of.table.length }, (_, row) => of.table.dts[row] + of.table.cts[row] - shift)
}

/** A hole over the bytes [from, to) with the rows each lane has before it. */
export function hole(lanes: readonly Lane[], from: number, to: number): Hole {
  return {
    offset: from,
    length: to - from,
    rows: lanes.map(
      ({ table }) => table.offset.subarray(0, table.length).filter((offset) => offset < from).length,
    ),
  }
}
