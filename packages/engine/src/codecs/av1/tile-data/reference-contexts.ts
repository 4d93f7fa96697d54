/**
 * References of the blocks above and to the left: RefFrame, with 0 for intra and -1 for none; where there is no block, 0 and -1.
 */
export class ReferenceContexts {
  hasAbove = false
  hasLeft = false
  above0 = 0
  above1 = -1
  left0 = 0
  left1 = -1

  get #aboveIntra(): boolean {
    return this.above0 <= 0
  }

  get #leftIntra(): boolean {
    return this.left0 <= 0
  }

  get aboveSingle(): boolean {
    return this.above1 <= 0
  }

  get leftSingle(): boolean {
    return this.left1 <= 0
  }

  get isInter(): number {
    const above = Number(this.#aboveIntra)
    const left = Number(this.#leftIntra)
    if (this.hasAbove && this.hasLeft) return above + left === 2 ? 3 : above | left
    if (this.hasAbove || this.hasLeft) return 2 * (this.hasAbove ? above : left)
    return 0
  }

  get compoundMode(): number {
    const above = Number(isBackward(this.above0))
    const left = Number(isBackward(this.left0))
    if (this.hasAbove && this.hasLeft) {
      if (this.aboveSingle && this.leftSingle) return above ^ left
      if (this.aboveSingle) return 2 + (above | Number(this.#aboveIntra))
      if (this.leftSingle) return 2 + (left | Number(this.#leftIntra))
      return 4
    }
    if (this.hasAbove) return this.aboveSingle ? above : 3
    if (this.hasLeft) return this.leftSingle ? left : 3
    return 1
  }

  get compoundType(): number {
    const { hasAbove, hasLeft, above0, above1, left0, left1 } = this
    const aboveInter = hasAbove && !this.#aboveIntra
    const leftInter = hasLeft && !this.#leftIntra
    const aboveBoth = aboveInter && !this.aboveSingle
    const leftBoth = leftInter && !this.leftSingle
    const aboveAlike = aboveBoth && alike(above0, above1)
    const leftAlike = leftBoth && alike(left0, left1)
    if (aboveInter && leftInter) {
      const same = Number(alike(above0, left0))
      if (!aboveBoth && !leftBoth) return 1 + 2 * same
      if (!aboveBoth) return leftAlike ? 3 + same : 1
      if (!leftBoth) return aboveAlike ? 3 + same : 1
      if (!aboveAlike && !leftAlike) return 0
      if (!aboveAlike || !leftAlike) return 2
      return 3 + Number((above0 === 5) === (left0 === 5))
    }
    if (hasAbove && hasLeft) {
      if (aboveBoth) return 1 + 2 * Number(aboveAlike)
      if (leftBoth) return 1 + 2 * Number(leftAlike)
      return 2
    }
    if (aboveBoth) return 4 * Number(aboveAlike)
    if (leftBoth) return 4 * Number(leftAlike)
    return 2
  }

  /** Which of two groups of references is used more around: 0 for the second, 1 for neither, 2 for the first. */
  compare(one: readonly number[], other: readonly number[]): number {
    const difference = this.#count(one) - this.#count(other)
    return difference < 0 ? 0 : difference === 0 ? 1 : 2
  }

  #count(references: readonly number[]): number {
    let count = 0
    for (const reference of references) {
      if (this.hasAbove) count += Number(this.above0 === reference) + Number(this.above1 === reference)
      if (this.hasLeft) count += Number(this.left0 === reference) + Number(this.left1 === reference)
    }
    return count
  }
}

function isBackward(reference: number): boolean {
  return reference >= 5
}

/** is_samedir_ref_pair. */
function alike(one: number, other: number): boolean {
  return isBackward(one) === isBackward(other)
}
