import type { EnhanceOutcome, LeftRange } from '../../enhance-result.ts'
import { RendererError } from '../../errors.ts'
import type { SecondsRange } from '../../protocol.ts'
import { Concealer } from './concealer.ts'
import { Film } from './film.ts'
import { prove, type Unproven } from './proof.ts'
import { recipeFor } from './recipes.ts'
import { type NewRun, rewrite } from './rewrite.ts'
import { damagedRuns, joinedRuns, type Run, widened } from './runs.ts'
import { type Scan, scan } from './scan.ts'
import { SampleStore } from './store.ts'

/** Times that stretches are widened in a film, all together, before those that do not fit stay as they are. */
const MOST_WIDENINGS = 12

/**
 * Encodes the damaged stretches of a film anew, with what is damaged concealed, and copies everything else bit for bit. Nothing
 * is written when nothing is damaged. A stretch that does not fit is widened to the next place where it may end, and at last left
 * as it is.
 * @throws RendererError `unsupported` when none of the new samples can be made to fit exactly
 */
export async function conceal(
  input: string,
  output: string,
  ranges: readonly SecondsRange[],
  progress: (fraction: number) => void,
): Promise<EnhanceOutcome> {
  const film = Film.open(input)
  const store = new SampleStore(`${output}.samples`)
  try {
    const before = await scan(film, (fraction) => progress(fraction * 0.3))
    for (const sample of samplesIn(film, ranges)) before.damaged[sample] = 1
    const runs = damagedRuns(film, before.damaged)
    if (runs.length === 0) return { changed: [], left: [] }
    const work = new Concealer(film, before, recipeFor(film.stream), store)
    const fitting = new Fitting(film, before, runs)
    for (let round = 1; ; round++) {
      // each round is half of what is left
      const done = (part: number): number => 1 - (0.7 - 0.35 * part) / round
      const made = await encodeAll(work, fitting, (part) => progress(done(part / 2)))
      rewrite(film, output, made, work.recipe, work.configuration, store)
      const unproven = await prove(output, film, before, made, (part) => progress(done(0.5 + part / 2)))
      if (!unproven) break
      fitting.refuse(unproven)
    }
    const changed = fitting.runs.map((run) => ({
      operation: 'conceal' as const,
      start: film.seconds(run.start),
      end: film.seconds(run.end),
      pictures: run.end - run.start - (run.kept === undefined ? 0 : 1),
    }))
    return { changed, left: fitting.left }
  } finally {
    store.close()
    film.close()
  }
}

async function encodeAll(
  work: Concealer,
  fitting: Fitting,
  progress: (fraction: number) => void,
): Promise<NewRun[]> {
  const made: NewRun[] = []
  for (const [index, run] of fitting.runs.entries()) {
    made.push(await work.encode(run))
    progress((index + 1) / fitting.runs.length)
  }
  return made
}

/** The stretches that are still tried, and those that are given up. */
class Fitting {
  runs: readonly Run[]
  readonly left: LeftRange[] = []
  readonly #film: Film
  readonly #damaged: Uint8Array
  #widenings = MOST_WIDENINGS

  constructor(film: Film, { damaged }: Scan, runs: readonly Run[]) {
    this.#film = film
    this.#damaged = damaged
    this.runs = runs
  }

  /** Widens or gives up the stretch that brought this about. @throws RendererError `unsupported` when none is left */
  refuse({ sample, what }: Unproven): void {
    const run = this.runs.findLast(({ start }) => start <= sample) ?? this.runs[0]
    if (!run) throw new RendererError('crashed', 'pictures changed that nobody touched')
    const wider = this.#widenings-- > 0 ? widened(this.#film, this.#damaged, run) : undefined
    const others = this.runs.filter((other) => other !== run)
    if (wider) {
      this.runs = joinedRuns([...others, wider])
      return
    }
    this.runs = others
    const stretch = { start: this.#film.seconds(run.start), end: this.#film.seconds(run.end) }
    this.left.push({ ...stretch, reason: what })
    if (others.length > 0) return
    const places = this.left.map(
      ({ start, end, reason }) => `from ${start.toFixed(2)} s to ${end.toFixed(2)} s (${reason})`,
    )
    throw new RendererError('unsupported', `new pictures do not fit between the others ${places.join(', ')}`)
  }
}

/** Samples that are shown within these stretches of time. */
function samplesIn(film: Film, ranges: readonly SecondsRange[]): Set<number> {
  const found = new Set<number>()
  const sorted = [...ranges].sort((a, b) => a.start - b.start)
  let next = 0
  for (let rank = 0; rank < film.samples.count && next < sorted.length; rank++) {
    const start = film.seconds(rank)
    while ((sorted[next]?.end ?? Number.POSITIVE_INFINITY) <= start + TOLERANCE) next++
    const range = sorted[next]
    if (range && range.start < film.seconds(rank + 1) - TOLERANCE) found.add(film.sampleAt[rank] ?? 0)
  }
  return found
}

/** Seconds that a time of the report may be rounded by. */
const TOLERANCE = 0.001
