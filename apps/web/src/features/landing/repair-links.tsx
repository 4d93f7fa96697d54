import { ButtonAnchor } from '../../shared/ui/button.tsx'
import { useDesktopUrl } from '../../shared/ui/desktop-link.tsx'

/** The two ways on from a section: back to the upload at the top, or to the desktop software. */
export function RepairLinks({ quiet = false }: { readonly quiet?: boolean }) {
  const desktop = useDesktopUrl()
  if (quiet) {
    return (
      <p className="flex flex-wrap gap-x-7 gap-y-2 font-semibold">
        <a href="#top" className="inline-link py-1">
          Repair Video Online
        </a>
        <a href={desktop} className="inline-link py-1">
          Try Desktop Version
        </a>
      </p>
    )
  }
  return (
    <p className="flex flex-wrap gap-3">
      <ButtonAnchor href="#top">Repair Video Online</ButtonAnchor>
      <ButtonAnchor look="secondary" href={desktop}>
        Try Desktop Version
      </ButtonAnchor>
    </p>
  )
}
