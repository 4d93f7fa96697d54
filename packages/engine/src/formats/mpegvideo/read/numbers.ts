import { B_PICTURE, REFERENCE_CYCLE } from '../../../codecs/mpeg12/headers.ts'
import type { CodedPicture } from './picture.ts'

/** Pictures a hole may have cost at most: more are wrong numbers rather. */
const MOST_LOST = 10_000
/** Pictures whose numbers may contradict the order of coding, as a share: those of hit ones do. */
const MOST_ODD = 0.02
/** Time codes that may disagree with the pictures counted, as a share of those that agree. */
const DISAGREEING = 0.1

/** When pictures are shown, and how many were lost in front of each. */
export interface Numbers {
  /** Number of each in the order of display, from the first group's first one. */
  readonly shown: Float64Array
  /** Pictures that are missing right in front of each, in the order of coding. */
  readonly lost: Uint32Array
  /** Number of the first picture of each one's group. */
  readonly base: Float64Array
  /** From one picture that others refer to to the next, in the order of display. */
  readonly step: number
  /** Places of pictures at which numbers begin anew though no group's header is there, with what its time code were. */
  readonly restarts: readonly { readonly at: number; readonly time: number }[]
  /** How many were lost was estimated somewhere. */
  readonly estimated: boolean
}

/**
 * Numbers pictures by temporal_reference and time codes, ITU-T H.262 (02/2012) §6.3.8 and §6.3.9: what is missing behind
 * something wrong was lost there.
 */
export function numberPictures(pictures: readonly CodedPicture[]): Numbers {
  return new Numbering(pictures).run()
}

class Numbering {
  readonly #pictures: readonly CodedPicture[]
  readonly #shown: Float64Array
  readonly #lost: Uint32Array
  readonly #base: Float64Array
  readonly #step: number
  /** Pictures of most groups. */
  readonly #length: number
  readonly #hasTimes: boolean
  readonly #restarts: { at: number; time: number }[] = []
  #estimated = false

  constructor(pictures: readonly CodedPicture[]) {
    this.#pictures = pictures
    this.#shown = new Float64Array(pictures.length)
    this.#lost = new Uint32Array(pictures.length)
    this.#base = new Float64Array(pictures.length)
    this.#step = usualStep(pictures)
    this.#length = usualLength(pictures)
    this.#hasTimes = timesOf(pictures)
  }

