import type { EnhancementReport } from '@mendframe/engine'
import type { ComparedPicture } from './compare.ts'

/** What concealment came to in one case. */
export interface Rating {
  readonly outcome: EnhancementReport['outcome'] | 'none'
  readonly reason: string | undefined
  /** Pictures that were encoded anew. */
  readonly changed: number
  /** Pictures that are visibly broken before, and afterwards outside of what was changed. */
  readonly broken: number
  readonly missed: number
  /** Pictures outside of what was changed that do not look as before. */
  readonly touched: number
  /** Decibels of the changed pictures against the original: as a player conceals them, and as they were concealed. */
  readonly player: number
  readonly concealed: number
}

export interface ConcealResult {
  readonly number: number
  readonly codec: string
  readonly damage: string
  readonly verdict: string
  readonly rating: Rating
}

/** Mean difference in a block from which on an eye sees that it is broken, of 255. */
const VISIBLE = 12
const BEST = 99

export function ratingOf(
  pictures: readonly ComparedPicture[],
  report: EnhancementReport | undefined,
): Rating {
  const [first] = pictures
  const isChanged = ({ time }: ComparedPicture): boolean =>
    report?.ranges.some(({ start, end }) => {
      const seconds = time - (first?.time ?? 0)
      return seconds > start - 0.002 && seconds < end - 0.002
    }) ?? false
  const changed = pictures.filter(isChanged)
  const others = pictures.filter((picture) => !isChanged(picture))
  const mean = (which: 0 | 1): number =>
    changed.reduce((sum, { errors }) => sum + errors[which].square, 0) / Math.max(changed.length, 1)
  return {
    outcome: report?.outcome ?? 'none',
    reason: report?.reason,
    changed: changed.length,
    broken: pictures.filter(({ errors }) => errors[0].worst > VISIBLE).length,
    missed: others.filter(({ errors }) => errors[1].worst > VISIBLE).length,
    touched: others.filter(({ alike }) => !alike).length,
    player: decibels(mean(0)),
    concealed: decibels(mean(1)),
  }
}

function decibels(square: number): number {
  return square === 0 ? BEST : Math.min(BEST, 10 * Math.log10(255 ** 2 / square))
}

/** Applied everywhere, or there was nothing to see. */
export function isRight({ outcome, reason, broken }: Rating): boolean {
  return (outcome === 'applied' && reason === undefined) || (outcome === 'unneeded' && broken === 0)
}

const COLUMNS = [
  'case',
  'codec',
  'damage',
  'verdict',
  'outcome',
  'broken',
  'changed',
  'missed',
  'touched',
  'player',
  'concealed',
]
const WIDTHS = [4, 6, 12, 9, 9, 6, 7, 6, 7, 6, 9]

export const HEADER = row(COLUMNS)

export function lineOf({ number, codec, damage, verdict, rating }: ConcealResult): string {
  const { outcome, broken, changed, missed, touched, player, concealed, reason } = rating
  const figures = [broken, changed, missed, touched]
  const values = changed > 0 ? [player.toFixed(1), concealed.toFixed(1)] : ['', '']
  const cells = [number, codec, damage, verdict, outcome, ...figures, ...values]
  return [row(cells.map(String)), isRight(rating) ? '' : 'wrong', reason ?? ''].filter(Boolean).join('  ')
}

function row(cells: readonly string[]): string {
  return cells.map((cell, index) => cell.padEnd(WIDTHS[index] ?? 0)).join('  ')
}

export function summaryOf(results: readonly ConcealResult[]): string {
  const codecs = [...new Set(results.map(({ codec }) => codec))]
  return [...codecs, 'all'].map((codec) => summaryLine(codec, results)).join('\n')
}

function summaryLine(codec: string, results: readonly ConcealResult[]): string {
  const of = results.filter((result) => codec === 'all' || result.codec === codec)
  const applied = of.filter(({ rating }) => rating.changed > 0)
  const mean = (value: (rating: Rating) => number): string =>
    (applied.reduce((sum, { rating }) => sum + value(rating), 0) / Math.max(applied.length, 1)).toFixed(2)
  const right = of.filter(({ rating }) => isRight(rating)).length
  const missed = of.filter(({ rating }) => rating.missed > 0).length
  const touched = of.reduce((sum, { rating }) => sum + rating.touched, 0)
  const worse = applied.filter(({ rating }) => rating.concealed < rating.player).length
  return (
    `${codec.padEnd(6)} applied or unneeded ${right}/${of.length}, broken pictures left in ${missed}, untouched pictures changed ${touched}, ` +
    `player ${mean(({ player }) => player)} dB, concealed ${mean(({ concealed }) => concealed)} dB, worse in ${worse}/${applied.length}`
  )
}
