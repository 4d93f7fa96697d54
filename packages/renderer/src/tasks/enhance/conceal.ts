import type { EnhancedRange } from '../../enhance-result.ts'
import { RendererError } from '../../errors.ts'
import type { SecondsRange } from '../../protocol.ts'
import { StretchEncoder } from './coder.ts'
import { Filler } from './fill.ts'
import { CONCEALING, decodeSamples, Film } from './film.ts'
import { prove } from './proof.ts'
import { type Recipe, recipeFor } from './recipes.ts'
import { type NewRun, rewrite } from './rewrite.ts'
import { damagedRuns, isEntry, type Run } from './runs.ts'
import { type Scan, scan } from './scan.ts'
import { SampleStore } from './store.ts'

/** Decoders that wait longer than this many pictures after a stretch are not waited for. */
const AFTER = 64
/**
 * Encodes the damaged stretches of a film anew, with what is damaged concealed, and copies everything else bit for bit. Nothing is
 * written when nothing is damaged.
 * @throws RendererError `unsupported` when the new samples cannot be made to fit exactly
 */
export async function conceal(
  input: string,
  output: string,
  ranges: readonly SecondsRange[],
  progress: (fraction: number) => void,
): Promise<EnhancedRange[]> {
  const film = Film.open(input)
  const store = new SampleStore(`${output}.samples`)
  try {
    const before = await scan(film, (fraction) => progress(fraction * 0.4))
    const untrusted = samplesIn(film, ranges)
    for (const sample of untrusted) before.damaged[sample] = 1
    const runs = damagedRuns(film, before.damaged)
    if (runs.length === 0) return []
    const recipe = recipeFor(film.stream)
    const work = new Concealer(film, before, untrusted, recipe, store)
    const made: NewRun[] = []
    for (const run of runs) {
      made.push(await work.encode(run))
      progress(0.4 + (0.2 * run.end) / film.samples.count)
    }
    rewrite(film, output, made, recipe, work.configuration, store)
    await prove(output, film, before, runs, (fraction) => progress(0.6 + fraction * 0.4))
    return runs.map(({ start, end }) => ({
      operation: 'conceal',
      start: film.seconds(start),
      end: film.seconds(end),
      pictures: end - start,
    }))
  } finally {
    store.close()
    film.close()
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

class Concealer {
  configuration: Buffer = Buffer.alloc(0)
  readonly #film: Film
  readonly #scan: Scan
  readonly #untrusted: ReadonlySet<number>
  readonly #recipe: Recipe
  readonly #store: SampleStore

  constructor(film: Film, before: Scan, untrusted: ReadonlySet<number>, recipe: Recipe, store: SampleStore) {
    this.#film = film
    this.#scan = before
    this.#untrusted = untrusted
    this.#recipe = recipe
    this.#store = store
  }

  /** Decodes a stretch with what leads to it and follows it, and encodes one picture for each of its samples. */
  async encode(run: Run): Promise<NewRun> {
    const film = this.#film
    const samples: NewRun['samples'][number][] = []
    const encoder = new StretchEncoder(film.stream, this.#recipe, (packet) =>
      samples.push(this.#store.add(this.#recipe.splicer.sample(packet, encoder.configuration))),
    )
    const filler = new Filler(this.#scan.shape, run.start, run.end, (frame, rank) =>
      encoder.encode(frame, rank === run.start || film.isSync(rank)),
    )
    const decoder = film.decoder(CONCEALING)
    try {
      const to = Math.min(run.end + AFTER, film.samples.count)
      await decodeSamples(film, this.#lead(run), to, decoder, {
        picture: (frame, sample, concealed) => {
          // A picture of damaged bytes without an error that shows is not known to be wrong in some place only.
          if (!this.#untrusted.has(sample) || concealed) filler.offer(frame, film.rank[sample] ?? 0)
          return !filler.done
        },
      })
      if (!filler.done) filler.finish()
      encoder.finish()
      this.configuration = encoder.configuration
    } finally {
      decoder.close()
      filler.close()
      encoder.close()
    }
    if (samples.length !== run.end - run.start)
      throw new RendererError('unsupported', 'the encoder gives another number of samples')
    return { ...run, samples }
  }

  /** Where decoding starts so that the pictures before the stretch are at hand. */
  #lead(run: Run): number {
    for (let sample = run.start - 1; sample > 0; sample--) {
      if (!this.#scan.damaged[sample] && isEntry(this.#film, sample)) return sample
    }
    return 0
  }
}
