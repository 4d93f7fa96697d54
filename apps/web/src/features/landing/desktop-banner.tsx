import { brand } from '../../shared/brand/brand.ts'
import { LARGEST_VIDEO } from '../../shared/lib/plan-text.ts'
import { ButtonAnchor } from '../../shared/ui/button.tsx'
import { useDesktopUrl } from '../../shared/ui/desktop-link.tsx'
import { DesktopPicture } from './desktop-picture.tsx'

/** The offer of the desktop software, on a band of film. */
export function DesktopBanner() {
  const desktop = useDesktopUrl()
  return (
    <section aria-labelledby="desktop-title" className="film overflow-hidden [--film:oklch(0.255_0.038_262)]">
      <div className="page grid items-end gap-x-16 lg:grid-cols-[6fr_5fr]">
        <div className="py-16 lg:py-24">
          <h2 id="desktop-title" className="max-w-[20ch] text-title">
            A whole archive, or a file above {LARGEST_VIDEO}?
          </h2>
          <p className="mt-4 mb-8 max-w-[34rem] text-ink-soft">
            {brand.desktop.name} works on your own computer: any size, any number of files, nothing to upload.
          </p>
          <ButtonAnchor href={desktop}>Try Desktop Version</ButtonAnchor>
          <p className="mt-5 text-small text-ink-soft">{brand.tagline}</p>
        </div>
        <DesktopPicture />
      </div>
    </section>
  )
}
