interface UsageBarProps {
  readonly used: number
  readonly total: number
  readonly label: string
}

/** How much of the plan is used: a seam in a groove. */
export function UsageBar({ used, total, label }: UsageBarProps) {
  const percent = total > 0 ? Math.min(100, (used / total) * 100) : 0
  return (
    <div>
      <div className="mb-1.5 flex items-baseline justify-between gap-3 text-small">
        <span className="text-ink-soft">{label}</span>
        <span className="figures font-semibold">
          {used}/{total}
        </span>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: browsers do not let the native meter be drawn as a seam. */}
      <div
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={Math.min(used, total)}
        aria-valuetext={`${used} of ${total}`}
        className="h-2.5 overflow-hidden rounded-full border border-edge bg-glaze"
      >
        <div className="h-full bg-seam-line" style={{ width: `${percent}%` }} />
      </div>
    </div>
  )
}
