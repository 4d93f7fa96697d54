import { DOUBT } from '../../model/doubt.ts'
import type { Finding } from '../../model/finding.ts'
import { ESTIMATED, type MendedPicture, RECOVERED } from '../../photo/picture/picture.ts'
import { type Analysis, NOTHING } from './analysis.ts'
import { finding } from './findings.ts'
import { mendPicture } from './mend/mend-picture.ts'
import { exifOf } from './read/exif.ts'
import { picturesWithin } from './read/previews.ts'
import type { ReadPicture } from './read/read-picture.ts'
import { pictureDoubts, reportPicture } from './report-picture.ts'
import { writePicture } from './write/write-picture.ts'

/** Of a file without a photo: a picture stored in one, if there is any. */
export function nothingFound(bytes: Uint8Array): Analysis {
  const [preview] = picturesWithin(bytes, 0, bytes.length)
  const reason = 'No picture was found in the file.'
  return (
    (preview && ofPreview(bytes, preview)) ?? {
      ...NOTHING,
      findings: [finding('noPicture', reason)],
      described: undefined,
      reason,
    }
  )
}

/** Whether any MCU of a picture was read; what is filled in does not count. */
export function isRead({ states }: MendedPicture): boolean {
  return states.includes(RECOVERED) || states.includes(ESTIMATED)
}

/**
 * Of a photo of whose scan nothing can be read: the largest picture stored with it, between `from` and `to` or behind `behind`,
 * if any; else the `cause`, where one is known.
 */
export function nothingRead(
  bytes: Uint8Array,
  from: number,
  to: number,
  behind: number,
  cause?: Finding,
): Analysis {
  const stored = [...picturesWithin(bytes, from, to), ...picturesWithin(bytes, behind, bytes.length)]
  stored.sort((a, b) => b.frame.width - a.frame.width)
  for (const preview of stored) {
    const analysis = ofPreview(bytes, preview)
    if (analysis) return analysis
  }
  if (cause) return { ...NOTHING, findings: [cause], described: undefined, reason: cause.message }
  const reason = 'No part of the picture survives.'
  const lost = finding('scanDamaged', 'nothing of the scan can be read', { offset: to, length: behind - to })
  return { ...NOTHING, findings: [lost], described: undefined, reason }
}

/** A stored preview in the photo's place; undefined where it cannot be read either. */
function ofPreview(bytes: Uint8Array, preview: ReadPicture): Analysis | undefined {
  const mended = mendPicture(bytes, preview, () => [])
  if (typeof mended === 'string' || !isRead(mended)) return undefined
  const orientation = exifOf(preview)?.orientation ?? 1
  return {
    findings: [finding('noPicture', 'of the photo only a stored preview is left', { offset: preview.start })],
    healthy: false,
    described: undefined,
    parts: writePicture(bytes, preview, mended),
    pictures: [{ ...reportPicture(preview.frame, mended, orientation, []), role: 'preview' }],
    doubts: [DOUBT.previewOnly, ...pictureDoubts(mended)],
    strategies: [{ name: 'preview', outcome: 'a picture stored with the photo takes its place' }],
    sampleUsed: [],
  }
}
