import type { ComponentProps } from 'react'
import { SignInDialog } from '../features/auth/sign-in-dialog.tsx'
import { PricingDialog } from '../features/billing/pricing-dialog.tsx'
import { ExceedSizeDialog } from '../features/repair/exceed-size-dialog.tsx'
import { ManualRepairDialog } from '../features/repair/result/manual-repair-dialog.tsx'
import { closeOverlay, type Overlay, overlayClosed } from '../shared/overlay/overlay.ts'
import { ConfirmDialog } from '../shared/ui/confirm-dialog.tsx'
import { useAccount } from './use-account.ts'
import { WithStore } from './with-store.tsx'

/** The dialog that was asked for. */
export function Dialogs({ overlay, open }: { readonly overlay: Overlay; readonly open: boolean }) {
  return <WithStore>{dialogFor(overlay, open)}</WithStore>
}

function dialogFor(overlay: Overlay, open: boolean) {
  const frame = { open, onClose: closeOverlay, onClosed: overlayClosed }
  switch (overlay.kind) {
    case 'sign-in':
      return (
        <SignInDialog
          {...frame}
          product={overlay.product}
          initialMode={overlay.mode}
          logintext={overlay.logintext}
          ended={overlay.ended}
          page={overlay.page}
          goTo={overlay.goTo}
        />
      )
    case 'confirm':
      return <ConfirmDialog {...frame} request={overlay} />
    case 'pricing':
      return (
        <Pricing
          {...frame}
          product={overlay.product}
          variant={overlay.variant}
          pack={overlay.pack}
          downloadUrl={overlay.downloadUrl}
          downloadLabel={overlay.downloadLabel}
        />
      )
    case 'exceed-size':
      return <ExceedSizeDialog {...frame} product={overlay.product} />
    case 'manual-repair':
      return <ManualRepairDialog {...frame} timestamp={overlay.timestamp} fileName={overlay.fileName} />
  }
}

/** The pricing dialog for the visitor's plan. */
function Pricing(props: Omit<ComponentProps<typeof PricingDialog>, 'plan'>) {
  const { user } = useAccount(props.product)
  return <PricingDialog {...props} plan={user?.current_plan ?? 'Free'} />
}
