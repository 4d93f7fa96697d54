import { useEffect, useState } from 'react'
import { formatUntil } from '../lib/format.ts'

const MINUTE_MS = 60_000

/** When the files are deleted: the exact time here, and how long that is. */
export function KeptUntil({ expiresAt }: { readonly expiresAt: string }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE_MS)
    return () => clearInterval(timer)
  }, [])
  const when = new Date(expiresAt)
  if (Number.isNaN(when.getTime())) return null
  const text = when.toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short' })
  return (
    <span className="figures">
      Deleted automatically on <time dateTime={expiresAt}>{text}</time>, in{' '}
      {formatUntil(when.getTime() - now)}.
    </span>
  )
}
