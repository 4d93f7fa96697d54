import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** How far a picture is from the one it should be, in brightness of 0 to 255. */
export interface PictureError {
  /** Mean square of the differences. */
  readonly square: number
  /** Mean difference in the block of 16x16 samples where it is largest. */
  readonly worst: number
  readonly same: boolean
}

/** One picture of the original in the file without and in the one with concealment. */
export interface ComparedPicture {
  readonly time: number
  readonly errors: readonly [plain: PictureError, concealed: PictureError]
  /** Both files show the same. */
  readonly alike: boolean
}

const CHILD = fileURLToPath(new URL('./compare-child.ts', import.meta.url))
const TIMEOUT_MS = 120_000
const MOST_BYTES = 64 * 1024 * 1024

/** Decodes three recordings and compares their pictures. @throws Error when one does not decode */
export function comparePictures(
  original: string,
  plain: string,
  concealed: string,
): Promise<readonly ComparedPicture[]> {
  const args = ['--no-warnings', CHILD, original, plain, concealed]
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { timeout: TIMEOUT_MS, maxBuffer: MOST_BYTES }, (error, stdout) => {
      if (error) reject(error)
      else resolve(JSON.parse(stdout))
    })
  })
}
