import type { ByteReader } from '../../bytes/reader.ts'
import { codecNamed } from '../../codecs/index.ts'
import { type Recogniser, Unit } from '../../codecs/recogniser.ts'
import type { Lane, LaneGroup, RecordedTrack } from '../carving/lane.ts'
import { UnitHabits } from './habits.ts'

/** A lane with what is known of its units. */
export interface Track {
  readonly lane: Lane
  readonly recogniser: Recogniser
  readonly recoveryIsKey: boolean
  habits: UnitHabits
  readonly unit: Unit
}

/** A healthy recording with the same tracks. */
export interface Teacher {
  readonly reader: ByteReader
  readonly tracks: readonly RecordedTrack[]
}

/** What recognises a lane's units; undefined where its codec's configuration is none. */
export function recogniserOf({ recogniser, description }: Lane): Recogniser | undefined {
  return recogniser ?? codecNamed(description.codec)?.recogniser(description)
}

/** A lane's track, its habits as the sample has them. */
export function trackOf(lane: Lane, group: LaneGroup | undefined, sample: Teacher): Track {
  const recogniser = group?.recogniser ?? recogniserOf(lane)
  if (!recogniser) throw new Error(`${lane.description.codec} cannot be recognised`)
  const track = sample.tracks[lane.index]
  const { reader, table } = track.lessons ?? { reader: sample.reader, table: track.table }
  const habits = new UnitHabits()
  habits.read(reader, table)
  return {
    ...{ lane, recogniser, habits, unit: new Unit() },
    recoveryIsKey: group?.recoveryIsKey ?? false,
  }
}

/** Pictures begin like the sample's in what never changes within a track: the first four bits. */
export function startsLike(habits: UnitHabits, byte: number): boolean {
  for (let low = 0; low < 16; low++) if (habits.begins((byte & 0xf0) | low)) return true
  return false
}
