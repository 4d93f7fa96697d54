import type { Sequence } from '../../../codecs/mpeg12/headers.ts'

/** A coded picture, in the order of coding: a frame, or both of its fields. */
export interface CodedPicture {
  /** Where its headers begin, those of sequence and group in front of it included, and where what is whole of its slices ends. */
  readonly start: number
  /** Where its own header begins. */
  readonly header: number
  /** Where its headers end, and its first slice begins. */
  body: number
  end: number
  readonly sequence: Sequence
  /** picture_coding_type. */
  readonly type: number
  /** temporal_reference. */
  reference: number
  /** Counts group headers up to this one. */
  readonly group: number
  /** Number of the group's first picture by its time code; -1 where it begins none, or tells none. */
  readonly time: number
  /** Something is wrong between the beginning of the picture before and this one's. */
  readonly suspect: boolean
  /** That is so in front of its group's header, too. */
  readonly isFrontHit: boolean
  /** Part of its slices is gone. */
  torn: boolean
  /** A repair left it so. */
  isMarked: boolean
  /** Where its slices behind the last tear begin; -1 without. */
  behindTear: number
  /** Something of its slices is whole in front of that. */
  isLed: boolean
  /** Nothing of it is left in the result. */
  isGone: boolean
  /** What follows its slices belongs to another picture, whose header is gone. */
  followed: boolean
}
