/** Link of a known box of other parents: the content of a sibling, as a rule. */
export const MISPLACED = 0.5
/** Link of what may be a box. */
export const WEAK = 1
/** Link of a known box that fits, or of the parent's end. */
export const EXACT = 3
/** Better than any link: a box that its own fields fill. */
export const FILLED = 4
/** Types that stand at several depths: the next one of them need not be a sibling. */
export const AMBIGUOUS: ReadonlySet<string> = new Set([
  'udta',
  'meta',
  'uuid',
  'free',
  'skip',
  'wide',
  'hdlr',
])
/** Boxes that come as often as there are tracks, or runs. */
export const REPEATED: ReadonlySet<string> = new Set(['trak', 'traf', 'trun'])
/** Tables whose types are one bit apart. */
export const TWINS: Readonly<Record<string, string>> = {
  stts: 'ctts',
  stss: 'stsc',
  stsc: 'stss',
  ctts: 'stts',
}
/** Handlers of the media headers that leave no choice. */
export const HANDLER_OF: Readonly<Record<string, string>> = { vmhd: 'vide', smhd: 'soun' }
