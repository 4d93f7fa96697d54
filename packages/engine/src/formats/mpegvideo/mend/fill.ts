import { writeGroupHead } from '../../../codecs/mpeg12/group-times.ts'
import { B_PICTURE, P_PICTURE } from '../../../codecs/mpeg12/headers.ts'
import { repeatedPicture } from '../../../codecs/mpeg12/repeated-picture.ts'
import { MARK } from '../mark.ts'
import { codedPlace } from '../read/numbers.ts'
import type { CodedPicture } from '../read/picture.ts'
import type { Survey } from '../survey.ts'

/** Bytes of such pictures at most, no more than the file has itself: they are a small part of what was lost. */
const MOST_FILLED = 64 << 20

/**
 * Puts pictures in the place of those that were lost which show once more what is shown before: nothing but their number tells
 * when pictures of such a stream are shown. Where numbers begin anew without a group's header, it gets one. Pictures that are not
 * whole are marked, or with `dropsTorn` left out as if they were lost, but for the first, in front of which nothing is shown.
 * False where so many are said to be missing that not all were made.
 */
export function fillLost(found: Survey, fileBytes: number, dropsTorn: boolean): boolean {
  const { pictures, numbers, edits, drops } = found
  let left = Math.min(fileBytes, MOST_FILLED)
  const begun = new Map(numbers.restarts.map(({ at, time }) => [at, time]))
  /** The last picture that others refer to, by its number. */
  let reference = 0
  for (const [i, picture] of pictures.entries()) {
    const fillers = numbers.lost[i] > 0 && left > 0 ? fillersOf(found, i, reference) : []
    left -= fillers.reduce((sum, { bytes }) => sum + bytes.length, 0)
    for (const { bytes, isOwn } of fillers)
      if (!isOwn) edits.insert(begun.has(i) ? picture.header : picture.start, bytes)
    const time = begun.get(i)
    if (time !== undefined)
      edits.insert(picture.header, writeGroupHead(time, picture.sequence.frameRateCode, drops))
    for (const { bytes, isOwn } of fillers) if (isOwn) edits.insert(picture.header, bytes)
    if (fillers.length > 0) reference = fillers[fillers.length - 1].reference
    if (picture.type !== B_PICTURE) reference = numbers.shown[i]
  }
  for (const [i, picture] of pictures.entries())
    if (picture.torn) mendTorn(picture, (numbers.lost.at(i + 1) ?? 0) > 0, dropsTorn && i > 0, found)
  return left > 0
}

interface Filler {
  readonly bytes: Uint8Array
  /** It is of the same group as the picture behind it. */
  readonly isOwn: boolean
  /** Number of the last picture that others refer to, up to this one. */
  readonly reference: number
}

/** Pictures for those that were lost in front of picture `i`, in the order of coding. */
function fillersOf({ pictures, numbers }: Survey, i: number, before: number): Filler[] {
  const { shown, lost, base, step } = numbers
  const fillers: Filler[] = []
  let reference = before
  let next = codedPlace(pictures, shown, i - 1, step)
  for (let count = 0; count < lost[i]; count++) {
    const isB = next < reference
    const number = isB ? next : reference + step
    const isOwn = number >= base[i]
    const type = isB ? B_PICTURE : P_PICTURE
    const bytes = repeatedPicture(pictures[i].sequence, type, number - (isOwn ? base[i] : base[i - 1]))
    next = isB ? next + 1 : reference + 1
    if (!isB) reference = number
    fillers.push({ bytes, isOwn, reference })
  }
  return fillers
}

/**
 * Marks a torn picture, or leaves it out. What follows a tear is of one that was lost behind it, where nothing else is left of
 * that.
 */
function mendTorn(picture: CodedPicture, isLostBehind: boolean, isDropped: boolean, { edits }: Survey): void {
  const { header, body, end, behindTear, isLed, followed, type, reference, sequence } = picture
  const isOther = isLostBehind && !followed && behindTear >= 0
  if (isDropped || (isOther && !isLed)) {
    picture.isGone = true
    edits.drop(header, end - header)
    edits.insert(header, repeatedPicture(sequence, type === B_PICTURE ? B_PICTURE : P_PICTURE, reference))
    return
  }
  if (isOther) edits.drop(behindTear, end - behindTear)
  edits.insert(body, MARK)
}
