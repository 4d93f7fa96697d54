import type { Doubt } from '../../../model/doubt.ts'
import type { Movie } from '../read/movie.ts'
import type { RecoveredTrack } from './index/surviving-index.ts'

/** The tracks to be written and how they came about. */
export interface Recovery {
  readonly movie: Movie
  readonly tracks: readonly RecoveredTrack[]
  readonly sampleUsed: readonly string[]
  /** Why some sample whose bytes survive may not be among them, or not at its time; none where nothing speaks for that. */
  readonly doubts: readonly Doubt[]
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
