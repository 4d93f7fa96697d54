import { crc32 } from 'node:zlib'
import type { Frame } from 'node-av/lib'
import { RendererError } from '../../errors.ts'
import { decodeSamples, Film } from './film.ts'
import type { Run } from './runs.ts'
import type { Scan } from './scan.ts'

/** What strict players demand. */
const STRICT = { err_detect: 'crccheck+bitstream+buffer+explode' } as const

/**
 * Decodes the result and compares: every sample gives a picture, those outside the stretches are the original's bit for bit,
 * the stretches decode by themselves without a word of a strict decoder, and all pictures are shown when they were.
 * @throws RendererError `unsupported` when one of it does not hold
 */
export async function prove(
  path: string,
  original: Film,
  before: Scan,
  runs: readonly Run[],
  progress: (fraction: number) => void,
): Promise<void> {
  const film = Film.open(path)
  try {
    const { count } = film.samples
    if (count !== original.samples.count) throw unproven('another number of pictures')
    for (let rank = 0; rank < count; rank++)
      if (film.seconds(rank) !== original.seconds(rank)) throw unproven('another time of a picture')
    const within = new Uint8Array(count)
    for (const { start, end } of runs) within.fill(1, start, end)
    let pictures = 0
    await decode(film, { start: 0, end: count }, {}, (frame, sample, concealed) => {
      pictures++
      if (concealed && within[sample]) throw unproven('an error in a picture')
      if (!within[sample] && crc32(frame.toBuffer()) !== before.sums[sample])
        throw unproven('another look of an untouched picture')
      progress((0.8 * sample) / count)
    })
    if (pictures !== count) throw unproven('fewer pictures than samples')
    for (const run of runs) {
      let strict = 0
      await decode(film, run, STRICT, (_frame, sample, concealed) => {
        strict++
        if (concealed) throw unproven('an error in a picture')
        progress(0.8 + (0.2 * sample) / count)
      })
      if (strict !== run.end - run.start) throw unproven('a picture that strict decoders refuse')
    }
  } finally {
    film.close()
  }
}

async function decode(
  film: Film,
  { start, end }: Run,
  options: Readonly<Record<string, string>>,
  onPicture: (frame: Frame, sample: number, concealed: boolean) => void,
): Promise<void> {
  const decoder = film.decoder(options)
  const picture = (frame: Frame, sample: number, concealed: boolean): boolean => {
    onPicture(frame, sample, concealed)
    return true
  }
  try {
    await decodeSamples(film, start, end, decoder, { picture })
  } finally {
    decoder.close()
  }
}

function unproven(what: string): RendererError {
  return new RendererError('unsupported', `the new pictures do not fit between the others: ${what}`)
}
