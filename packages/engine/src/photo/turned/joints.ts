import type { Section } from '../reading/pieces.ts'
import type { McuStream } from '../reading/read-stream.ts'

/** Usual MCUs between what ends and what goes on at most, where one turned bit may be the cause. */
const MOST_APART = 64
/** Joints looked at: with more than these no single bits are to blame. */
const MOST_JOINTS = 128

/**
 * A place where reading lost its way or a value of DC: MCUs of the stream in front of `stop` are right, those from `next` on go
 * on behind.
 */
export interface Joint {
  readonly stop: number
  readonly next: number
  /** The first MCU that is in line with those in front of the joint, and the one behind the last that is with those behind it. */
  readonly first: number
  readonly end: number
  /** MCUs between were read without a break. */
  readonly unbroken: boolean
  /** The number in the stream, and the first bit, of the MCU behind the last one of the run that ends. */
  readonly brokenAt: number
  readonly brokenBit: number
}

/** Places where sections of a stream, in its order, meet that few bits part. */
export function jointsOf(sections: readonly Section[], { runs, starts, usualBits }: McuStream): Joint[] {
  const joints: Joint[] = []
  /** The last section that began otherwise than by a step of DC, and the end of those that do behind it. */
  let line = sections[0]
  let run = 0
  for (let i = 1; i < sections.length && joints.length < MOST_JOINTS; i++) {
    const before = sections[i - 1]
    const behind = sections[i]
    const stop = before.first + before.count
    const next = behind.first
    const { first: lineStart } = line
    if (!behind.free) line = behind
    if (next < stop || starts[next] - starts[stop - 1] > MOST_APART * usualBits) continue
    while (run < runs.length && runs[run].first + runs[run].count < stop) run++
    const { first, count, endBit } = runs[run]
    joints.push({
      stop,
      next,
      first: lineStart,
      end: endOfLine(sections, i),
      unbroken: next < first + count,
      brokenAt: first + count,
      brokenBit: endBit,
    })
  }
  return joints
}

/** The MCU behind the last one that is in line with a section: steps of DC cut sections, and no more. */
function endOfLine(sections: readonly Section[], index: number): number {
  let last = sections[index]
  for (let i = index + 1; i < sections.length && sections[i].free; i++) last = sections[i]
  return last.first + last.count
}
