import { brand } from '../brand/brand.ts'
import { cx } from '../lib/cx.ts'

/** The crack of the mark, from the top edge to the bottom edge of the frame. */
const CRACK = 'M20.5 4.5 16.5 12l3.5 3.5-6 5.5-1 6.5'

/** The mark: a film frame whose crack is a seam of gold. Decorative; the name stands beside it. */
export function Mark({ size = 32, className }: { readonly size?: number; readonly className?: string }) {
  return (
    <svg aria-hidden="true" width={size} height={size} viewBox="0 0 32 32" className={className}>
      <path
        fillRule="evenodd"
        style={{ fill: 'light-dark(oklch(0.235 0.04 262), oklch(0.37 0.036 262))' }}
        d="M7.5 4.5h17a4.5 4.5 0 0 1 4.5 4.5v14a4.5 4.5 0 0 1-4.5 4.5h-17A4.5 4.5 0 0 1 3 23V9a4.5 4.5 0 0 1 4.5-4.5ZM6 9.5v2.6h2.4V9.5ZM6 14.7v2.6h2.4v-2.6ZM6 19.9v2.6h2.4v-2.6ZM23.6 9.5v2.6H26V9.5ZM23.6 14.7v2.6H26v-2.6ZM23.6 19.9v2.6H26v-2.6Z"
      />
      <path d={CRACK} fill="none" stroke="oklch(0.83 0.135 86)" strokeWidth="2.2" strokeLinejoin="bevel" />
    </svg>
  )
}

/** Mark and name. */
export function Logo({ className }: { readonly className?: string }) {
  return (
    <span className={cx('inline-flex items-center gap-2.5', className)}>
      <Mark size={34} />
      <span className="font-display text-[1.375rem] leading-none font-[650] tracking-[-0.03em]">
        {brand.name}
      </span>
    </span>
  )
}
