import { B_PICTURE, REFERENCE_CYCLE } from '../../../codecs/mpeg12/headers.ts'
import type { CodedPicture } from './picture.ts'

/** Signs by which a number is taken for wrong. */
const LEAST_VOTES = 2
/** Pictures whose numbers may be wrong, as a share: more are how an encoder counts. */
const MOST_WRONG = 0.25

/** What a picture's temporal_reference has to be. */
export interface WrongReference {
  readonly picture: CodedPicture
  readonly reference: number
}

/**
 * Pictures whose temporal_reference contradicts those around: a picture that others refer to, the B pictures that come behind it
 * and are shown in front of it, and what comes before and behind them count on, ITU-T H.262 (02/2012) §6.3.9.
 */
export function wrongReferences(pictures: readonly CodedPicture[]): WrongReference[] {
  const wrong: WrongReference[] = []
  for (let at = 0; at < pictures.length; ) {
    let end = at + 1
    while (end < pictures.length && pictures[end].type === B_PICTURE && joins(pictures, end)) end++
    const first = firstShown(pictures, at, end)
    for (let i = at; first !== undefined && i < end; i++) {
      if (pictures[at].type === B_PICTURE) break
      const reference = cycled(i === at ? first + end - at - 1 : first + i - at - 1)
      const isKnown = i > at || joins(pictures, end)
      if (isKnown && pictures[i].reference !== reference) wrong.push({ picture: pictures[i], reference })
    }
    at = end
  }
  return wrong.length > pictures.length * MOST_WRONG ? [] : wrong
}

/** Whether nothing is missing between a picture and the one before, and both are of one group. */
function joins(pictures: readonly CodedPicture[], i: number): boolean {
  return i > 0 && i < pictures.length && !pictures[i].suspect && pictures[i].group === pictures[i - 1].group
}

/**
 * The number of the picture shown first of those in [at, end), as most of them and of what is around say; undefined where they do
 * not agree.
 */
function firstShown(pictures: readonly CodedPicture[], at: number, end: number): number | undefined {
  const votes = new Map<number, number>()
  const vote = (number: number): void => {
    const cycle = cycled(number)
    votes.set(cycle, (votes.get(cycle) ?? 0) + 1)
  }
  for (let i = at + 1; i < end; i++) vote(pictures[i].reference - (i - at - 1))
  if (joins(pictures, end)) {
    vote(pictures[at].reference - (end - at - 1))
    const follows = pictures.at(end + 1)
    const isLed = follows?.type === B_PICTURE
    if (!isLed) vote(pictures[end].reference - (end - at))
    if (follows && joins(pictures, end + 1)) vote(follows.reference - (end - at) - (isLed ? 0 : 1))
  }
  if (joins(pictures, at)) {
    let before = at - 1
    while (before > 0 && pictures[before].type === B_PICTURE && joins(pictures, before)) before--
    vote(pictures[before].reference + 1)
  }
  const [most, next] = [...votes].sort((a, b) => b[1] - a[1])
  return most && most[1] >= LEAST_VOTES && most[1] > (next?.[1] ?? 0) ? most[0] : undefined
}

function cycled(number: number): number {
  return ((number % REFERENCE_CYCLE) + REFERENCE_CYCLE) % REFERENCE_CYCLE
}
