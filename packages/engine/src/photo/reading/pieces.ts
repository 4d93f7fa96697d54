import type { Run } from './read-stream.ts'

/** MCUs of a piece whose DC shares one unknown offset, or none. */
export interface Section {
  readonly first: number
  readonly count: number
  /** DC is absolute: nothing is to be added. */
  readonly known: boolean
  /** Components whose offset changes at its start; others have that of the section before it. All change when it is absent. */
  readonly free?: readonly number[]
}

/** MCUs of a stream that lie behind each other in the picture; what is unknown is where, and the offsets of DC. */
export interface Piece {
  readonly first: number
  readonly count: number
  readonly sections: readonly Section[]
  readonly startBit: number
  readonly endBit: number
  /** The position is `phase` modulo `step`. */
  readonly step: number
  readonly phase: number
  /** Its last MCUs may be invented. */
  readonly broken: boolean
  /** It ends with the scan's last bit. */
  readonly flush: boolean
  /**
   * MCUs left out between it and the piece before, when it was cut from that on suspicion: there it stands if nothing is wrong.
   */
  readonly omitted?: number
  /** Cut off where a slip was seen: it hardly stands there. */
  readonly slipped?: boolean
}

/** MCUs that a run behind damage must have to be believed: shorter ones occur by chance. */
const LEAST_MCUS = 6

/** Joins runs whose restart markers number them one behind the other. */
export function joinRuns(runs: readonly Run[]): Piece[] {
  const pieces: Piece[] = []
  for (const run of runs) {
    const last = pieces.at(-1)
    const follows =
      last !== undefined &&
      !last.broken &&
      last.first + last.count === run.first &&
      run.step > 1 &&
      run.step === last.step &&
      run.fromRestart &&
      (last.phase + last.count) % last.step === run.phase
    if (follows) {
      const section = last.sections[last.sections.length - 1]
      const sections = section.known
        ? [...last.sections.slice(0, -1), { ...section, count: section.count + run.count }]
        : [...last.sections, { first: run.first, count: run.count, known: true }]
      pieces[pieces.length - 1] = {
        ...last,
        count: last.count + run.count,
        sections,
        endBit: run.endBit,
        broken: run.broken,
        flush: run.flush,
      }
      continue
    }
    const placed = run.step > 1 || pieces.length === 0
    if (!placed && run.count < LEAST_MCUS) continue
    pieces.push({
      first: run.first,
      count: run.count,
      sections: [{ first: run.first, count: run.count, known: run.fromRestart }],
      startBit: run.startBit,
      endBit: run.endBit,
      step: run.step,
      phase: run.phase,
      broken: run.broken,
      flush: run.flush,
    })
  }
  return pieces
}

/** The part of a piece from `first` on, `count` MCUs of it. */
export function partOf(piece: Piece, first: number, count: number, omitted?: number): Piece {
  const end = first + count
  const sections = piece.sections
    .map((section) => {
      const from = Math.max(first, section.first)
      // what begins behind a cut lost the values that DC is told from
      const known = section.known && (from === section.first || first === piece.first)
      return { first: from, count: Math.min(end, section.first + section.count) - from, known }
    })
    .filter((section) => section.count > 0)
  const bits = (piece.endBit - piece.startBit) / Math.max(1, piece.count)
  const skipped = first - piece.first
  const whole = end === piece.first + piece.count
  return {
    first,
    count,
    sections,
    startBit: piece.startBit + skipped * bits,
    endBit: whole ? piece.endBit : piece.startBit + (skipped + count) * bits,
    step: piece.step,
    phase: piece.step > 1 ? (piece.phase + skipped) % piece.step : 0,
    broken: whole ? piece.broken : true,
    flush: whole && piece.flush,
    ...(omitted === undefined ? {} : { omitted }),
  }
}

/** MCUs of a piece, counted from its first one, that are no part of the picture: those between `stop` and `next`. */
export interface CutOut {
  readonly stop: number
  readonly next: number
}

/**
 * The parts of a piece between what is cut out, in order; a cut in front of or behind which nothing would be left is not made.
 */
export function partsBetween(piece: Piece, cuts: readonly CutOut[]): Piece[] {
  const parts: Piece[] = []
  let start = 0
  let { omitted } = piece
  for (const { stop, next } of cuts) {
    if (stop <= start || next >= piece.count) continue
    parts.push(partOf(piece, piece.first + start, stop - start, omitted))
    omitted = next - stop
    start = next
  }
  return start === 0 ? [piece] : [...parts, partOf(piece, piece.first + start, piece.count - start, omitted)]
}

/** Puts pieces together again that were cut on suspicion and lie where nothing is wrong. */
export function rejoin(
  pieces: readonly Piece[],
  places: readonly number[],
): { pieces: Piece[]; places: number[] } {
  const joined: Piece[] = []
  const placesOfJoined: number[] = []
  pieces.forEach((piece, index) => {
    const last = joined.at(-1)
    const distance = last ? piece.first - last.first : 0
    if (
      !last ||
      piece.omitted === undefined ||
      places[index] - placesOfJoined[joined.length - 1] !== distance
    ) {
      joined.push(piece)
      placesOfJoined.push(places[index])
      return
    }
    const count = distance + piece.count
    const lastSection = last.sections[last.sections.length - 1]
    const sections = [
      ...last.sections.slice(0, -1),
      { ...lastSection, count: piece.first + piece.count - lastSection.first },
    ]
    const { endBit, broken, flush } = piece
    joined[joined.length - 1] = { ...last, count, sections, endBit, broken, flush }
  })
  return { pieces: joined, places: placesOfJoined }
}

/** The pieces with sections cut at steps of DC, which are named by the sections of all pieces one behind the other. */
export function cutAtSteps(
  pieces: readonly Piece[],
  sections: readonly Section[],
  steps: readonly { readonly section: number; readonly at: number; readonly components: readonly number[] }[],
): Piece[] {
  return pieces.map((piece) => ({
    ...piece,
    sections: piece.sections.flatMap((section) => {
      const own = steps.filter((step) => sections[step.section].first === section.first)
      if (own.length === 0) return [section]
      const ends = [...own.map(({ at }) => at), section.count]
      return [
        { ...section, count: ends[0] },
        ...own.map(({ at, components }, index) => ({
          first: section.first + at,
          count: ends[index + 1] - at,
          known: false,
          free: components,
        })),
      ]
    }),
  }))
}
