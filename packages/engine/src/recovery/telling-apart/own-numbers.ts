import type { ByteReader } from '../../bytes/reader.ts'
import { codecNamed } from '../../codecs/index.ts'
import { type Recogniser, Unit } from '../../codecs/recogniser.ts'
import {
  SAMPLE_KEY,
  SAMPLE_RESTART,
  SAMPLE_SKIPPED_LEADING,
  type SampleTable,
} from '../../model/sample-table.ts'
import type { Hole } from '../carving/assembler.ts'
import type { Lane } from '../carving/lane.ts'

/** Share of pictures whose numbers come twice in their sequence from which on they are those of two tracks. */
const TWICE = 1 / 4
/** Pictures that show it. */
const FEWEST = 16
/** What the numbering of pictures says of a unit. */
const NUMBERING = SAMPLE_RESTART | SAMPLE_SKIPPED_LEADING

/** Lanes with numbers of their own. */
export interface NumberedApart {
  readonly lanes: readonly Lane[]
  /** Indices of lanes whose numbers do not go on where nothing is lost: pictures of another may be among theirs. */
  readonly mixed: ReadonlySet<number>
}

/**
 * Lanes of pictures that look alike were read as one bitstream, and are two: numbers each one's rows by its own, and returns the
 * lanes with the recognisers that did so. Other lanes are returned as they are; their numbers may show that they are two tracks',
 * too.
 * @param teach lets a recogniser learn from the recording's track of that lane
 */
export function numberedApart(
  reader: ByteReader,
  lanes: readonly Lane[],
  holes: readonly Hole[],
  isAlike: (lane: Lane) => boolean,
  teach: (lane: Lane, recogniser: Recogniser) => void,
): NumberedApart {
  const mixed = new Set<number>()
  const numbered = lanes.map((lane) => {
    if (lane.description.kind !== 'video') return lane
    if (!isAlike(lane)) {
      if (comeTwice(lane, holes)) mixed.add(lane.index)
      return lane
    }
    const recogniser = codecNamed(lane.description.codec)?.recogniser(lane.description)
    if (!recogniser) return lane
    teach(lane, recogniser)
    const goesOn = number(reader, lane.table, recogniser, new Set(holes.map(({ rows }) => rows[lane.index])))
    if (!goesOn) mixed.add(lane.index)
    return { ...lane, recogniser }
  })
  return { lanes: numbered, mixed }
}

/** Whether so many numbers come twice that pictures of two tracks were taken for one's. */
function comeTwice({ table, index }: Lane, holes: readonly Hole[]): boolean {
  const behindHoles = new Set(holes.map(({ rows }) => rows[index]))
  const seen = new Set<number>()
  let twice = 0
  for (let row = 0; row < table.length; row++) {
    if (behindHoles.has(row) || table.flags[row] & SAMPLE_RESTART) seen.clear()
    if (seen.has(table.order[row])) twice++
    seen.add(table.order[row])
  }
  return table.length >= FEWEST && twice > table.length * TWICE
}

/**
 * Numbers the rows of one track; something was lost before those in `behindHoles`. Returns whether no number is missing
 * elsewhere, and none comes twice in its sequence.
 */
function number(
  reader: ByteReader,
  table: SampleTable,
  recogniser: Recogniser,
  behindHoles: ReadonlySet<number>,
): boolean {
  const unit = new Unit()
  const seen = new Set<number>()
  let goesOn = true
  for (let row = 0; row < table.length; row++) {
    const offset = table.offset[row]
    const isHole = behindHoles.has(row)
    if (isHole) recogniser.discontinuity()
    if (!recogniser.recognise(reader, offset, offset + table.size[row], unit)) continue
    recogniser.accept(reader, offset, unit)
    if (isHole || unit.restart) seen.clear()
    if (seen.has(unit.order) || (unit.gap > 0 && !isHole)) goesOn = false
    seen.add(unit.order)
    table.order[row] = unit.order
    const told = (unit.restart ? SAMPLE_RESTART : 0) | (unit.leading ? SAMPLE_SKIPPED_LEADING : 0)
    table.flags[row] = (table.flags[row] & ~NUMBERING) | told | (unit.key ? SAMPLE_KEY : 0)
  }
  return goesOn
}
