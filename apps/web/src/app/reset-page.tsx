import { SESSIONS, TEXTS } from '@mendframe/contract'
import { type FormEvent, useState } from 'react'
import { useSearchParams } from 'react-router'
import { completeSignIn } from '../features/auth/after-sign-in.ts'
import { call } from '../shared/api/call.ts'
import { ApiFailure } from '../shared/api/failure.ts'
import { flavourOf } from '../shared/lib/flavour-of.ts'
import { notify } from '../shared/notify/notify.ts'
import { Button } from '../shared/ui/button.tsx'
import { Field } from '../shared/ui/field.tsx'
import { LinkMissing } from './link-missing.tsx'

/** Where the mail of a forgotten password leads. */
export function ResetPage() {
  const [query] = useSearchParams()
  const token = query.get('token')
  const product = flavourOf(query)
  const [password, setPassword] = useState('')
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)

  if (!token) return <LinkMissing title="Set a new password" />
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setError(password === '' ? TEXTS.passwordRequired : undefined)
    if (password === '' || busy) return
    setBusy(true)
    try {
      const reply = await call(SESSIONS.resetPassword, {
        body: { token, password, product },
      })
      completeSignIn(product, 'email', reply)
    } catch (cause) {
      notify('error', (cause instanceof ApiFailure && cause.message) || TEXTS.signInFailed)
      setBusy(false)
    }
  }

  return (
    <section className="page py-16 lg:py-24">
      <h1 className="text-title">Set a new password</h1>
      <p className="mt-4 max-w-[60ch] text-ink-soft">
        All other sessions of your account end, and you are logged in here.
      </p>
      <form noValidate onSubmit={submit} className="mt-8 grid max-w-md gap-5">
        <Field
          label="New password"
          type="password"
          autoComplete="new-password"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          error={error}
        />
        <Button type="submit" aria-disabled={busy}>
          Set the password
        </Button>
      </form>
    </section>
  )
}
