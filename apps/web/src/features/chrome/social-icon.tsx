import type { SocialNetwork } from '../../shared/brand/brand.ts'

/** Plain letterforms in one line weight: an operator's networks, not their trademarks. */
const SHAPES: Readonly<Record<SocialNetwork, string>> = {
  Facebook: 'M14.5 5H13a3 3 0 0 0-3 3v11M7 12h6.5',
  X: 'M5.5 5.5 18.5 18.5M18.5 5.5 5.5 18.5',
  LinkedIn: 'M6 10v8M6 6v.1M10.5 18v-8M10.5 13.5c0-2 1.5-3.5 3.5-3.5s3.5 1.5 3.5 3.5V18',
  YouTube:
    'M3.5 8a2.5 2.5 0 0 1 2.5-2.5h12A2.5 2.5 0 0 1 20.5 8v8a2.5 2.5 0 0 1-2.5 2.5H6A2.5 2.5 0 0 1 3.5 16ZM10 9.5v5l4.5-2.5Z',
}

export function SocialIcon({ network }: { readonly network: SocialNetwork }) {
  return (
    <svg
      aria-hidden="true"
      width="20"
      height="20"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={SHAPES[network]} />
    </svg>
  )
}
