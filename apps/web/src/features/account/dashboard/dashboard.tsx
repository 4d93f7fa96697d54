import { formatLongDate, type Product, type User } from '@mendframe/contract'
import { ArrowUpRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import { cx } from '../../../shared/lib/cx.ts'
import { initialsOf } from '../../../shared/lib/initials.ts'
import { sectionOf, sectionsOf } from './sections.ts'

interface DashboardProps {
  readonly product: Product
  readonly user: User | null
  readonly plan: ReactNode
  readonly account: ReactNode
  readonly billing: ReactNode
}

const GUEST = 'Guest User'

/** The account page: who it is on the left, the section named by the address on the right. */
export function Dashboard({ product, user, plan, account, billing }: DashboardProps) {
  const { hash } = useLocation()
  const current = sectionOf(product, hash)
  const created = user ? new Date(user.created_at) : undefined
  const panels = { plan, account, billing }
  const heading = sectionsOf(product).find(({ id }) => id === current)?.label ?? ''
  return (
    <div className="page grid grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-8 py-10 lg:grid-cols-[16rem_minmax(0,1fr)] lg:py-14">
      <aside className="min-w-0 lg:border-r lg:border-mist lg:pr-8">
        <Identity user={user} />
        <nav aria-label="Account" className="mt-7 flex flex-wrap gap-1 lg:grid">
          {sectionsOf(product).map((section, index) => (
            <div key={section.id} className="contents">
              <Link
                to={section.hash}
                preventScrollReset
                aria-current={section.id === current ? 'page' : undefined}
                className={NAV_ITEM}
              >
                {section.label}
              </Link>
              {index === 0 ? (
                <a
                  href={product === 'video' ? '/' : '/photo/app'}
                  target="_blank"
                  rel="noopener"
                  className={cx(NAV_ITEM, 'gap-1.5')}
                >
                  {product === 'video' ? 'Repair Video' : 'Repair Photo'}
                  <ArrowUpRight aria-hidden size={16} className="text-ink-soft" />
                  <span className="sr-only">(new tab)</span>
                </a>
              ) : null}
            </div>
          ))}
        </nav>
      </aside>
      <div className="min-w-0">
        <div className="mb-8 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
          <h1 className="text-title">{heading}</h1>
          <p className="text-small text-ink-soft">
            Date Created{' '}
            <span className="figures font-semibold text-ink">
              {created && !Number.isNaN(created.getTime()) ? formatLongDate(created) : GUEST}
            </span>
          </p>
        </div>
        {panels[current]}
      </div>
    </div>
  )
}

const NAV_ITEM =
  'flex min-h-11 shrink-0 items-center rounded-sm px-3.5 text-small font-semibold whitespace-nowrap text-ink-soft no-underline hover:bg-biscuit hover:text-ink aria-[current=page]:bg-biscuit aria-[current=page]:text-ink max-lg:aria-[current=page]:shadow-[inset_0_-3px_0_var(--seam-line)] lg:aria-[current=page]:shadow-[inset_3px_0_0_var(--seam-line)]'

function Identity({ user }: { readonly user: User | null }) {
  const plan = user?.current_plan || 'Free'
  const premium = plan !== 'Free'
  return (
    <div className="flex items-center gap-4 lg:block">
      <span className="grid size-14 shrink-0 place-items-center rounded-full bg-seam font-display text-heading font-[650] text-on-seam">
        {initialsOf(user?.name ?? '', user?.email ?? GUEST)}
      </span>
      <div className="min-w-0 lg:mt-4">
        <p className="font-semibold [overflow-wrap:anywhere]">{user?.email ?? GUEST}</p>
        <p className="mt-1.5">
          <span
            className={cx(
              'inline-flex items-center gap-1.5 rounded-sm px-2 py-0.5 text-tiny font-semibold',
              premium ? 'bg-seam text-on-seam' : 'border border-edge text-ink-soft',
            )}
          >
            {premium ? <PremiumGlyph /> : null}
            {plan} plan
          </span>
        </p>
      </div>
    </div>
  )
}

/** A mended frame in small: the badge of Premium. */
function PremiumGlyph() {
  return (
    <svg
      aria-hidden="true"
      width="14"
      height="12"
      viewBox="0 0 14 12"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
    >
      <rect x="1" y="1" width="12" height="10" rx="2" />
      <path d="m8 1-2 4 2 2-1 4" />
    </svg>
  )
}
