import type { EnhanceOutcome } from '../../enhance-result.ts'
import { RendererError } from '../../errors.ts'
import { writeSpliced } from '../../iso/splice.ts'
import { type ConstantTime, constantTimes } from '../../iso/times.ts'
import { Film } from './film.ts'

/** Pictures a second that cameras record, as fractions. */
const RATES: readonly (readonly [number, number])[] = [
  [10, 1],
  [12, 1],
  [25, 2],
  [15_000, 1001],
  [15, 1],
  [24_000, 1001],
  [24, 1],
  [25, 1],
  [30_000, 1001],
  [30, 1],
  [48_000, 1001],
  [48, 1],
  [50, 1],
  [60_000, 1001],
  [60, 1],
  [90, 1],
  [100, 1],
  [120_000, 1001],
  [120, 1],
  [200, 1],
  [240_000, 1001],
  [240, 1],
]
/** Share by which a rate told by sound and count may miss the true one, in long recordings. */
const RATE_TOLERANCE = 0.003
/** Pictures by which sound and pictures of a sound recording differ in length. */
const END_PICTURES = 1.5
/** Seconds by which a picture may be off a constant rate: containers that count in milliseconds round. */
const STEADY = 0.0011
/** Ticks a picture has at least, so that other tools find the times fine enough. */
const LEAST_DELTA = 100
const HIGHEST_RATE = 1_000

/**
 * Gives the pictures of a film a constant rate; no sample changes. Without `rate` it is the camera's rate that number of pictures
 * and length of the sound tell.
 * @throws RendererError `unsupported` when they tell none
 */
export async function retime(
  input: string,
  output: string,
  rate: number | undefined,
  progress: (fraction: number) => void,
): Promise<EnhanceOutcome> {
  const film = Film.open(input)
  try {
    const { count } = film.samples
    const [num, den] = rate === undefined ? toldRate(film) : asFraction(rate)
    if (isSteady(film, num / den)) return { changed: [], left: [] }
    const delta = den * Math.ceil(LEAST_DELTA / den)
    const time: ConstantTime = { timescale: (num * delta) / den, delta }
    const { change, movie } = constantTimes(film.iso, film.trak, film.rank, time)
    writeSpliced(film.iso, output, [], change, movie)
    progress(0.8)
    prove(output, film, time)
    const range = { operation: 'retime' as const, start: 0, end: (count * den) / num, pictures: count }
    return { changed: [range], left: [] }
  } finally {
    film.close()
  }
}

function toldRate(film: Film): readonly [number, number] {
  const { count } = film.samples
  const audio = film.input.streams.find(({ kind }) => kind === 'audio')
  const seconds = audio ? Number(audio.stream.duration) * audio.tick : 0
  if (!(seconds > 0))
    throw new RendererError(
      'unsupported',
      'there is no sound whose length tells the true rate of the pictures',
    )
  const measured = count / seconds
  const tolerance = Math.max(RATE_TOLERANCE, END_PICTURES / count)
  const usual = usualRate(film)
  const miss = ([num, den]: readonly [number, number], of: number): number => Math.abs(num / den / of - 1)
  const [best] = RATES.filter((rate) => miss(rate, measured) <= tolerance).sort(
    // Among rates that the sound cannot tell apart, 30 and 29.97, the one most pictures have.
    (a, b) =>
      Number(miss(a, usual) > MATCH) - Number(miss(b, usual) > MATCH) ||
      miss(a, measured) - miss(b, measured),
  )
  if (best) return best
  const shown = `${count} pictures in ${seconds.toFixed(2)} s of sound`
  throw new RendererError('unsupported', `${shown} tell no rate that cameras record`)
}

/** Share by which the distance of most pictures matches a rate. */
const MATCH = 0.0003

/** Pictures a second by the middle distance of neighbours. */
function usualRate(film: Film): number {
  const { count } = film.samples
  const distances = new Float64Array(Math.max(count - 1, 1))
  for (let rank = 0; rank + 1 < count; rank++) distances[rank] = film.seconds(rank + 1) - film.seconds(rank)
  distances.sort()
  return 1 / Math.max(distances[distances.length >> 1] ?? 0, 1e-6)
}

function asFraction(rate: number): readonly [number, number] {
  if (!(rate > 0 && rate <= HIGHEST_RATE))
    throw new RendererError('unsupported', `pictures cannot be shown at ${rate} a second`)
  const known = RATES.find(([num, den]) => Math.abs(num / den - rate) < 0.0005 * rate && den === 1001)
  if (known && !Number.isInteger(rate)) return known
  return [Math.round(rate * 1000), 1000]
}

function isSteady(film: Film, rate: number): boolean {
  for (let rank = 0; rank < film.samples.count; rank++)
    if (Math.abs(film.seconds(rank) - rank / rate) > STEADY) return false
  return true
}

/** Reads the result back. @throws RendererError `unsupported` when its times are not the wanted ones */
function prove(path: string, original: Film, { timescale, delta }: ConstantTime): void {
  const film = Film.open(path)
  try {
    const { count } = film.samples
    let right = count === original.samples.count
    for (let rank = 0; rank < count; rank++)
      right &&= Math.abs(film.seconds(rank) - (rank * delta) / timescale) < 1e-6
    for (let i = 0; i < count; i++) right &&= film.rank[i] === original.rank[i]
    for (const i of [0, count >> 1, count - 1]) right &&= film.read(i).equals(original.read(i))
    if (!right) throw new RendererError('unsupported', 'the new times do not come out as they should')
  } finally {
    film.close()
  }
}
