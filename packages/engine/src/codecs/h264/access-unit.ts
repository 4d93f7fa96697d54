import type { PendingSets } from './parameter-sets.ts'
import { SliceHeader } from './slice-header.ts'

/** What `recognise` found in one unit; kept in `Unit.detail` until `accept`. */
export class AccessUnit {
  /** The recogniser that filled it. */
  owner: object | undefined
  offset = -1
  readonly sets: PendingSets
  /** Header of the frame's first slice, or of the first field's. */
  readonly first = new SliceHeader()
  /** Header of the second field's first slice. */
  second = new SliceHeader()
  /** The slice header under examination. */
  next = new SliceHeader()
  hasSecond = false
  slices = 0
  /** First macroblock of the last slice. */
  lastMb = 0
  intra = false
  /** recovery_frame_cnt of a recovery point message, -1 without one. */
  recoveryFrames = -1
  /** Header byte of the first NAL unit. */
  firstHeader = 0
  /** NAL unit types in front of the first slice, folded into one number. */
  prelude = 0
  /** A slice ends in zeros, which none does. */
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
    this.hasSecond = false
    this.slices = 0
    this.lastMb = 0
    this.intra = true
    this.recoveryFrames = -1
    this.firstHeader = 0
    this.prelude = 0
    this.zeroTail = false
    this.evidence = 0
  }

  /** The header that further slices of the unit must agree with. */
  get current(): SliceHeader {
    return this.hasSecond ? this.second : this.first
  }

  /** The header under examination opens the second field. */
  takeSecond(): void {
    const header = this.second
    this.second = this.next
    this.next = header
    this.hasSecond = true
  }
}
