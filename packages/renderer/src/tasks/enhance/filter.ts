import { avGetPixFmtName, type Frame } from 'node-av/lib'
import type { EnhanceOutcome } from '../../enhance-result.ts'
import { RendererError } from '../../errors.ts'
import { Graph } from '../../media/graph.ts'
import type { EnhanceOperation } from '../../protocol.ts'
import { StretchEncoder } from './coder.ts'
import { Filler } from './fill.ts'
import { concealNext, decodeSamples, Film } from './film.ts'
import { prove, unfit } from './proof.ts'
import { recipeFor } from './recipes.ts'
import { rewrite } from './rewrite.ts'
import { scan } from './scan.ts'
import { SampleStore, type Stored } from './store.ts'

type FilterOperation = Extract<EnhanceOperation, { kind: 'deflicker' | 'sharpen' }>

/**
 * Encodes all pictures of a film anew through a filter. Key pictures stay where they were, times, sound and everything else too.
 * @throws RendererError `unsupported` when the codec cannot be encoded to fit
 */
export async function filterPictures(
  input: string,
  output: string,
  operation: FilterOperation,
  progress: (fraction: number) => void,
): Promise<EnhanceOutcome> {
  const film = Film.open(input)
  const store = new SampleStore(`${output}.samples`)
  const { count } = film.samples
  try {
    const recipe = recipeFor(film.stream)
    const before = await scan(film, (fraction) => progress(fraction * 0.3))
    const format = avGetPixFmtName(before.shape.format)
    if (!format) throw new RendererError('unsupported', 'pictures of an unknown kind')
    const samples: Stored[] = []
    const encoder = new StretchEncoder(film.stream, recipe, (packet) =>
      samples.push(store.add(recipe.splicer.sample(packet, encoder.configuration))),
    )
    const graph = new Graph(`${filterOf(operation)},format=${format}`)
    const decoder = film.decoder()
    let shown = 0
    const encode = (frame: Frame): void => {
      encoder.encode(frame, shown === 0 || film.isSync(shown))
      shown++
    }
    const filler = new Filler(before.shape, 0, count, (frame, rank) => {
      frame.pts = BigInt(rank)
      graph.push(frame, encode)
    })
    try {
      await decodeSamples(film, 0, count, decoder, {
        before: (sample) => concealNext(decoder, film.isSync(sample)),
        picture: (frame, sample) => {
          filler.offer(frame, film.rank[sample] ?? 0)
          progress(0.3 + (0.4 * sample) / count)
          return !filler.done
        },
      })
      if (!filler.done) filler.finish()
      graph.drain(encode)
      encoder.finish()
    } finally {
      decoder.close()
      filler.close()
      graph.close()
      encoder.close()
    }
    if (samples.length !== count)
      throw new RendererError('unsupported', 'the filter gives another number of pictures')
    const run = { start: 0, end: count, samples }
    rewrite(film, output, [run], recipe, encoder.configuration, store)
    const unproven = await prove(output, film, before, [run], (part) => progress(0.7 + part * 0.3))
    if (unproven) throw unfit(unproven)
    const range = { operation: operation.kind, start: 0, end: film.seconds(count), pictures: count }
    return { changed: [range], left: [] }
  } finally {
    store.close()
    film.close()
  }
}

/** Pictures whose brightness the deflickering compares; flicker of lamps repeats within a few. */
const DEFLICKER_PICTURES = 10

function filterOf(operation: FilterOperation): string {
  if (operation.kind === 'deflicker') return `deflicker=size=${DEFLICKER_PICTURES}:mode=am`
  const luma = (2 * operation.strength).toFixed(2)
  const chroma = (0.5 * operation.strength).toFixed(2)
  return `unsharp=lx=5:ly=5:la=${luma}:cx=3:cy=3:ca=${chroma}`
}
