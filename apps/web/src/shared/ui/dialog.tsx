import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '../lib/cx.ts'

interface DialogProps {
  readonly title: ReactNode
  readonly description?: ReactNode
  readonly children?: ReactNode
  readonly open: boolean
  readonly onClose: () => void
  /** Called when the closing motion is over and focus is back where it came from. */
  readonly onClosed?: (() => void) | undefined
  readonly width?: 'narrow' | 'wide'
}

/** A modal dialog: focus is kept inside, Escape closes, focus returns to what opened it. */
export function Dialog({
  title,
  description,
  children,
  open,
  onClose,
  onClosed,
  width = 'narrow',
}: DialogProps) {
  return (
    <Base.Root
      open={open}
      onOpenChange={(next) => (next ? undefined : onClose())}
      onOpenChangeComplete={(isOpen) => (isOpen ? undefined : onClosed?.())}
    >
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-shade transition-opacity duration-(--calm) data-[ending-style]:opacity-0 data-[starting-style]:opacity-0" />
        <Base.Viewport className="fixed inset-0 z-50 grid overflow-y-auto overscroll-contain p-3 sm:p-6">
          <Base.Popup
            className={cx(
              'relative m-auto w-full min-w-0 rounded-sm border border-mist bg-glaze p-6 text-ink transition-[opacity,transform] duration-(--calm) ease-settle data-[ending-style]:translate-y-2 data-[ending-style]:opacity-0 data-[starting-style]:translate-y-2 data-[starting-style]:opacity-0 sm:p-8',
              width === 'narrow' ? 'max-w-md' : 'max-w-2xl',
            )}
          >
            <Base.Title className="pr-10 text-heading sm:text-[1.625rem]">{title}</Base.Title>
            {description ? (
              <Base.Description className="mt-2 text-ink-soft">{description}</Base.Description>
            ) : null}
            {children}
            <Base.Close
              aria-label="Close"
              className="absolute top-4 right-4 grid size-10 place-items-center rounded-sm text-ink-soft hover:bg-biscuit hover:text-ink"
            >
              <X aria-hidden size={20} />
            </Base.Close>
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  )
}
