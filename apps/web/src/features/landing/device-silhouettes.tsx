import type { ReactNode } from 'react'
import type { DeviceKind } from './content.ts'

/** Each device stands on the lower edge of a 120 by 96 box; body in the text's colour, glass in the ground's. */
const SHAPES: Readonly<Record<DeviceKind, ReactNode>> = {
  phone: (
    <>
      <path d="M43 14a7 7 0 0 1 7-7h26a7 7 0 0 1 7 7v82H43Z" />
      <g className="glass">
        <rect x="48" y="13" width="15" height="26" rx="5" />
      </g>
      <circle cx="55.5" cy="20.5" r="4" />
      <circle cx="55.5" cy="31.5" r="4" />
      <circle className="gold" cx="70" cy="17" r="2.5" />
    </>
  ),
  'action-camera': (
    <>
      <path d="M24 52a7 7 0 0 1 7-7h8v-4h16v4h34a7 7 0 0 1 7 7v44H24Z" />
      <rect className="glass" x="60" y="53" width="28" height="28" rx="5" />
      <circle cx="74" cy="67" r="10" />
      <circle className="gold" cx="74" cy="67" r="4" />
      <rect className="glass" x="32" y="55" width="20" height="13" rx="2" />
    </>
  ),
  drone: (
    <>
      <path d="M44 52h32l8 10-6 14H42l-6-14Z" />
      <path d="M42 58 18 48M78 58l24-10" className="line" strokeWidth="6" />
      <path d="M18 50V38M102 50V38" className="line" strokeWidth="5" />
      <path d="M2 37h32M86 37h32" className="line" strokeWidth="3.5" />
      <path d="M42 74 32 94M78 74l10 20M24 94.500h16M80 94.500h16" className="line" strokeWidth="3.5" />
      <circle cx="60" cy="79" r="9" />
      <circle className="glass" cx="60" cy="79" r="5.5" />
      <circle className="gold" cx="60" cy="79" r="2.5" />
    </>
  ),
  camera: (
    <>
      <path d="M10 46a6 6 0 0 1 6-6h10l3-6h14l3 6h4l7-12h24l7 12h16a6 6 0 0 1 6 6v50H10Z" />
      <circle className="glass" cx="66" cy="67" r="24" />
      <circle cx="66" cy="67" r="20" />
      <circle className="glass" cx="66" cy="67" r="11" />
      <circle className="gold" cx="66" cy="67" r="5" />
      <rect className="glass" x="18" y="49" width="14" height="5" rx="2.5" />
    </>
  ),
  camcorder: (
    <>
      <path d="M30 56a7 7 0 0 1 7-7h49a7 7 0 0 1 7 7v40H30Z" />
      <path d="M8 58h18v24H8a4 4 0 0 1-4-4V62a4 4 0 0 1 4-4Z" />
      <rect className="glass" x="8" y="63" width="5" height="14" rx="2" />
      <path d="M42 49V38h36v11M97 60l20-9v32l-20-9Z" className="line" strokeWidth="5" fill="none" />
      <rect className="glass" x="42" y="58" width="40" height="26" rx="3" />
      <circle className="gold" cx="49" cy="91" r="2.5" />
    </>
  ),
  'dash-camera': (
    <>
      <path d="M46 8h28l-4 14H50Z" />
      <path d="M60 22v12" className="line" strokeWidth="6" />
      <path d="M20 40a6 6 0 0 1 6-6h68a6 6 0 0 1 6 6v26a6 6 0 0 1-6 6H26a6 6 0 0 1-6-6Z" />
      <circle className="glass" cx="60" cy="53" r="15" />
      <circle cx="60" cy="53" r="11" />
      <circle className="gold" cx="60" cy="53" r="4.5" />
      <path d="M4 96q56-16 112 0" className="line" strokeWidth="3" fill="none" />
    </>
  ),
  'security-camera': (
    <>
      <path d="M104 40h10v56h-10Z" />
      <path d="M104 62H84l-8-12" className="line" strokeWidth="5" fill="none" />
      <path d="M14 30 86 16a5 5 0 0 1 6 4l4 20a5 5 0 0 1-4 6L22 60Z" />
      <path d="M10 32.500 4 34l6 30 6-1.500Z" />
      <ellipse className="glass" cx="15.5" cy="46" rx="4.5" ry="9.5" transform="rotate(-11 15.500 46)" />
      <circle className="gold" cx="82" cy="28" r="2.5" />
    </>
  ),
  screen: (
    <>
      <path d="M18 32a6 6 0 0 1 6-6h72a6 6 0 0 1 6 6v54H18Z" />
      <rect className="glass" x="24" y="32" width="72" height="48" rx="2" />
      <path d="M4 88h112v2a6 6 0 0 1-6 6H10a6 6 0 0 1-6-6Z" />
      <circle cx="60" cy="56" r="11" />
      <circle className="gold" cx="60" cy="56" r="5" />
    </>
  ),
}

/** A device as a dark silhouette with one speck of gold. */
export function DeviceSilhouette({ kind }: { readonly kind: DeviceKind }) {
  return (
    <svg viewBox="0 0 120 96" aria-hidden="true" className="device block w-full max-w-28">
      {SHAPES[kind]}
    </svg>
  )
}
