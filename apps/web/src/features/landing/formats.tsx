import { VIDEO_EXTENSIONS } from '@mendframe/contract'
import { LARGEST_VIDEO } from '../../shared/lib/plan-text.ts'
import { FAMILIES } from './content.ts'
import { RepairLinks } from './repair-links.tsx'

/** The extensions, by the container they stand for, with where such files come from. */
export function Formats() {
  return (
    <section aria-labelledby="formats-title" className="border-t border-mist">
      <div className="page grid gap-x-16 gap-y-10 py-20 lg:grid-cols-[5fr_7fr] lg:py-28">
        <div>
          <h2 id="formats-title" className="max-w-[16ch] text-title">
            {VIDEO_EXTENSIONS.length} extensions, repaired in their own format
          </h2>
          <p className="mt-4 mb-8 max-w-[34rem] text-ink-soft">
            An MP4 comes back as an MP4, an AVI as an AVI. Frames that survived are copied bit for bit, never
            compressed again. A file may have up to {LARGEST_VIDEO}.
          </p>
          <RepairLinks />
        </div>
        <dl className="border-t border-mist">
          {FAMILIES.map(({ extensions, from }) => (
            <div
              key={from}
              className="grid gap-x-8 gap-y-0.5 border-b border-mist py-3.5 sm:grid-cols-[1fr_15rem] sm:items-baseline"
            >
              <dt className="flex flex-wrap gap-x-4 font-display text-heading font-[620] tracking-[-0.01em]">
                {extensions.map((extension) => (
                  <span key={extension}>{extension.toUpperCase()}</span>
                ))}
              </dt>
              <dd className="text-small text-ink-soft">{from}</dd>
            </div>
          ))}
        </dl>
      </div>
    </section>
  )
}
