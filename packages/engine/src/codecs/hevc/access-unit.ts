import type { PendingSets } from './parameter-sets.ts'
import { SliceHeader } from './slice-header.ts'

/** What `recognise` found in one unit; kept in `Unit.detail` until `accept`. */
export class AccessUnit {
  /** The recogniser that filled it. */
  owner: object | undefined
  offset = -1
  readonly sets: PendingSets
  /** Header of the picture's first slice segment. */
  readonly first = new SliceHeader()
  /** The header under examination. */
  readonly next = new SliceHeader()
  segments = 0
  lastAddress = 0
  /** NAL unit types in front of the first slice segment, folded into one number. */
  prelude = 0
  /** First header byte of the first NAL unit. */
  firstHeader = 0
  /** An end of sequence follows the picture. */
  ends = false
  /** A slice segment ends in zeros, which none does. */
  zeroTail = false
  /** Bits of structure that checked out. */
  evidence = 0

  constructor(sets: PendingSets) {
    this.sets = sets
  }

  reset(owner: object, offset: number): void {
    this.owner = owner
    this.offset = offset
    this.sets.clear()
    this.segments = 0
    this.lastAddress = 0
    this.prelude = 0
    this.firstHeader = 0
    this.ends = false
    this.zeroTail = false
    this.evidence = 0
  }
}
