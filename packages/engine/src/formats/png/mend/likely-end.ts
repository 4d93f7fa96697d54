import { LOST, RECOVERED } from '../../../photo/picture/picture.ts'
import type { CheckedFrame } from '../read/check-frame.ts'
import type { Header } from '../read/header.ts'
import { passesOf } from '../read/rows.ts'
import { pixelStep, unfiltered } from './unfilter.ts'

/** Rows in front by which it is told how much a row usually differs from the one above. */
const USUAL_ROWS = 16
/** How many times as much, and levels besides, speak against a pixel. */
const TIMES = 3
const GROUND = 4
/** Levels from which on a difference counts no more. */
const MOST = 64

/**
 * Up to where the rows between `row` and `fault`, of which the last ones were read out of step, are like the picture above them:
 * an offset of the inflated data. Rows of an interlaced picture are not looked at.
 */
export function likelyEnd(
  { frame, passes, plain }: CheckedFrame,
  header: Header,
  row: number,
  fault: number,
): number {
  const [{ stride }] = passes
  if (header.interlaced || header.depth < 8 || fault <= row) return row
  const first = Math.floor(row / stride)
  const top = Math.max(0, first - USUAL_ROWS)
  const rows = Math.min(frame.height, Math.ceil(fault / stride)) - top
  const part = { ...header, height: rows }
  const data = plain.bytes.subarray(top * stride, (top + rows) * stride)
  const states = new Uint8Array(data.length).fill(RECOVERED)
  states.fill(LOST, Math.min(data.length, fault - top * stride))
  // the first of these rows has nothing above it, and differs whatever it holds
  const { pixels } = unfiltered({ bytes: data, states }, part, passesOf(part), frame.width, rows)
  const width = stride - 1
  const difference = (y: number, i: number): number =>
    Math.min(MOST, Math.abs(pixels[y * width + i] - pixels[(y - 1) * width + i]))
  let sum = 0
  let count = 0
  for (let y = 1; y < first - top; y++) for (let i = 0; i < width; i++, count++) sum += difference(y, i)
  if (count === 0) return row
  const bar = TIMES * (sum / count) + GROUND
  let likely = row
  let best = 0
  let score = 0
  for (let at = row; at < fault; at++) {
    const i = (at % stride) - 1
    if (i < 0) continue
    score += bar - difference(Math.floor(at / stride) - top, i)
    if (score <= best) continue
    best = score
    if ((i + 1) % pixelStep(header) === 0) likely = at + 1
  }
  return likely
}
