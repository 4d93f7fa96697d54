import type { Frame } from 'node-av/lib'
import { RendererError } from '../../errors.ts'
import { StretchEncoder } from './coder.ts'
import { type Film, waysOf } from './film.ts'
import { Grid } from './grid.ts'
import { BESIDE, costOf, decodePart, freeSides, type Measured, measure, type Part } from './measure.ts'
import { Mender } from './mend.ts'
import type { Recipe } from './recipes.ts'
import type { NewRun } from './rewrite.ts'
import { isEntry, type Run } from './runs.ts'
import type { Scan } from './scan.ts'
import type { SampleStore } from './store.ts'
import { originsOf, stretchesIn } from './taint.ts'

/** Another way than the library's own is taken where its cost, in mean squares, is lower by this much and this share. */
const CLEARLY = 0.9
const NOTICEABLE = 1

export function isClearlyLower(cost: number, than: number): boolean {
  return cost < than * CLEARLY - NOTICEABLE
}

/** Encodes stretches of a film with what is damaged in them concealed. */
export class Concealer {
  configuration: Buffer = Buffer.alloc(0)
  readonly recipe: Recipe
  readonly #film: Film
  readonly #scan: Scan
  readonly #origins: Int32Array
  readonly #store: SampleStore
  readonly #made = new Map<string, NewRun>()

  constructor(film: Film, before: Scan, recipe: Recipe, store: SampleStore) {
    this.#film = film
    this.#scan = before
    this.#origins = originsOf(film, before.damaged)
    this.recipe = recipe
    this.#store = store
  }

  /**
   * Decodes a stretch with what leads to it and follows it, and encodes one picture for each of its samples but the one that is
   * kept.
   */
  async encode(run: Run): Promise<NewRun> {
    const key = `${run.start} ${run.end} ${run.kept}`
    const known = this.#made.get(key)
    if (known) return known
    const made = await this.#encode(run)
    this.#made.set(key, made)
    return made
  }

  async #encode(run: Run): Promise<NewRun> {
    const film = this.#film
    const { splicer } = this.recipe
    const packets: Buffer[] = []
    const samples: NewRun['samples'][number][] = []
    const last = run.kept === undefined ? run.end : run.end - 1
    const encoder = new StretchEncoder(film.stream, this.recipe, (packet) => {
      // the last one waits: it may have to say that it is
      const before = packets.pop()
      if (before) samples.push(this.#store.add(before))
      packets.push(splicer.sample(packet, encoder.configuration))
    })
    try {
      await this.#decode(run, last, (frame, rank) =>
        encoder.encode(frame, rank === run.start || film.isSync(rank)),
      )
      encoder.finish()
      this.configuration = encoder.configuration
    } finally {
      encoder.close()
    }
    const [end] = packets
    if (end) samples.push(this.#store.add(run.kept === undefined ? end : (splicer.ended?.(end) ?? end)))
    if (run.kept !== undefined) samples.push(this.#store.add(film.read(run.kept)))
    if (samples.length !== run.end - run.start)
      throw new RendererError('unsupported', 'the encoder gives another number of samples')
    return { ...run, samples }
  }

  /** Pictures for all places of a stretch: decoded in the way that shows the fewest errors, and mended from sound neighbours. */
  async #decode(run: Run, last: number, onPicture: (frame: Frame, rank: number) => void): Promise<void> {
    const film = this.#film
    const { shape } = this.#scan
    const { count } = film.samples
    const lead = this.#lead(run)
    const [from, to] = [Math.max(lead, run.start - BESIDE), Math.min(count, run.end + BESIDE)]
    const part: Part = {
      ...{ film, shape, lead, from, to, origins: this.#origins },
      stretches: stretchesIn(film, this.#origins, run.start, last),
      grid: new Grid(shape.width, shape.height, to - from),
    }
    const best = await this.#best(part)
    try {
      const mender = new Mender(part, best)
      await decodePart(part, best.way, run.start, last, (frame, rank) => {
        const mended = mender.mended(frame, rank)
        onPicture(mended, rank)
        if (mended !== frame) mended.free()
      })
    } finally {
      freeSides(best.sides)
    }
  }

  /** The library's own way, unless another one shows clearly fewer errors. */
  async #best(part: Part): Promise<Measured> {
    let best: { measured: Measured; cost: number } | undefined
    for (const way of waysOf(part.film)) {
      const measured = await measure(part, way)
      const cost = costOf(measured, part)
      const isBetter = !best || isClearlyLower(cost, best.cost)
      const worse = isBetter ? best?.measured : measured
      if (worse) freeSides(worse.sides)
      if (isBetter) best = { measured, cost }
    }
    if (!best) throw new RendererError('crashed', 'there is no way of decoding')
    return best.measured
  }

  /** Where decoding starts so that the pictures before the stretch are at hand. */
  #lead(run: Run): number {
    for (let sample = run.start - 1; sample > 0; sample--) {
      if (!this.#scan.damaged[sample] && isEntry(this.#film, sample)) return sample
    }
    return 0
  }
}
