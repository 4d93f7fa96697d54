import { ACCOUNT } from '@mendframe/contract'
import { type FormEvent, useState } from 'react'
import { call } from '../../../shared/api/call.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { Field } from '../../../shared/ui/field.tsx'
import { sayFailure } from './say-failure.ts'

interface OwnDataProps {
  readonly email: string
  readonly onDeleted: () => void
}

async function saveExport(): Promise<void> {
  const data = await call(ACCOUNT.exportData, {})
  const address = URL.createObjectURL(new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = address
  link.download = 'account.json'
  link.click()
  URL.revokeObjectURL(address)
}

/** Everything about the account to take along, and its end. */
export function OwnData({ email, onDeleted }: OwnDataProps) {
  const [asking, setAsking] = useState(false)
  return (
    <section aria-labelledby="data-heading" className="rounded-sm border border-mist bg-glaze p-5 sm:p-7">
      <h2 id="data-heading" className="text-heading">
        Your data
      </h2>
      <p className="mt-1.5 mb-4 max-w-[65ch] text-small text-ink-soft">
        You can take everything we store about you with you, or delete the account with all of its files.
      </p>
      <div className="flex flex-wrap gap-3">
        <Button look="secondary" size="small" onClick={() => void saveExport().catch(sayFailure)}>
          Download my data
        </Button>
        {asking ? null : (
          <Button look="danger" size="small" onClick={() => setAsking(true)}>
            Delete my account
          </Button>
        )}
      </div>
      {asking ? <DeleteForm email={email} onDeleted={onDeleted} onKeep={() => setAsking(false)} /> : null}
    </section>
  )
}

function DeleteForm({ email, onDeleted, onKeep }: OwnDataProps & { readonly onKeep: () => void }) {
  const [typed, setTyped] = useState('')
  const [password, setPassword] = useState('')
  const [error, setError] = useState<string>()

  const remove = async (event: FormEvent) => {
    event.preventDefault()
    const same = typed.trim() === email
    setError(same ? undefined : 'Please type the email of this account.')
    if (!same) return
    try {
      await call(ACCOUNT.remove, { body: password === '' ? { email } : { email, password } })
      onDeleted()
    } catch (cause) {
      sayFailure(cause)
    }
  }

  return (
    <form
      noValidate
      onSubmit={remove}
      className="mt-6 grid items-start gap-x-8 gap-y-4 border-t border-mist pt-6 sm:grid-cols-2"
    >
      <p className="sm:col-span-2">
        This cannot be undone. Type your email{' '}
        <span className="font-semibold [overflow-wrap:anywhere]">{email}</span> to confirm.
      </p>
      <Field
        label="Email"
        type="email"
        autoComplete="off"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        error={error}
      />
      <Field
        label="Password"
        hint="If the account has one."
        type="password"
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" look="danger" size="small">
          Delete my account
        </Button>
        <Button look="quiet" size="small" onClick={onKeep}>
          Keep it
        </Button>
      </div>
    </form>
  )
}
