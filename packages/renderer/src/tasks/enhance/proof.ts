import { crc32 } from 'node:zlib'
import type { Frame } from 'node-av/lib'
import { RendererError } from '../../errors.ts'
import { decodeSamples, Film } from './film.ts'
import type { Run } from './runs.ts'
import type { Scan } from './scan.ts'

/** What strict players demand. */
const STRICT = { err_detect: 'crccheck+bitstream+buffer+explode' } as const

/** Where a result is not as it has to be. */
export interface Unproven {
  /** Place of the picture, in decoding order. */
  readonly sample: number
  readonly what: string
}

/** The error of a result that does not hold what it has to. */
export function unfit({ what }: Unproven): RendererError {
  return new RendererError('unsupported', `the new pictures do not fit between the others: ${what}`)
}

/**
 * Decodes the result and compares: every sample gives a picture, those outside the stretches are the original's bit for bit,
 * the stretches decode by themselves without a word of a strict decoder, and all pictures are shown when they were. The first
 * place where one of it does not hold.
 */
export async function prove(
  path: string,
  original: Film,
  before: Scan,
  runs: readonly Run[],
  progress: (fraction: number) => void,
): Promise<Unproven | undefined> {
  const film = Film.open(path)
  try {
    const { count } = film.samples
    if (count !== original.samples.count) return { sample: 0, what: 'another number of pictures' }
    for (let rank = 0; rank < count; rank++)
      if (film.seconds(rank) !== original.seconds(rank))
        return { sample: rank, what: 'another time of a picture' }
    return (
      (await compare(film, before, runs, (part) => progress(0.8 * part))) ??
      (await decodeAlone(film, runs, (part) => progress(0.8 + 0.2 * part)))
    )
  } finally {
    film.close()
  }
}

/** The whole film against what it came from. */
async function compare(
  film: Film,
  before: Scan,
  runs: readonly Run[],
  progress: (fraction: number) => void,
): Promise<Unproven | undefined> {
  const { count } = film.samples
  const encoded = new Uint8Array(count)
  const sums = before.sums.slice()
  for (const { start, end, kept } of runs) {
    encoded.fill(1, start, kept === undefined ? end : end - 1)
    if (kept !== undefined) sums[end - 1] = before.sums[kept] ?? 0
  }
  const shown = new Uint8Array(count)
  const failure = await decode(film, { start: 0, end: count }, {}, (frame, sample, concealed) => {
    shown[sample] = 1
    progress(sample / count)
    if (encoded[sample]) return concealed ? 'an error in a picture' : undefined
    return crc32(frame.toBuffer()) === sums[sample] ? undefined : 'another look of an untouched picture'
  })
  if (failure) return failure
  const missing = shown.indexOf(0)
  return missing < 0 ? undefined : { sample: missing, what: 'a sample without a picture' }
}

/** Each stretch by itself. */
async function decodeAlone(
  film: Film,
  runs: readonly Run[],
  progress: (fraction: number) => void,
): Promise<Unproven | undefined> {
  for (const run of runs) {
    let pictures = 0
    const failure = await decode(film, run, STRICT, (_frame, sample, concealed) => {
      pictures++
      progress(sample / film.samples.count)
      return concealed ? 'an error in a picture' : undefined
    })
    if (failure) return failure
    if (pictures !== run.end - run.start)
      return { sample: run.start, what: 'a picture that strict decoders refuse' }
  }
  return undefined
}

async function decode(
  film: Film,
  { start, end }: Run,
  options: Readonly<Record<string, string>>,
  onPicture: (frame: Frame, sample: number, concealed: boolean) => string | undefined,
): Promise<Unproven | undefined> {
  const decoder = film.decoder(options)
  let failure: Unproven | undefined
  const picture = (frame: Frame, sample: number, concealed: boolean): boolean => {
    const what = onPicture(frame, sample, concealed)
    if (what !== undefined) failure = { sample, what }
    return failure === undefined
  }
  try {
    await decodeSamples(film, start, end, decoder, { picture })
  } finally {
    decoder.close()
  }
  return failure
}
