import type { ReactNode } from 'react'

interface ReportRowProps {
  readonly term: string
  readonly children: ReactNode
}

/** What a report says of one thing: the thing on the left, the words beside it, below it where the window is narrow. */
export function ReportRow({ term, children }: ReportRowProps) {
  return (
    <div className="grid gap-x-4 sm:grid-cols-[10rem_1fr]">
      <dt className="font-semibold">{term}</dt>
      <dd className="figures">{children}</dd>
    </div>
  )
}
