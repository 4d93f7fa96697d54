/**
 * Thresholds in bits of evidence (see `Unit.evidence`). A recording of 2^33 bytes offers 2^33 places to be wrong in, hence the
 * distance between a match where one is expected and a match anywhere.
 */

/** A unit where the previous one ended, believed without looking ahead. */
export const EXPECTED = 40
/** The least that a unit and what follows it must show together where the previous one ended. */
export const PLAUSIBLE = 22
/**
 * The same of a unit that alone matches there, in recordings where nothing but units with syntax lies: another must begin there,
 * unless damage does.
 */
export const JOINED = 16
/** What a unit and its followers must show together to end a hole: chance must fail at every byte of a large hole. */
export const ANCHOR = 56
/** What the unit after a gap of known length must show. */
export const BEHIND_GAP = 20
/** Units looked ahead. */
export const LOOK_AHEAD = 6
/** What a unit must show when the bytes behind it are an anchor already. */
export const LEADS_TO_ANCHOR = 10
/** What a gap of known length takes from the evidence behind it: several lengths were tried. */
export const GAP_COST = 6
/**
 * What a unit must show to end one whose length nobody knows, even where an anchor stands behind it: bytes of a damaged unit that
 * are a rare kind of frame, and happen to lead there, are its own.
 */
export const ENDS_DAMAGED = 5
