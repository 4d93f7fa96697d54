const HOLES = Array.from({ length: 11 }, (_, index) => 12 + index * 28)

function Holes() {
  return (
    <g fill="oklch(0.93 0.008 92)">
      {HOLES.map((x) => (
        <g key={x}>
          <rect x={x} y="8" width="14" height="11" rx="2.5" />
          <rect x={x} y="161" width="14" height="11" rx="2.5" />
        </g>
      ))}
    </g>
  )
}

/** A frame with its crack: a file that is not repaired yet. */
export function BrokenFrame() {
  return (
    <svg viewBox="0 0 320 180" className="size-full" role="img" aria-label="Not repaired yet">
      <rect width="320" height="180" fill="oklch(0.24 0.034 262)" />
      <rect x="58" y="30" width="204" height="120" rx="3" fill="oklch(0.4 0.03 255)" />
      <path d="M186 30 160 74l28 18-38 26 8 32" fill="none" stroke="oklch(0.2 0.032 262)" strokeWidth="6" />
      <Holes />
    </svg>
  )
}

/** An empty frame: the file was deleted. */
export function RemovedFrame() {
  return (
    <svg viewBox="0 0 320 180" className="size-full" role="img" aria-label="The file was removed">
      <rect width="320" height="180" fill="oklch(0.24 0.034 262)" />
      <rect
        x="58"
        y="30"
        width="204"
        height="120"
        rx="3"
        fill="none"
        stroke="oklch(0.6 0.028 262)"
        strokeWidth="1.5"
        strokeDasharray="8 6"
      />
      <text x="160" y="96" textAnchor="middle" fill="oklch(0.8 0.014 262)" fontSize="17">
        removed
      </text>
      <Holes />
    </svg>
  )
}
