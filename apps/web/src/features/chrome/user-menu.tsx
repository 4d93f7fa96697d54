import { Menu } from '@base-ui/react/menu'
import type { Product } from '@mendframe/contract'
import { ChevronDown } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { cx } from '../../shared/lib/cx.ts'
import { initialsOf } from '../../shared/lib/initials.ts'

export interface UserMenuEntry {
  readonly label: string
  readonly onSelect: () => void
  readonly icon: ReactNode
}

interface UserMenuProps {
  readonly product: Product
  readonly name: string
  readonly email: string
  readonly plan: string
  readonly entries: readonly UserMenuEntry[]
  /** Free users are offered the upgrade. */
  readonly onUpgrade?: (() => void) | undefined
}

/** The user's dropdown: initials on the toggle; email, plan and the entries inside. */
export function UserMenu({ name, email, plan, entries, onUpgrade }: UserMenuProps) {
  // The menu opens inside the header, so that it belongs to a landmark.
  const [place, setPlace] = useState<HTMLElement | null>(null)
  return (
    <div ref={setPlace}>
      <Menu.Root>
        <Menu.Trigger
          aria-label={`Your account, ${email}`}
          className="group flex h-11 items-center gap-1.5 rounded-sm pr-1 pl-1 hover:bg-biscuit"
        >
          <span className="grid size-9 place-items-center rounded-full bg-seam font-display text-small font-[650] text-on-seam">
            {initialsOf(name, email)}
          </span>
          <ChevronDown
            aria-hidden
            size={18}
            className="transition-transform group-data-[popup-open]:rotate-180"
          />
        </Menu.Trigger>
        <Menu.Portal container={place}>
          <Menu.Positioner align="end" sideOffset={8} className="z-40">
            <Menu.Popup className="w-72 origin-top-right rounded-sm border border-mist bg-glaze py-2 text-ink shadow-[0_8px_28px_oklch(0.2_0.04_262/0.14)] transition-opacity duration-(--quick) outline-none data-[ending-style]:opacity-0 data-[starting-style]:opacity-0">
              <div className="border-b border-mist px-4 pt-1 pb-3">
                <p className="truncate font-semibold" title={email}>
                  {email}
                </p>
                <p className="text-small text-ink-soft">{plan} plan</p>
              </div>
              <div className="py-1.5">
                {entries.map((entry) => (
                  <Menu.Item key={entry.label} onClick={entry.onSelect} className={cx(ITEM)}>
                    {entry.icon}
                    {entry.label}
                  </Menu.Item>
                ))}
              </div>
              {onUpgrade ? (
                <div className="border-t border-mist px-3 pt-3 pb-1">
                  <Menu.Item
                    onClick={onUpgrade}
                    className="flex min-h-11 cursor-pointer items-center justify-center rounded-sm bg-seam font-semibold text-on-seam outline-none data-[highlighted]:bg-seam-press data-[highlighted]:ring-2 data-[highlighted]:ring-ink data-[highlighted]:ring-inset"
                  >
                    Upgrade Plan
                  </Menu.Item>
                </div>
              ) : null}
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
    </div>
  )
}

const ITEM =
  'mx-1.5 flex min-h-11 cursor-pointer items-center gap-3 rounded-sm px-3 text-small outline-none data-[highlighted]:bg-biscuit'
