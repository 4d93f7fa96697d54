import { FREE_PHOTO_MB, FREE_PHOTO_REPAIRS } from '@mendframe/contract'
import { inWords } from '../../shared/lib/in-words.ts'
import { PrivacyNote } from '../../shared/ui/privacy-note.tsx'
import { MendedPrint } from './mended-print.tsx'
import { UploadBox } from './upload-box.tsx'

export function Hero() {
  return (
    <section
      aria-labelledby="photo-title"
      className="page grid items-center gap-x-14 gap-y-12 pt-10 pb-16 lg:grid-cols-[1fr_1.02fr] lg:pt-16 lg:pb-24"
    >
      <div>
        <h1 id="photo-title" className="text-display">
          Free Online Photo Repair
        </h1>
        <p className="mt-5 mb-8 max-w-[34rem] text-lead text-ink-soft">
          Grey halves, shifted blocks, files that will not open: we put back what is still in them and tell
          you what is not. {inWords(FREE_PHOTO_REPAIRS)} photos are free.
        </p>
        <div className="max-w-xl">
          <UploadBox />
        </div>
        <div className="mt-4 grid max-w-xl gap-1 text-small text-ink-soft">
          <p>
            JPEG and JPG up to {FREE_PHOTO_MB}MB. HEIC, AVIF, PNG, WebP, GIF, BMP, TIFF and camera raw with
            Premium.
          </p>
          <PrivacyNote what="photos" />
        </div>
      </div>
      <MendedPrint />
    </section>
  )
}
