import type { ReactNode } from 'react'
import { Mark } from './logo.tsx'

/** Fills the page while something without a measure is on its way. */
export function FullSpinner({ label, children }: { readonly label: string; readonly children?: ReactNode }) {
  return (
    <div role="status" className="fixed inset-0 z-30 grid place-items-center bg-porcelain">
      <div className="grid justify-items-center gap-4">
        <Mark size={56} className="full-spinner" />
        <span className="text-ink-soft">{label}</span>
        {children}
      </div>
    </div>
  )
}
