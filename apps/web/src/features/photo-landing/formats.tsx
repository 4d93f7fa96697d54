import { FREE_PHOTO_EXTENSIONS, PHOTO_EXTENSIONS } from '@mendframe/contract'
import { FORMATS, MAKERS } from './content.ts'

/** The formats, and the makers whose cameras write them. */
export function Formats() {
  return (
    <section aria-labelledby="photo-formats-title" className="border-t border-mist">
      <div className="page grid gap-x-16 gap-y-12 py-20 lg:grid-cols-[5fr_7fr] lg:py-28">
        <div>
          <h2 id="photo-formats-title" className="max-w-[17ch] text-title">
            JPEG for free, {PHOTO_EXTENSIONS.length - FREE_PHOTO_EXTENSIONS.length} more with Premium
          </h2>
          <dl className="mt-8 border-t border-mist">
            {FORMATS.map(({ name, extensions }) => (
              <div key={name} className="grid grid-cols-[7rem_1fr] gap-x-4 border-b border-mist py-3">
                <dt className="font-semibold">{name}</dt>
                <dd className="text-ink-soft">{extensions.join(', ').toUpperCase()}</dd>
              </div>
            ))}
          </dl>
        </div>
        <div>
          <h3 className="text-heading">From these makers and others</h3>
          <ul className="mt-5 flex flex-wrap gap-2.5">
            {MAKERS.map(({ name, extensions }) => (
              <li
                key={name}
                className="flex items-baseline gap-2.5 rounded-sm border border-mist bg-glaze px-3.5 py-2"
              >
                <span className="font-semibold">{name}</span>
                <span className="text-tiny text-ink-soft">{extensions.join(' ').toUpperCase()}</span>
              </li>
            ))}
          </ul>
          <p className="mt-5 max-w-[36rem] text-small text-ink-soft">
            The names say whose files we can read. They belong to their owners, who have no part in this
            service.
          </p>
        </div>
      </div>
    </section>
  )
}
