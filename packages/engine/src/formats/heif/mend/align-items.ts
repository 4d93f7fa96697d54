import type { FoundPicture } from './find-pictures.ts'

/** What a sample's file holds, in the order of its bytes: a coded picture, or what is none, such as Exif's data. */
export interface Slot {
  readonly picture: boolean
  readonly length: number
  /** As pictures that are found tell it. */
  readonly coding?: string
  readonly kind?: string
}

/** What was found for each slot; undefined where its bytes are gone. */
export interface Alignment {
  readonly pictures: readonly (FoundPicture | undefined)[]
  /** Nothing shows how many slots are gone at an end, or some pictures fit in none. */
  readonly guessed: boolean
}

/**
 * Costs: what is rarer is dearer. A picture that no slot has, or a slot of which no byte is seen, is less likely than a gap that
 * was one.
 */
const COST = {
  /**
   * A picture that a gap stands for, and further ones in the same gap: where it is long enough for several, and where it is not.
   */
  lost: 1,
  lostBeside: 0.4,
  lostMore: 1.5,
  /** What is no picture lies in a gap anyway. */
  lostOther: 0.3,
  /** A slot that went before the first picture found, or behind the last. */
  lostInFront: 0.01,
  lostBehind: 0.5,
  /** A gap that stands for no slot. */
  gap: 1.5,
  /** A slot that is missing where there is no gap. */
  missing: 6,
  missingOther: 0.5,
  /** A picture that belongs in no slot. */
  extra: 4,
  extraBehind: 1,
  /** One that is coded in another way than the tiles: samples lack some of what phones store beside them. */
  extraBeside: 1,
  /** A picture of another kind than the slot's. */
  kind: 2,
  /** For each unit of logarithm by which lengths differ. */
  length: 0.3,
  gapLength: 0.5,
} as const
const MOST_DIFFERENCE = 3
/** By how much a gap that held several pictures is longer than one. */
const SEVERAL = 1.5
/** Steps of the search: more slots and pictures are not compared with each other. */
const MOST_STEPS = 8_000_000

/** A stretch of the damaged file: a picture found in it, or a gap before, between and behind them. */
interface Stretch {
  readonly picture?: FoundPicture
  readonly length: number
  readonly end?: 'front' | 'back'
}

const MATCH = 1
const SKIP_SLOT = 2
const SKIP_STRETCH = 3

/**
 * Gives the pictures found in a damaged file to a sample's slots, at the least cost. Undefined where both are too many.
 * `asTiles`: how a photo's own tiles are coded, where they are all coded alike; pictures beside them do not count as guessed.
 */
export function alignItems(
  found: readonly FoundPicture[],
  slots: readonly Slot[],
  size: number,
  sampleSize: number,
  asTiles?: string,
): Alignment | undefined {
  const stretches = stretchesOf(found, size)
  const [rows, columns] = [stretches.length + 1, slots.length + 1]
  if (rows * columns > MOST_STEPS) return undefined
  const scale = Math.log(Math.max(1, size) / Math.max(1, sampleSize))
  const costs = new Float64Array(rows * columns).fill(Number.POSITIVE_INFINITY)
  const steps = new Uint8Array(rows * columns)
  costs[0] = 0
  const lastPicture = stretches.findLastIndex(({ picture }) => picture !== undefined)
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) {
      const cost = costs[i * columns + j]
      const reach = (to: number, more: number, step: number): void => {
        if (cost + more >= costs[to]) return
        costs[to] = cost + more
        steps[to] = step
      }
      const [stretch, slot] = [stretches[i], slots[j]]
      if (stretch && slot && mayMatch(stretch, slot))
        reach((i + 1) * columns + j + 1, difference(stretch, slot, scale), MATCH)
      if (slot) reach(i * columns + j + 1, lostCost(stretch, slot), SKIP_SLOT)
      if (stretch) {
        const behind = i > lastPicture || j === slots.length
        reach((i + 1) * columns + j, extraCost(stretch, behind, asTiles), SKIP_STRETCH)
      }
    }
  }
  return trace(stretches, slots, steps, asTiles)
}

/** Shortest stretch between pictures that is none of their padding. */
const LEAST_GAP = 24

function stretchesOf(found: readonly FoundPicture[], size: number): readonly Stretch[] {
  const stretches: Stretch[] = []
  let end = 0
  for (const picture of found) {
    const before = picture.offset - end
    if (end === 0) stretches.push({ length: before, end: 'front' })
    else if (before >= LEAST_GAP) stretches.push({ length: before })
    stretches.push({ picture, length: picture.length })
    end = picture.offset + picture.length
  }
  stretches.push({ length: size - end, end: 'back' })
  return stretches
}

/**
 * A gap stands for what is no picture, or for one that is gone; those at the ends for no picture, since they hold the file's
 * structures.
 */
function mayMatch({ picture, end }: Stretch, slot: Slot): boolean {
  if (!slot.picture) return picture === undefined
  const told = picture?.coding !== undefined && slot.coding !== undefined
  return end === undefined && (!told || picture.coding === slot.coding)
}

function difference(stretch: Stretch, slot: Slot, scale: number): number {
  if (stretch.end) return 0
  const apart = Math.log(Math.max(1, stretch.length) / Math.max(1, slot.length)) - (slot.picture ? scale : 0)
  const cost = Math.min(MOST_DIFFERENCE, Math.abs(apart)) * (slot.picture ? COST.length : COST.gapLength)
  if (slot.picture && !stretch.picture) return COST.lost + cost
  const told = stretch.picture?.kind !== undefined && slot.kind !== undefined
  return told && stretch.picture.kind !== slot.kind ? COST.kind + cost : cost
}

function lostCost(stretch: Stretch | undefined, { picture, length }: Slot): number {
  if (stretch?.end === 'front') return COST.lostInFront
  if (!stretch || stretch.end === 'back') return COST.lostBehind
  if (stretch.picture) return picture ? COST.missing : COST.missingOther
  if (!picture) return COST.lostOther
  return stretch.length >= SEVERAL * length ? COST.lostBeside : COST.lostMore
}

function extraCost({ picture, end }: Stretch, behind: boolean, asTiles: string | undefined): number {
  if (end) return 0
  if (!picture) return COST.gap
  if (!mayBeTile(picture, asTiles)) return COST.extraBeside
  return behind ? COST.extraBehind : COST.extra
}

/** Whether a picture or slot is not told to be coded in another way than the tiles. */
function mayBeTile({ coding }: { readonly coding?: string }, asTiles: string | undefined): boolean {
  return asTiles === undefined || coding === undefined || coding === asTiles
}

function trace(
  stretches: readonly Stretch[],
  slots: readonly Slot[],
  steps: Uint8Array,
  asTiles: string | undefined,
): Alignment {
  const columns = slots.length + 1
  const pictures: (FoundPicture | undefined)[] = slots.map(() => undefined)
  let guessed = false
  for (let [i, j] = [stretches.length, slots.length]; i > 0 || j > 0; ) {
    const step = steps[i * columns + j]
    if (step === MATCH) {
      i--
      j--
      pictures[j] = stretches[i].picture
    } else if (step === SKIP_SLOT) {
      j--
      const stretch = stretches[i]
      if (slots[j].picture && mayBeTile(slots[j], asTiles) && (!stretch || stretch.end || stretch.picture))
        guessed = true
    } else {
      i--
      const { picture } = stretches[i]
      if (picture && mayBeTile(picture, asTiles)) guessed = true
    }
  }
  return { pictures, guessed }
}
