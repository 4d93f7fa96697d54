import type { InputFile, Probe } from '../format.ts'
import { guessLayout } from './read/layout.ts'

/** Packets in a row from which chance is out of the question. */
const LONG_ROW = 16
const CERTAIN = 95
const LIKELY = 60
/** What a row between foreign bytes is worth. */
const SOME = 45
const SOME_SHARE = 0.02

/** Judges by rows of transport packets in windows from head to tail. */
export function probe({ reader }: InputFile): Probe {
  const guess = guessLayout(reader)
  if (!guess) return { score: 0, reasons: ['no rows of transport packets'] }
  const { layout, share, longest } = guess
  const reasons = [
    `rows of ${layout.size}-byte packets, the longest of ${longest}, over ${Math.round(share * 100)}%`,
  ]
  if (longest < LONG_ROW) return { score: share > 0.5 ? LIKELY : share > SOME_SHARE ? SOME : 15, reasons }
  return { score: share > 0.5 ? CERTAIN : share > SOME_SHARE ? LIKELY : SOME, reasons }
}
