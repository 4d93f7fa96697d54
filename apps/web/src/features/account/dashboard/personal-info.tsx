import type { Product, User } from '@mendframe/contract'
import { useId, useRef, useState } from 'react'
import { notify } from '../../../shared/notify/notify.ts'
import { useSaveCountryMutation } from '../account-api.ts'
import { countriesFor } from '../countries.ts'

const GUEST = 'Guest User'

/** Email and country. */
export function PersonalInfo({ product, user }: { readonly product: Product; readonly user: User | null }) {
  const id = useId()
  const [save] = useSaveCountryMutation()
  const [chosen, setChosen] = useState<string>()
  const saved = useRef(Promise.resolve())
  const own = user?.country ?? ''

  const keep = async (country: string) => {
    const { error } = await save({ country, product })
    if (error) {
      setChosen(undefined)
      notify('error', error.message || 'An error occurred')
    } else notify('success', 'Your country is saved.')
  }
  // The arrow keys choose one after the other: the list stays open to them, and the last one is saved last.
  const choose = (country: string) => {
    setChosen(country)
    saved.current = saved.current.then(() => keep(country))
  }

  return (
    <section aria-labelledby={`${id}-heading`} className="rounded-sm border border-mist bg-glaze p-5 sm:p-7">
      <h2 id={`${id}-heading`} className="text-heading">
        Personal Info
      </h2>
      <div className="mt-5 grid gap-x-8 gap-y-5 sm:grid-cols-2">
        <div className="min-w-0">
          <p className="mb-1.5 text-small font-semibold">Email</p>
          <p className="flex h-12 items-center rounded-sm border border-mist bg-porcelain px-3.5">
            <span className="truncate" title={user?.email}>
              {user?.email ?? GUEST}
            </span>
          </p>
        </div>
        <div>
          <label htmlFor={`${id}-country`} className="mb-1.5 block text-small font-semibold">
            Country
          </label>
          <select
            id={`${id}-country`}
            value={chosen ?? own}
            disabled={!user}
            onChange={(event) => choose(event.target.value)}
            className="h-12 w-full rounded-sm border border-edge bg-glaze px-3 hover:border-ink"
          >
            <option value="" disabled>
              Select Country
            </option>
            {countriesFor(own).map((country) => (
              <option key={country} value={country}>
                {country}
              </option>
            ))}
          </select>
        </div>
      </div>
    </section>
  )
}
