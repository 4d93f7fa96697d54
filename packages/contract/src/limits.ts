/** Bytes in the specification's "MB": a mebibyte. */
export const MEBIBYTE = 2 ** 20

/** Largest video accepted, damaged or sample, in bytes: 5 GB as the specification counts them. */
export const MAX_VIDEO_BYTES = 5_368_709_120

/** Largest photo a Premium user may send, in bytes (500 MB). */
export const MAX_PHOTO_BYTES = 500 * MEBIBYTE

/** Above this many whole MB a Free user's video yields only the preview. */
export const FREE_VIDEO_MB = 100

/** Above this many whole MB a Free user's photo is refused. */
export const FREE_PHOTO_MB = 20

/** Repairs a Free user has, once and for all. */
export const FREE_VIDEO_REPAIRS = 1
export const FREE_PHOTO_REPAIRS = 3

/** Files of Premium that the photo landing page shows by default. */
export const PHOTO_PREMIUM_SHOWN_FILES = 50

/** Share of the repaired recording that a preview holds. */
export const PREVIEW_FRACTION = 0.1

/** Hours a result is kept, counted from the upload and never less than that from the repair's end. */
export const FREE_KEEP_HOURS = 3
export const PREMIUM_KEEP_HOURS = 24

/** Hours an upload that was not repaired is kept and may be resumed. */
export const RESUME_HOURS = 24

/** Length of the plans. */
export const MONTHLY_PLAN_DAYS = 30
export const YEARLY_PLAN_YEARS = 1

/** Milliseconds between two polls of `checkprogress`. */
export const PROGRESS_POLL_MS = 10_000

/** The analysis bar is full after this many milliseconds. */
export const ANALYSIS_BAR_MS = 40_000

/** Seconds a visitor waits at most for the preview, by size in MB: the first row whose `below` exceeds the size. */
const PREVIEW_WAITS: readonly (readonly [below: number, seconds: number])[] = [
  [50, 80],
  [100, 100],
  [200, 150],
  [300, 200],
  [400, 250],
  [500, 300],
  [600, 330],
]
const LONGEST_PREVIEW_WAIT = 350

/** Upper bound of the wait for a preview, in seconds, for a file of so many bytes. */
export function previewWaitSeconds(bytes: number): number {
  const megabytes = bytes / MEBIBYTE
  return PREVIEW_WAITS.find(([below]) => megabytes < below)?.[1] ?? LONGEST_PREVIEW_WAIT
}

/** Characters of a file name that are shown in the panel and in the step list before '...'. */
export const NAME_DISPLAY_LENGTH = 25
export const STEP_NAME_DISPLAY_LENGTH = 7

/** Longest original file name that the server stores, in characters. */
export const MAX_NAME_LENGTH = 255

/** Longest password taken, in characters: hashing hostile megabytes would stall the server. */
export const MAX_PASSWORD_LENGTH = 1024

/** Longest note with a request for manual repair, in characters. */
export const MAX_NOTE_LENGTH = 4000

/** Uploads above this many bytes go in parts so that they can resume. */
export const MULTIPART_THRESHOLD_BYTES = 100 * MEBIBYTE

/** Bytes of a part; the last one may be smaller. 5 GB are 320 parts, far below a store's 10,000. */
export const PART_BYTES = 16 * MEBIBYTE

/** Part addresses signed in one call. */
export const MAX_PARTS_PER_SIGN = 64
