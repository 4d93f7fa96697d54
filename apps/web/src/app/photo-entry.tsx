import {
  FREE_PHOTO_EXTENSIONS,
  FREE_PHOTO_MB,
  FREE_PHOTO_REPAIRS,
  maxBytes,
  PHOTO_EXTENSIONS,
  wholeMegabytes,
} from '@mendframe/contract'
import { inWords } from '../shared/lib/in-words.ts'
import { DropBox } from '../shared/ui/drop-box.tsx'

interface PhotoEntryProps {
  readonly premium: boolean
  readonly busy: boolean
  readonly onFiles: (files: readonly File[]) => void
}

/** Where damaged photos go in: one or several. */
export function PhotoEntry({ premium, busy, onFiles }: PhotoEntryProps) {
  return (
    <div className="max-w-xl">
      <p className="mt-3 mb-7 text-ink-soft">
        {premium
          ? `JPEG, HEIC, AVIF, PNG, WebP, GIF, BMP, TIFF and camera raw, up to ${wholeMegabytes(maxBytes('photo'))}MB each.`
          : `JPEG and JPG up to ${FREE_PHOTO_MB}MB each. Premium repairs HEIC, AVIF, PNG, WebP, GIF, BMP, TIFF and camera raw too.`}{' '}
        {premium
          ? 'Choose as many at once as you like.'
          : `${inWords(FREE_PHOTO_REPAIRS)} are free; choose them all at once.`}
      </p>
      <DropBox
        action="Upload Photo"
        hint="or drop one or several here"
        label="Damaged photo"
        extensions={premium ? PHOTO_EXTENSIONS : FREE_PHOTO_EXTENSIONS}
        mediaType="image"
        multiple
        disabled={busy}
        onFiles={onFiles}
      />
    </div>
  )
}
