/** Frames on the computer's screen; the number says how far each one's seam has come. */
const FRAMES: readonly (readonly [x: number, y: number, seam: number])[] = [
  [92, 46, 1],
  [192, 46, 1],
  [292, 46, 1],
  [392, 46, 1],
  [92, 122, 1],
  [192, 122, 0.62],
  [292, 122, 0],
  [392, 122, 0],
  [92, 198, 0],
  [192, 198, 0],
  [292, 198, 0],
  [392, 198, 0],
]
const SEAMS: readonly string[] = [
  'M52 0 38 22l12 10-20 12-6 20',
  'M28 0l10 18-12 14 26 10 4 22',
  'M60 0 48 16l-24 8 20 18-10 22',
]

/** A computer that mends one film after another. */
export function DesktopPicture() {
  return (
    <svg viewBox="0 0 560 330" aria-hidden="true" className="mx-auto block w-full max-w-[36rem]">
      <path d="M60 330V38a18 18 0 0 1 18-18h404a18 18 0 0 1 18 18v292Z" fill="var(--biscuit)" />
      <path
        d="M60 330V38a18 18 0 0 1 18-18h404a18 18 0 0 1 18 18v292"
        fill="none"
        stroke="var(--edge)"
        strokeWidth="2.5"
      />
      {FRAMES.map(([x, y, seam], index) => (
        <g key={`${x},${y}`} transform={`translate(${x} ${y})`}>
          <rect
            width="78"
            height="64"
            rx="5"
            fill={seam === 1 ? 'var(--ink)' : 'none'}
            stroke="var(--edge)"
            strokeWidth="2"
          />
          <path
            d={SEAMS[index % SEAMS.length]}
            pathLength={1}
            fill="none"
            stroke={seam === 0 ? 'var(--edge)' : 'oklch(0.72 0.14 80)'}
            strokeWidth={seam === 0 ? 2 : 3.5}
            strokeDasharray={seam > 0 && seam < 1 ? `${seam} 1` : undefined}
            strokeLinejoin="bevel"
          />
        </g>
      ))}
      <path d="M92 296h376" stroke="var(--mist)" strokeWidth="6" strokeLinecap="round" />
      <path d="M92 296h176" stroke="var(--seam)" strokeWidth="6" strokeLinecap="round" />
    </svg>
  )
}
