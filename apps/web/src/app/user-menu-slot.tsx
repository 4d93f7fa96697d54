import type { Product } from '@mendframe/contract'
import { Aperture, CreditCard, LogOut, Receipt, UploadCloud, UserRound } from 'lucide-react'
import { useDispatch, useSelector } from 'react-redux'
import { useNavigate } from 'react-router'
import { reset, selectUserState } from '../features/account/user-slice.ts'
import { PHOTO_APP_PATH } from '../features/auth/after-sign-in.ts'
import { logout } from '../features/auth/auth-slice.ts'
import { signOut } from '../features/auth/sign-out.ts'
import { UserMenu, type UserMenuEntry } from '../features/chrome/user-menu.tsx'
import { openOverlay } from '../shared/overlay/overlay.ts'
import { allowLeaving, LEAVE_PROMPT } from './leave-prompt.ts'
import { useAccount } from './use-account.ts'
import { WithStore } from './with-store.tsx'

interface SlotProps {
  readonly product: Product
  /** `admin`: the longer menu of the signed-in area. */
  readonly area: 'public' | 'admin'
}

/** The user's menu with its store; fetched for signed-in visitors only. */
export function UserMenuSlot(props: SlotProps) {
  return (
    <WithStore>
      <ConnectedMenu {...props} />
    </WithStore>
  )
}

const ICON = { 'aria-hidden': true, size: 18 } as const

function ConnectedMenu({ product, area }: SlotProps) {
  const { user } = useAccount(product)
  const dispatch = useDispatch()
  const navigate = useNavigate()
  const { firstUploadSuccess: working } = useSelector(selectUserState(product))
  if (!user) return <span className="size-11" />

  const dashboard = product === 'photo' ? `${PHOTO_APP_PATH}/dashboard` : '/admin/dashboard'
  // A page with work on it asks by itself before another one is opened.
  const open = (path: string) => () => navigate(path)

  const myPlan = {
    label: 'My Plan',
    icon: <CreditCard {...ICON} />,
    onSelect: open(`${dashboard}#${product === 'photo' ? 'dashboard' : 'myplan'}`),
  }
  const myAccount = {
    label: 'My Account',
    icon: <UserRound {...ICON} />,
    onSelect: open(`${dashboard}#${product === 'photo' ? 'myaccount' : 'myAccount'}`),
  }
  const upload =
    product === 'photo'
      ? { label: 'Upload Photo', icon: <Aperture {...ICON} />, onSelect: open(PHOTO_APP_PATH) }
      : { label: 'Upload Video', icon: <UploadCloud {...ICON} />, onSelect: open('/') }
  const history = {
    label: 'Purchase History',
    icon: <Receipt {...ICON} />,
    onSelect: open(`${dashboard}#Billing`),
  }
  const leave = () => {
    allowLeaving()
    void signOut(product, () => {
      dispatch(logout())
      dispatch(reset())
    })
  }
  const out = {
    label: 'Sign Out',
    icon: <LogOut {...ICON} />,
    onSelect: () => {
      if (working) openOverlay({ ...LEAVE_PROMPT, onConfirm: leave })
      else leave()
    },
  }
  const entries: readonly UserMenuEntry[] =
    area === 'admin'
      ? [upload, myPlan, ...(product === 'video' ? [history] : []), myAccount, out]
      : [myPlan, myAccount, out]

  return (
    <UserMenu
      product={product}
      name={user.name}
      email={user.email}
      plan={user.current_plan}
      entries={entries}
      onUpgrade={
        user.current_plan === 'Premium'
          ? undefined
          : () => openOverlay({ kind: 'pricing', product, variant: 'upgrade' })
      }
    />
  )
}
