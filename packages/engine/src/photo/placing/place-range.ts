import type { McuLayout } from '../../codecs/jpeg/mcu-layout.ts'
import type { Piece } from '../reading/pieces.ts'
import type { LossEvidence } from './losses.ts'
import type { Room } from './room.ts'

/** MCUs that a piece behind damage may begin before the end of what stands in front: that may have been invented. */
const OVERLAP = 96
/** MCUs invented in damage that a piece may hold, so that all pieces may be longer than the room left. */
const SLACK = 64
/** Where losses are counted by their bits: the most that one is looked for, by what is expected, with more pieces than these. */
const FEW_PIECES = 4
const MOST_OF_EXPECTED = 4
/** Places tried of one piece at most: more cannot be told apart in the time there is. */
const MOST_PLACES = 60_000
/** The same of a scan of few MCUs in a picture that claims to be large: so many, and so many for every MCU that was read. */
const FEW_PLACES = 2000
const PLACES_AN_MCU = 16

export interface RangeInput {
  readonly layout: McuLayout
  readonly pieces: readonly Piece[]
  /** The scan's end was there. */
  readonly complete: boolean
  readonly room: Room
  readonly losses: LossEvidence
}

/** The places at which a piece may stand where those in front of it end at `end`; one at least. */
export function placesFor(index: number, end: number, input: RangeInput): number[] {
  const { layout, pieces, complete, room, losses } = input
  const { step, phase } = pieces[index]
  const first = Math.max(0, end - (pieces[index - 1]?.broken ? OVERLAP : 0))
  const latest = room.behind(index - 1, 0)
  const near = end + MOST_OF_EXPECTED * losses.expected(index) + layout.mcuWide + OVERLAP
  const far = complete && pieces.length <= FEW_PIECES ? latest + SLACK : Math.min(latest + SLACK, near)
  const last = Math.min(layout.mcuCount - 1, Math.max(far, end + OVERLAP))
  const places: number[] = []
  const from = step > 1 ? first + ((((phase - first) % step) + step) % step) : first
  const most = Math.min(MOST_PLACES, FEW_PLACES + PLACES_AN_MCU * room.read)
  for (let place = from; place <= last && places.length < most; place += step) places.push(place)
  if (room.anchored && step === 1 && latest > last) places.push(latest)
  if (places.length === 0) places.push(Math.min(from, layout.mcuCount - 1))
  const chained = room.chained(index)
  if (chained !== undefined && chained >= end && !places.includes(chained)) places.push(chained)
  return places
}
