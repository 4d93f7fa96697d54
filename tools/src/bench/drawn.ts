import { drawFrom } from '../media/draw.ts'
import { drawnRecipe } from '../media/drawn.ts'
import type { Damages } from './damage.ts'
import { drawnDamage } from './drawn-damage.ts'
import type { Media } from './media.ts'
import { type Recording, recordingFrom } from './recordings.ts'

/** One recording and its one damage, both drawn by lot. */
export interface DrawnCase {
  readonly name: string
  readonly damages: Damages
  readonly open: (needsOther: boolean) => Promise<Recording>
}

/** What is not left to the lot. */
export interface Given {
  readonly folder: string
  /** Seconds of every recording. */
  readonly seconds?: number
  /** Pixels of every recording but those of codecs that know few sizes. */
  readonly width?: number
  readonly height?: number
  /** Tracks of sound of every sample. */
  readonly sampleSounds?: number | undefined
  /** What every recording is read by. */
  readonly media?: Media | undefined
}

/**
 * The cases with the numbers `FIRST-LAST` (or a single one), as drawn but for what is given. The sample is drawn, too: calm,
 * alike, or none.
 * @throws Error when that is no range of numbers
 */
export function drawnCases(range: string, { folder, sampleSounds, media, ...given }: Given): DrawnCase[] {
  const [, first, last] = /^(\d+)(?:-(\d+))?$/.exec(range) ?? []
  if (first === undefined) throw new Error(`not a range of numbers: ${range}`)
  const from = Number(first)
  const count = last === undefined ? 1 : Number(last) - from + 1
  return Array.from({ length: count }, (_, index) => {
    const number = from + index
    const { recipe, shape } = drawnRecipe(number, given)
    const damage = drawnDamage(number)
    const sample = drawFrom(number + 0.25).weighted({ 'calm-sample': 6, 'like-sample': 2, none: 2 })
    const name = `${number} ${recipe.about}, ${sample}`
    return {
      name,
      damages: { [damage.about]: damage },
      open: (needsOther) =>
        recordingFrom(
          name,
          `drawn-${number}`,
          recipe,
          { ...shape, folder, sample, sampleSounds, media },
          needsOther,
        ),
    }
  })
}
