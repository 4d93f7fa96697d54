import { type Product, TEXTS } from '@mendframe/contract'
import { brand } from '../../shared/brand/brand.ts'
import { ButtonAnchor } from '../../shared/ui/button.tsx'
import { useDesktopUrl } from '../../shared/ui/desktop-link.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'

interface ExceedSizeDialogProps {
  readonly product: Product
  readonly open: boolean
  readonly onClose: () => void
  readonly onClosed: () => void
}

/** A file above what is taken (a video's 5 GB, a photo's 500 MB): the desktop software has no such limit. */
export function ExceedSizeDialog({ product, ...frame }: ExceedSizeDialogProps) {
  const desktop = useDesktopUrl()
  return (
    <Dialog
      {...frame}
      title="This file is too large for the browser"
      description={product === 'video' ? TEXTS.tooLarge : TEXTS.photoTooLarge}
    >
      <p className="mt-3">
        {brand.desktop.name} repairs files of any size and any number, on your own computer. Nothing has to be
        uploaded.
      </p>
      <ButtonAnchor className="mt-6 w-full" href={desktop}>
        Free Download
      </ButtonAnchor>
    </Dialog>
  )
}
