import { RendererError } from '../../errors.ts'
import { StretchEncoder } from './coder.ts'
import { Filler } from './fill.ts'
import { concealNext, decodeSamples, type Film } from './film.ts'
import type { Recipe } from './recipes.ts'
import type { NewRun } from './rewrite.ts'
import { isEntry, type Run } from './runs.ts'
import type { Scan } from './scan.ts'
import type { SampleStore } from './store.ts'

/** Decoders that wait longer than this many pictures after a stretch are not waited for. */
const AFTER = 64

/** Encodes stretches of a film with what is damaged in them concealed. */
export class Concealer {
  configuration: Buffer = Buffer.alloc(0)
  readonly recipe: Recipe
  readonly #film: Film
  readonly #scan: Scan
  /** Samples whose bytes are known to be damaged: where no decoder says so, what they show is not known to be wrong in some place only. */
  readonly #untrusted: ReadonlySet<number>
  readonly #store: SampleStore
  readonly #made = new Map<string, NewRun>()

  constructor(film: Film, before: Scan, untrusted: ReadonlySet<number>, recipe: Recipe, store: SampleStore) {
    this.#film = film
    this.#scan = before
    this.#untrusted = untrusted
    this.recipe = recipe
    this.#store = store
  }

  /** Decodes a stretch with what leads to it and follows it, and encodes one picture for each of its samples but the one that is kept. */
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
    const filler = new Filler(this.#scan.shape, run.start, last, (frame, rank) =>
      encoder.encode(frame, rank === run.start || film.isSync(rank)),
    )
    const decoder = film.decoder()
    try {
      const to = Math.min(run.end + AFTER, film.samples.count)
      await decodeSamples(film, this.#lead(run), to, decoder, {
        before: (sample) => concealNext(decoder, film.isSync(sample)),
        picture: (frame, sample, concealed) => {
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
    const [end] = packets
    if (end) samples.push(this.#store.add(run.kept === undefined ? end : (splicer.ended?.(end) ?? end)))
    if (run.kept !== undefined) samples.push(this.#store.add(film.read(run.kept)))
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
