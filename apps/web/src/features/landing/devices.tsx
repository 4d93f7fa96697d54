import { DEVICES } from './content.ts'
import { DeviceSilhouette } from './device-silhouettes.tsx'
import { RepairLinks } from './repair-links.tsx'

/** What people film with, on a shelf. */
export function Devices() {
  return (
    <section aria-labelledby="devices-title" className="page pb-20 lg:pb-28">
      <div className="flex flex-wrap items-end justify-between gap-x-16 gap-y-4">
        <div>
          <h2 id="devices-title" className="text-title">
            Whatever it was filmed with
          </h2>
          <p className="mt-3 max-w-[36rem] text-ink-soft">
            Every device writes video in its own way. Your healthy sample teaches us the way of yours.
          </p>
        </div>
        <RepairLinks quiet />
      </div>
      <ul className="mt-12 grid grid-cols-4 gap-y-8 lg:grid-cols-8">
        {DEVICES.map(({ kind, label }) => (
          <li key={kind} className="flex flex-col">
            <div className="flex justify-center border-b-2 border-ink px-2 sm:px-4 lg:px-3">
              <DeviceSilhouette kind={kind} />
            </div>
            <p className="mt-3 px-1 text-center text-tiny text-balance text-ink-soft sm:text-small">
              {label}
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}
