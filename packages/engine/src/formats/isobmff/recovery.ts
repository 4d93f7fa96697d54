import type { Movie } from './movie.ts'
import type { Region } from './regions.ts'
import type { RecoveredTrack } from './strategies/surviving-index.ts'

/** The tracks to be written and how they came about. */
export interface Recovery {
  readonly movie: Movie
  readonly tracks: readonly RecoveredTrack[]
  readonly sampleUsed: readonly string[]
  /** Why some sample whose bytes survive may not be among them, or not at its time; none where nothing speaks for that. */
  readonly doubts: readonly Doubt[]
}

/** What may keep a repair from being complete, in plain sentences. */
export const DOUBT = {
  indexCut: 'The index breaks off: it may have named more than was found.',
  indexHit: 'The index was hit, and nothing proves that it still names all that is there.',
  indexLossy: 'Hits in the index cost much of a track, which may survive unseen.',
  unexplained: 'Parts of the media data belong to nothing that was found.',
  missing: 'A track of the recording was not found.',
  further: 'Tracks that the sample does not have were found by their bytes alone.',
  encrypted: 'Encrypted tracks without their index were left out.',
  ends: 'Where packets end was estimated: nothing in them tells.',
  times: 'When some pictures or sounds were recorded was estimated.',
  assumed: 'Facts about the recording that nothing in it tells were assumed.',
  others: 'Further recordings in the file have other settings and were left out.',
} as const

export type Doubt = (typeof DOUBT)[keyof typeof DOUBT]

/** Those doubts that hold. */
export function doubtsThat(holds: { readonly [name in keyof typeof DOUBT]?: boolean }): Doubt[] {
  return (Object.keys(holds) as (keyof typeof DOUBT)[])
    .filter((name) => holds[name])
    .map((name) => DOUBT[name])
}

export type Strategies = { name: string; outcome: string }[]

/** Share of the payload that may stay unexplained in a repair called complete. */
const UNEXPLAINED_SHARE = 0.005

/** True when so few bytes of the payload stay unexplained that nothing of note can hide in them. */
export function explainsPayload(unexplained: number, payload: readonly Region[]): boolean {
  return unexplained <= payload.reduce((sum, region) => sum + region.length, 0) * UNEXPLAINED_SHARE
}

/** One line of what each track's strategy found. */
export function summary(tracks: readonly RecoveredTrack[]): string {
  return tracks
    .map(({ plan, outcome }) => {
      const { codec } = plan.template.description
      return `${codec}: ${outcome.recovered} recovered, ${outcome.damaged} damaged, ${outcome.lost} lost`
    })
    .join('; ')
}
