import { randomUUID } from 'node:crypto'
import { rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { asRecord, list, number, text } from './answers.ts'
import { ENHANCEMENTS, type EnhancedRange, type EnhanceOutcome, type LeftRange } from './enhance-result.ts'
import { RendererError } from './errors.ts'
import type { EnhanceOperation, SecondsRange, Task } from './protocol.ts'
import { type RunOptions, runTask } from './run.ts'

export interface EnhanceOperations {
  /**
   * Encodes anew only the stretches that hold damaged pictures, with the damage concealed. Damaged pictures are those the
   * decoder complains about and those within `ranges`.
   */
  readonly conceal?: { readonly ranges: readonly SecondsRange[] }
  /** Evens out the brightness of neighbouring pictures; encodes all pictures anew. */
  readonly deflicker?: boolean
  /** Sharpens; a number from 0 (nothing) to 1 (strong), true for 0.5; encodes all pictures anew. */
  readonly sharpen?: boolean | number
  /**
   * Gives the pictures a constant rate; encodes nothing. Without `rate` (pictures a second) it is what the number of
   * pictures and the length of the sound tell.
   */
  readonly retime?: { readonly rate?: number }
}

export interface EnhanceRequest extends RunOptions {
  readonly input: string
  /** Appears, complete, when something was changed. */
  readonly output: string
  readonly operations: EnhanceOperations
}

export interface EnhanceResult {
  /** What was changed, in the order it was done. Empty when there was nothing to change: then there is no output. */
  readonly changed: readonly EnhancedRange[]
  /** What could not be changed so that it fits, beside what was. */
  readonly left: readonly LeftRange[]
}

const DEFAULT_STRENGTH = 0.5
/** Characters kept of the output's name in a passing one: file systems allow 255 bytes in all. */
const NAME_PART = 40

/**
 * Changes the pictures of a recording of the MP4 and QuickTime family, or their times, in ways a repair does not. Sound, other
 * tracks and everything the operations do not name keep their bytes; pictures keep their times unless retimed. The result
 * of each operation is decoded and compared with what it came from before it counts.
 * @throws RendererError `unsupported` when an operation cannot be done exactly; then nothing is written
 */
export async function enhance(request: EnhanceRequest): Promise<EnhanceResult> {
  const { onProgress, input, output, operations, ...limits } = request
  const wanted = listOperations(operations)
  const base = join(dirname(output), `.${basename(output).slice(0, NAME_PART)}.${randomUUID()}`)
  const changed: EnhancedRange[] = []
  const left: LeftRange[] = []
  const passing: string[] = []
  let current = input
  try {
    for (const [index, operation] of wanted.entries()) {
      const next = `${base}.${index}.part`
      passing.push(next)
      const task: Task = { task: 'enhance', input: current, output: next, operation }
      const onPart = (part: number): void => onProgress?.((index + part) / wanted.length)
      const outcome = readOutcome(await runTask(task, { ...limits, onProgress: onPart }))
      if (outcome.changed.length > 0) current = next
      changed.push(...outcome.changed)
      left.push(...outcome.left)
    }
    if (current !== input) await rename(current, output)
    return { changed, left }
  } finally {
    for (const path of passing) await rm(path, { force: true })
  }
}

/** In the order that makes sense: sound pictures first, then their light, then their edges, then their times. */
function listOperations({ conceal, deflicker, sharpen, retime }: EnhanceOperations): EnhanceOperation[] {
  const wanted: EnhanceOperation[] = []
  if (conceal) wanted.push({ kind: 'conceal', ranges: conceal.ranges })
  if (deflicker) wanted.push({ kind: 'deflicker' })
  const strength = sharpen === true ? DEFAULT_STRENGTH : sharpen || 0
  if (strength > 0) wanted.push({ kind: 'sharpen', strength: Math.min(strength, 1) })
  if (retime) wanted.push({ kind: 'retime', rate: retime.rate })
  return wanted
}

function readOutcome(value: unknown): EnhanceOutcome {
  const { changed, left } = asRecord(value)
  return { changed: list(changed).map(readChanged), left: list(left).map(readLeft) }
}

function readChanged(value: unknown): EnhancedRange {
  const { operation, start, end, pictures } = asRecord(value)
  const known = ENHANCEMENTS.find((name) => name === operation)
  if (!known) throw new RendererError('crashed', 'the media process answered nonsense')
  return { operation: known, start: number(start), end: number(end), pictures: number(pictures) }
}

function readLeft(value: unknown): LeftRange {
  const { start, end, reason } = asRecord(value)
  return { start: number(start), end: number(end), reason: text(reason) }
}
