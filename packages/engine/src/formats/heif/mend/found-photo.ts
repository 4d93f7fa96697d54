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
  /** It is the first of a sequence, the others of which are left out. */
  readonly sequence?: boolean
}
