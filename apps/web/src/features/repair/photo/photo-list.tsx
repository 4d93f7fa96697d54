import { ImageIcon, X } from 'lucide-react'
import { cx } from '../../../shared/lib/cx.ts'
import { FileName } from '../../../shared/ui/file-name.tsx'
import type { FlowState } from '../flow/flow-state.ts'
import type { BatchItem } from './photo-batch.ts'
import { photoStatus } from './photo-words.ts'

interface PhotoListProps {
  readonly items: readonly BatchItem[]
  readonly selected: number | undefined
  readonly onSelect: (id: number) => void
  readonly onRemove: (id: number) => void
}

/** The photos of the batch, each with how it stands; one of them is looked at. */
export function PhotoList({ items, selected, onSelect, onRemove }: PhotoListProps) {
  return (
    <ul aria-label="Your photos" className="grid grid-cols-[minmax(0,1fr)] content-start gap-2">
      {items.map(({ id, name, state, queued }) => (
        <li
          key={id}
          className={cx(
            'relative flex items-center rounded-sm border bg-glaze',
            id === selected ? 'border-seam-line shadow-[inset_3px_0_0_var(--seam-line)]' : 'border-mist',
          )}
        >
          <button
            type="button"
            aria-current={id === selected ? 'true' : undefined}
            onClick={() => onSelect(id)}
            className="flex min-w-0 flex-1 items-center gap-3 rounded-sm p-2.5 text-left"
          >
            <Thumbnail state={state} />
            <span className="min-w-0 flex-1">
              <span className="block truncate text-small font-semibold" title={name}>
                <FileName name={name} />
              </span>
              <span className={cx('figures block text-tiny', toneOf(state))}>
                {photoStatus(state, queued)}
              </span>
            </span>
          </button>
          <button
            type="button"
            aria-label={`Take ${name} off the list`}
            onClick={() => onRemove(id)}
            className="mr-1 grid size-10 shrink-0 place-items-center rounded-sm text-ink-soft hover:bg-biscuit hover:text-ink"
          >
            <X aria-hidden size={18} />
          </button>
        </li>
      ))}
    </ul>
  )
}

function toneOf({ transfer, repair }: FlowState): string {
  if (transfer?.state === 'failed') return 'text-vermilion'
  if (repair.kind === 'failed') return repair.why === 'cancelled' ? 'text-ink-soft' : 'text-vermilion'
  return repair.kind === 'done' && repair.result.verdict !== 'unrepairable' ? 'text-celadon' : 'text-ink-soft'
}

function Thumbnail({ state: { repair } }: { readonly state: FlowState }) {
  const picture = repair.kind === 'done' ? repair.result.download?.photoDownloadUrl : undefined
  const frame = 'grid size-12 shrink-0 place-items-center overflow-hidden rounded-sm bg-biscuit text-ink-soft'
  return (
    <span className={frame}>
      {picture ? (
        <img src={picture} alt="" className="size-full object-cover" />
      ) : (
        <ImageIcon aria-hidden size={20} />
      )}
    </span>
  )
}