  run(): Numbers {
    const pictures = this.#pictures
    /** What to add to a group's time code. */
    let offset: number | undefined
    let base = 0
    let highest = -1
    let before = 0
    /** The picture behind the longest stretch of the group that is not whole. */
    let hole = -1
    let isGuess = false
    for (const [i, picture] of pictures.entries()) {
      const begins = i === 0 || picture.group !== pictures[i - 1].group
      if (i > 0 && picture.suspect && !(hole >= 0 && this.#gap(hole) > this.#gap(i))) hole = i
      let reference = begins ? picture.reference : nearest(picture.reference, before)
      if (begins && i > 0) {
        base = Math.max(base + highest, this.#place(i - 1)) + 1
        const told = picture.time + (offset ?? base - picture.time)
        const isTold = this.#hasTimes && picture.time >= 0
        if (isTold && hole >= 0 && this.#makesRoom(hole, i, told - base)) base = told
        else if (!isTold && hole === i && picture.isFrontHit && base - this.#base[i - 1] < this.#length) {
          base = this.#base[i - 1] + this.#length
          isGuess = true
        }
        if (isGuess && !isTold) this.#estimated = true
      }
      if (begins) {
        hole = -1
        highest = -1
        isGuess = false
        offset = picture.time < 0 ? undefined : base - picture.time
      } else if (picture.suspect && this.#place(i, base + reference) < this.#place(i - 1) + 1) {
        // numbers begin anew: the header of the group is gone
        base += Math.max(highest + 1, this.#length)
        isGuess = true
        // the next time code tells how many were lost here
        hole = i
        highest = -1
        reference = picture.reference
        this.#restarts.push({ at: i, time: base - (offset ?? 0) })
      }
      before = reference
      highest = Math.max(highest, reference)
      this.#base[i] = base
      this.#shown[i] = base + reference
      if (i > 0 && picture.suspect) this.#lost[i] = this.#lostBefore(i)
    }
    if (isGuess || this.#isOdd()) this.#estimated = true
    return {
      shown: this.#shown,
      lost: this.#lost,
      base: this.#base,
      step: this.#step,
      restarts: this.#restarts,
      estimated: this.#estimated,
    }
  }

  /**
   * Whether numbers contradict the order of coding also where nothing is missing, so that they tell little where something is.
   */
  #isOdd(): boolean {
    let odd = 0
    // what the first one's place is nothing tells
    for (let i = 2; i < this.#pictures.length; i++)
      if (!this.#pictures[i].suspect && this.#place(i) !== this.#place(i - 1) + 1) odd++
    return odd > this.#pictures.length * MOST_ODD
  }

  /** Bytes that are not whole in front of a picture. */
  #gap(i: number): number {
    return this.#pictures[i].header - this.#pictures[i - 1].end
  }

  /**
   * Whether so many more pictures may have been lost in front of picture `hole`, as a time code behind, of picture `end`, tells;
   * if so they are.
   */
  #makesRoom(hole: number, end: number, count: number): boolean {
    if (count === 0 || count > MOST_LOST) return false
    if (hole === end) return count > 0
    if (this.#lost[hole] + count < 0) return false
    for (let i = hole; i < end; i++) {
      this.#base[i] += count
      this.#shown[i] += count
    }
    this.#lost[hole] += count
    for (const restart of this.#restarts) if (restart.at >= hole) restart.time += count
    return true
  }

  #place(i: number, shown = this.#shown[i]): number {
    return codedPlace(this.#pictures, this.#shown, i, this.#step, shown)
  }

  /** How many pictures are missing between picture `i` and the one before, in the order of coding. */
  #lostBefore(i: number): number {
    const count = this.#place(i) - this.#place(i - 1) - 1
    return count > 0 && count <= MOST_LOST ? count : 0
  }
}

/**
 * The place of a picture in the order of coding by when it is shown: a B picture comes with the one ahead of it decoded, one that
 * others refer to right behind the one that is shown before the B pictures in front of it.
 */
export function codedPlace(
  pictures: readonly CodedPicture[],
  shown: Float64Array,
  i: number,
  step: number,
  at = shown[i],
): number {
  if (pictures[i].type === B_PICTURE) return at + 1
  const next = pictures.at(i + 1)
  if (next && !next.suspect && next.type === B_PICTURE && next.group === pictures[i].group) {
    const ahead = pictures[i].reference - next.reference
    if (ahead > 0) return at - ahead
  }
  let last = i
  while (last > 0 && !pictures[last].suspect && pictures[last - 1].type === B_PICTURE) last--
  if (last > 0 && !pictures[last].suspect && shown[last - 1] < at) return shown[last - 1] + 1
  return at - (step - 1)
}

/** The number with these last ten bits that lies nearest to another. */
function nearest(reference: number, to: number): number {
  return reference + Math.round((to - reference) / REFERENCE_CYCLE) * REFERENCE_CYCLE
}

/**
 * The usual distance between pictures that others refer to, in the order of display: groups of one such picture tell it by the B
 * pictures in front.
 */
function usualStep(pictures: readonly CodedPicture[]): number {
  const steps = new Map<number, number>()
  const count = (step: number): void => {
    if (step > 0) steps.set(step, (steps.get(step) ?? 0) + 1)
  }
  let last: CodedPicture | undefined
  for (const [i, picture] of pictures.entries()) {
    if (picture.suspect) last = undefined
    if (picture.type === B_PICTURE) continue
    if (last && last.group === picture.group) count(picture.reference - last.reference)
    const next = pictures.at(i + 1)
    if (next && !next.suspect && next.type === B_PICTURE && next.group === picture.group)
      count(picture.reference - next.reference + 1)
    last = picture
  }
  return mostOf(steps, 1)
}

/** How many pictures most groups have of those that are whole. */
function usualLength(pictures: readonly CodedPicture[]): number {
  const lengths = new Map<number, number>()
  let highest = -1
  let isWhole = false
  for (const [i, picture] of pictures.entries()) {
    if (i > 0 && picture.group !== pictures[i - 1].group) {
      if (isWhole && !picture.suspect) lengths.set(highest + 1, (lengths.get(highest + 1) ?? 0) + 1)
      highest = -1
      isWhole = true
    } else if (picture.suspect) isWhole = false
    highest = Math.max(highest, picture.reference)
  }
  return mostOf(lengths, 0)
}

function mostOf(counts: ReadonlyMap<number, number>, none: number): number {
  const [most] = [...counts].sort((a, b) => b[1] - a[1])
  return most?.[0] ?? none
}

/** Whether time codes count the pictures: between groups of which nothing is missing they do. */
function timesOf(pictures: readonly CodedPicture[]): boolean {
  let agree = 0
  let differ = 0
  let last: CodedPicture | undefined
  let since = 0
  for (const picture of pictures) {
    if (picture.suspect) last = undefined
    if (picture.time >= 0) {
      if (last && picture.time - last.time === since) agree++
      else if (last) differ++
      last = picture
      since = 0
    }
    since++
  }
  return agree > 0 && differ <= agree * DISAGREEING
}
