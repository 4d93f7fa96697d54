import type { Product } from '@mendframe/contract'
import type { ReactNode } from 'react'
import { formatMegabytes } from '../../../shared/lib/format.ts'
import { FileName } from '../../../shared/ui/file-name.tsx'
import type { FlowFile } from '../flow/flow-state.ts'

interface FilePanelProps {
  readonly product: Product
  /** What the file is to the repair. */
  readonly title: string
  readonly file: FlowFile
  readonly broken: boolean
  readonly action?: ReactNode
}

/** Name, size and format of a file. */
export function FilePanel({ product, title, file, broken, action }: FilePanelProps) {
  const Glyph = product === 'video' ? FrameGlyph : PrintGlyph
  return (
    <div className="flex items-center gap-4 rounded-sm border border-mist bg-glaze p-4">
      <Glyph broken={broken} />
      <div className="min-w-0 flex-1">
        <p className="text-tiny text-ink-soft">{title}</p>
        <p className="font-semibold break-words" title={file.name}>
          <FileName name={file.name} />
        </p>
        <dl className="figures flex flex-wrap gap-x-5 text-small text-ink-soft">
          <div className="flex gap-1.5">
            <dt>Size</dt>
            <dd className="text-ink">{formatMegabytes(file.bytes)}</dd>
          </div>
          <div className="flex gap-1.5">
            <dt>Format</dt>
            <dd className="text-ink uppercase">{file.extension}</dd>
          </div>
        </dl>
      </div>
      {action}
    </div>
  )
}

interface GlyphProps {
  readonly broken: boolean
}

const DARK = 'oklch(0.24 0.034 262)'
const PAPER = 'oklch(0.93 0.008 92)'
const BROKEN_GROUND = 'oklch(0.52 0.025 255)'
const WHOLE_GROUND = 'oklch(0.68 0.06 185)'

/** A frame of film, cracked or whole. */
function FrameGlyph({ broken }: GlyphProps) {
  return (
    <svg aria-hidden="true" width="52" height="44" viewBox="0 0 52 44" className="shrink-0">
      <rect width="52" height="44" rx="4" fill={DARK} />
      {[5, 15, 25, 35, 45].map((x) => (
        <g key={x} fill={PAPER}>
          <rect x={x - 2.5} y="3" width="5" height="4" rx="1" />
          <rect x={x - 2.5} y="37" width="5" height="4" rx="1" />
        </g>
      ))}
      <rect x="5" y="10" width="42" height="24" rx="1.5" fill={broken ? BROKEN_GROUND : WHOLE_GROUND} />
      {broken ? (
        <path d="M31 10 25 18l6 4-9 6 2 6" fill="none" stroke={DARK} strokeWidth="2.4" />
      ) : (
        <path d="m22 16 10 6-10 6Z" fill="oklch(0.97 0.006 92)" />
      )}
    </svg>
  )
}

/** A print with its white border, cracked or whole. */
function PrintGlyph({ broken }: GlyphProps) {
  return (
    <svg aria-hidden="true" width="52" height="44" viewBox="0 0 52 44" className="shrink-0">
      <rect x="0.5" y="0.5" width="51" height="43" rx="3.5" fill={PAPER} stroke={DARK} />
      <rect x="5" y="5" width="42" height="34" rx="1.5" fill={broken ? BROKEN_GROUND : WHOLE_GROUND} />
      <circle cx="37" cy="14" r="4" fill={PAPER} />
      <path d="m5 34 13-14 9 9 6-6 14 12v2.5a1.5 1.5 0 0 1-1.5 1.5h-39A1.5 1.5 0 0 1 5 37.5Z" fill={DARK} />
      {broken ? <path d="M29 5 23 15l6 5-8 8 2 11" fill="none" stroke={PAPER} strokeWidth="2.4" /> : null}
    </svg>
  )
}
