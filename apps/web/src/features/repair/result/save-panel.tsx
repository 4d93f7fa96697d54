import type { DownloadReply, Product } from '@mendframe/contract'
import { Download, Trash2 } from 'lucide-react'
import { LEAVES_NOTHING } from '../../../shared/lib/leaves-nothing.ts'
import { Button, ButtonAnchor, ButtonLink } from '../../../shared/ui/button.tsx'
import { FileName } from '../../../shared/ui/file-name.tsx'
import { KeptUntil } from '../../../shared/ui/kept-until.tsx'

export interface ResultActions {
  /** For visitors who are not signed in (any more). */
  readonly onSignIn: () => void
  readonly onUpgrade: () => void
  readonly onManual: () => void
  readonly onDelete: () => void
  /** 'Continue Repairing >>' and 'Repair another video'. */
  readonly onAgain: () => void
}

interface SavePanelProps {
  readonly product: Product
  /** Name of the file as the visitor knows it. */
  readonly name: string
  readonly download: DownloadReply
  /** The plan of the visitor; `undefined` for a guest. */
  readonly plan: string | undefined
  readonly actions: ResultActions
}

/** Where the result is saved, how long it is kept, and how it is deleted at once. */
export function SavePanel({ product, name, download, plan, actions }: SavePanelProps) {
  const title = product === 'video' ? 'Save Repaired Video' : 'Save Repaired Photo'
  const dashboard = product === 'video' ? '/admin/dashboard#myplan' : '/photo/app/dashboard#dashboard'
  // A photo is saved where it was looked at, beside the others of its batch. A Premium plan whose repairs are used up gives
  // the preview of a large video as Free does.
  const direct = download.full && (plan === 'Premium' || (product === 'photo' && plan !== undefined))
  return (
    <div className="rounded-sm border border-seam-line bg-seam-wash p-5 sm:p-6">
      <h3 className="text-heading">{title}</h3>
      <p className="mt-1 mb-4 text-small break-words" title={name}>
        <FileName name={name} />
      </p>
      {download.message ? <p className="mb-4 text-small">{download.message}</p> : null}
      <div className="flex flex-wrap gap-3">
        {direct ? (
          <>
            <ButtonAnchor href={download.videoDownloadUrl} download>
              <Download aria-hidden size={20} />
              {title}
            </ButtonAnchor>
            <Button look="secondary" onClick={actions.onAgain}>
              Continue Repairing &gt;&gt;
            </Button>
          </>
        ) : plan === undefined ? (
          <Button onClick={actions.onSignIn}>{title}</Button>
        ) : (
          <>
            <ButtonLink to={dashboard} state={LEAVES_NOTHING}>
              {title}
            </ButtonLink>
            {download.full ? (
              <ButtonAnchor look="secondary" href={download.videoDownloadUrl} download>
                <Download aria-hidden size={20} />
                Download now
              </ButtonAnchor>
            ) : (
              <Button look="secondary" onClick={actions.onUpgrade}>
                Upgrade Plan
              </Button>
            )}
          </>
        )}
      </div>
      {product === 'photo' ? <OtherFormats download={download} /> : null}
      <p className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-mist pt-3 text-small text-ink-soft">
        <KeptUntil expiresAt={download.expiresAt} />
        <button
          type="button"
          onClick={actions.onDelete}
          className="inline-flex min-h-6 items-center gap-1.5 font-semibold text-vermilion hover:underline"
        >
          <Trash2 aria-hidden size={16} />
          Delete now
        </button>
      </p>
    </div>
  )
}

/** A photo in formats that every program opens, beside its own. */
function OtherFormats({ download }: { readonly download: DownloadReply }) {
  const formats = [
    { label: 'JPEG', url: download.jpegUrl },
    { label: 'PNG', url: download.pngUrl },
  ]
  return (
    <p className="mt-4 flex flex-wrap gap-x-5 gap-y-1 text-small">
      {formats.map(({ label, url }) =>
        url ? (
          <a
            key={label}
            href={url}
            download
            className="inline-link inline-flex min-h-6 items-center font-semibold"
          >
            Save as {label}
          </a>
        ) : null,
      )}
    </p>
  )
}
