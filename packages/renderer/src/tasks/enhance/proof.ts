import { crc32 } from 'node:zlib'
import { RendererError } from '../../errors.ts'
import { decodeSamples, Film } from './film.ts'
import type { Run } from './runs.ts'
import type { Scan } from './scan.ts'

/** What strict players demand. */
const STRICT = { err_detect: 'crccheck+bitstream+buffer+explode' } as const

/**
 * Decodes the result and compares: every sample gives a picture without an error, the pictures outside the stretches are
 * those of the original bit for bit, and all are shown when they were.
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
    const decoder = film.decoder(STRICT)
    let pictures = 0
    try {
      await decodeSamples(film, 0, count, decoder, {
        picture: (frame, sample, concealed) => {
          pictures++
          if (concealed) throw unproven('an error in a picture')
          if (!within[sample] && crc32(frame.toBuffer()) !== before.sums[sample])
            throw unproven('another look of an untouched picture')
          progress(sample / count)
          return true
        },
        refused: () => {
          throw unproven('a picture that decoders refuse')
        },
      })
    } finally {
      decoder.close()
    }
    if (pictures !== count) throw unproven('fewer pictures than samples')
  } finally {
    film.close()
  }
}

function unproven(what: string): RendererError {
  return new RendererError('unsupported', `the new pictures do not fit between the others: ${what}`)
}
