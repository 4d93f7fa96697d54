import { type ReactNode, Suspense } from 'react'
import { brand } from '../../../shared/brand/brand.ts'
import { deferredPart } from '../../../shared/lib/deferred.tsx'
import './mended-frame.css'
import { DesktopLink } from '../../../shared/ui/desktop-link.tsx'
import { PrivacyNote } from '../../../shared/ui/privacy-note.tsx'

const MendedFrame = deferredPart('mended-frame', async () => (await import('./mended-frame.tsx')).MendedFrame)

/** The top of the start page: what this is, the way in, and the demonstration. */
export function Hero({ upload }: { readonly upload: ReactNode }) {
  return (
    <section className="page grid items-center gap-x-14 gap-y-12 pt-10 pb-16 lg:grid-cols-[1fr_1.02fr] lg:pt-16 lg:pb-24">
      <div>
        <h1 className="text-display">Free Online Video Repair</h1>
        <p className="mt-5 max-w-[46ch] text-lead text-ink-soft">
          A recording that will not open is rarely gone. We find every frame and sound that is still in the
          file, put them back in order, and tell you honestly what could not be saved.
        </p>
        <div className="mt-8 max-w-xl">{upload}</div>
        <div className="mt-4 grid max-w-xl gap-1 text-small text-ink-soft">
          <p>
            Videos up to 5GB. For larger files there is <DesktopLink>{brand.desktop.name}</DesktopLink>.
          </p>
          <PrivacyNote what="files" />
        </div>
      </div>
      <Suspense fallback={<div className="aspect-[640/472]" />}>
        <MendedFrame />
      </Suspense>
    </section>
  )
}
