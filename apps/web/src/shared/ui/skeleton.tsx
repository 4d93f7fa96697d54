import { cx } from '../lib/cx.ts'

/** The place of something that is on its way. */
export function Skeleton({ className }: { readonly className?: string }) {
  return <div aria-hidden="true" className={cx('animate-pulse rounded-sm bg-mist/60', className)} />
}
