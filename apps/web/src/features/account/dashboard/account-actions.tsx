import { SESSIONS, TEXTS, type User } from '@mendframe/contract'
import { type FormEvent, useState } from 'react'
import { call } from '../../../shared/api/call.ts'
import { notify } from '../../../shared/notify/notify.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { Field } from '../../../shared/ui/field.tsx'
import { OwnData } from './own-data.tsx'
import { sayFailure } from './say-failure.ts'

interface AccountActionsProps {
  readonly user: User
  /** The account is gone: forget it here too. */
  readonly onDeleted: () => void
}

/** Verification, password, one's own data, and the end of the account. */
export function AccountActions({ user, onDeleted }: AccountActionsProps) {
  return (
    <div className="mt-8 grid grid-cols-[minmax(0,1fr)] gap-8">
      {user.email_verified ? null : <Verification email={user.email} />}
      <PasswordChange />
      <OwnData email={user.email} onDeleted={onDeleted} />
    </div>
  )
}

function Verification({ email }: { readonly email: string }) {
  const [sent, setSent] = useState(false)
  const send = async () => {
    try {
      await call(SESSIONS.sendVerification, {})
      setSent(true)
    } catch (cause) {
      sayFailure(cause)
    }
  }
  return (
    <section
      aria-labelledby="verify-heading"
      className="rounded-sm border border-seam-line bg-seam-wash p-5 sm:p-7"
    >
      <h2 id="verify-heading" className="text-heading">
        Please verify your email
      </h2>
      <p className="mt-1.5 mb-4 max-w-[65ch] text-small">
        A mail with a link went to {email}. Until you open it, purchases made with this address alone are not
        bound to your account.
      </p>
      {sent ? (
        <p role="status" className="font-semibold text-celadon">
          The mail is on its way.
        </p>
      ) : (
        <Button look="secondary" size="small" onClick={send}>
          Send the mail again
        </Button>
      )}
    </section>
  )
}

function PasswordChange() {
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setError(next === '' ? TEXTS.passwordRequired : undefined)
    if (next === '' || busy) return
    setBusy(true)
    try {
      await call(SESSIONS.changePassword, { body: { currentPassword: current, newPassword: next } })
      setCurrent('')
      setNext('')
      notify('success', 'Your password is changed. Other devices are signed out.')
    } catch (cause) {
      sayFailure(cause)
    }
    setBusy(false)
  }
  return (
    <section aria-labelledby="password-heading" className="rounded-sm border border-mist bg-glaze p-5 sm:p-7">
      <h2 id="password-heading" className="text-heading">
        Password
      </h2>
      <form noValidate onSubmit={submit} className="mt-5 grid items-start gap-x-8 gap-y-4 sm:grid-cols-2">
        <Field
          label="Current password"
          hint="Leave it empty if you have only signed in with Google or Apple."
          type="password"
          autoComplete="current-password"
          value={current}
          onChange={(event) => setCurrent(event.target.value)}
        />
        <Field
          label="New password"
          type="password"
          autoComplete="new-password"
          value={next}
          onChange={(event) => setNext(event.target.value)}
          error={error}
        />
        <div>
          <Button type="submit" look="secondary" size="small" aria-disabled={busy}>
            Change password
          </Button>
        </div>
      </form>
    </section>
  )
}
