import type { Assessment } from '../assess.ts'
import type { ItemState } from '../read/nal-items.ts'
import type { PlacedItem, Structures } from '../write/write-heif.ts'

/** A photo put together from the pictures found and what a sample of the same camera says of its own. */
export interface FromSample {
  readonly sample: Assessment
  readonly structures: Structures
  readonly items: readonly PlacedItem[]
  readonly states: ReadonlyMap<number, ItemState>
  /** Which of the pictures found are the photo's was guessed. */
  readonly guessed: boolean
  /** How large it is the file itself says. */
  readonly ownSize?: boolean
  /**
   * How pictures are coded is another file's, or what one maker's are like, and nothing shows that all of it is the photo's:
   * scaling lists and offsets of quantisation change what is shown, and no symbol that is read, H.265 §7.4.5, §8.6.1.
   */
  readonly lentCoding?: boolean
  /** It is the first of a sequence, the others of which are left out. */
  readonly sequence?: boolean
}
