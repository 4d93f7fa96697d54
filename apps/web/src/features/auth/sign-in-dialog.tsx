import { isEmail, type Product, type Provider, SESSIONS, TEXTS } from '@mendframe/contract'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { call } from '../../shared/api/call.ts'
import { ApiFailure } from '../../shared/api/failure.ts'
import { brand, brandUrl } from '../../shared/brand/brand.ts'
import { notify } from '../../shared/notify/notify.ts'
import { Button, buttonClass } from '../../shared/ui/button.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { completeSignIn, rememberReturn } from './after-sign-in.ts'
import { AppleMark, GoogleMark } from './provider-marks.tsx'
import { signInByEmail, signInByProvider } from './sign-in.ts'

type Mode = 'login' | 'signup' | 'forgot'

interface SignInDialogProps {
  readonly product: Product
  readonly initialMode?: 'login' | 'signup' | undefined
  /** The visitor wants a download: the log-in line then says so. */
  readonly logintext?: boolean | undefined
  /** The service ended the visitor's session: the log-in line then says so. */
  readonly ended?: boolean | undefined
  readonly page?: 'same' | undefined
  /** A path of this site to go to afterwards. */
  readonly goTo?: string | undefined
  readonly open: boolean
  readonly onClose: () => void
  readonly onClosed: () => void
}

const HEADINGS: Readonly<Record<Mode, string>> = {
  login: "Let's get started",
  signup: 'Create an Account',
  forgot: 'Forgot password?',
}

const SUBMITS: Readonly<Record<Mode, string>> = {
  login: 'Sign in with email',
  signup: 'Sign up with email',
  forgot: 'Send the link',
}

function subtext(mode: Mode, { logintext, ended }: SignInDialogProps): string {
  if (mode === 'signup') return 'Sign up for an account to get started'
  if (mode === 'forgot') return 'Give us your email and we will send you a link to set a new one.'
  if (ended) return 'Your session has ended. Please log in again.'
  return logintext
    ? 'Log in to your account and start downloading'
    : 'Log in to your account and start repair'
}

const LINK_BUTTON = 'inline-link min-h-6 rounded-sm font-semibold'

/** Sign-in, sign-up and the forgotten password, in one dialog. */
export function SignInDialog(props: SignInDialogProps) {
  const { product, page, goTo } = props
  const [mode, setMode] = useState<Mode>(props.initialMode ?? 'login')
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [errors, setErrors] = useState<{ email?: string; password?: string }>({})
  const [busy, setBusy] = useState(false)
  const [sent, setSent] = useState(false)

  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (errors.email || errors.password) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [errors])

  const change = (next: Mode) => {
    setMode(next)
    setErrors({})
    setSent(false)
  }

  const validate = (): boolean => {
    const found: { email?: string; password?: string } = {}
    if (email.trim() === '') found.email = TEXTS.emailRequired
    else if (!isEmail(email.trim())) found.email = TEXTS.emailInvalid
    if (mode !== 'forgot' && password === '') found.password = TEXTS.passwordRequired
    setErrors(found)
    return found.email === undefined && found.password === undefined
  }

  const sendResetLink = async () => {
    try {
      await call(SESSIONS.forgotPassword, { body: { email: email.trim(), product } })
      setSent(true)
    } catch (cause) {
      notify('error', (cause instanceof ApiFailure && cause.message) || TEXTS.signInFailed)
    }
  }

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy || !validate()) return
    setBusy(true)
    if (mode === 'forgot') {
      await sendResetLink()
      setBusy(false)
      return
    }
    const outcome = await signInByEmail(product, mode, email.trim(), password)
    if (outcome.kind === 'in') {
      completeSignIn(product, 'email', outcome.reply, page, goTo)
      return
    }
    setBusy(false)
    if (outcome.kind === 'network') window.alert(outcome.message)
    else notify('error', outcome.message)
  }

  const signInWith = async (provider: Provider) => {
    if (busy) return
    setBusy(true)
    const outcome = await signInByProvider(provider, product)
    if (outcome.kind === 'leave') {
      rememberReturn(page, goTo)
      window.location.assign(outcome.url)
    } else if (outcome.kind === 'in') completeSignIn(product, provider, outcome.reply, page, goTo)
    else {
      setBusy(false)
      if (outcome.message) notify('error', outcome.message)
    }
  }

  return (
    <Dialog
      open={props.open}
      onClose={props.onClose}
      onClosed={props.onClosed}
      title={HEADINGS[mode]}
      description={subtext(mode, props)}
    >
      {mode === 'forgot' ? null : <ProviderButtons busy={busy} onPress={signInWith} />}
      <form ref={form} noValidate onSubmit={submit} className={mode === 'forgot' ? 'mt-6' : ''}>
        <div className="grid gap-4">
          <Field
            label="Email"
            name="email"
            type="email"
            autoComplete="email"
            placeholder="name@example.com"
            value={email}
            onChange={(event) => setEmail(event.target.value)}
            error={errors.email}
          />
          {mode === 'forgot' ? null : (
            <Field
              label="Password"
              name="password"
              type="password"
              autoComplete={mode === 'login' ? 'current-password' : 'new-password'}
              value={password}
              onChange={(event) => setPassword(event.target.value)}
              error={errors.password}
            />
          )}
        </div>
        {mode === 'login' ? (
          <p className="mt-2 text-right text-small">
            <button type="button" className={LINK_BUTTON} onClick={() => change('forgot')}>
              Forgot password?
            </button>
          </p>
        ) : null}
        {sent ? (
          <p role="status" className="mt-4 rounded-sm bg-celadon-wash p-3 text-small">
            If there is an account for {email.trim()}, a link is on its way. It works for one hour.
          </p>
        ) : null}
        <Button type="submit" className="mt-5 w-full" aria-disabled={busy}>
          {SUBMITS[mode]}
        </Button>
      </form>
      <OtherMode mode={mode} onChange={change} />
      <Terms />
    </Dialog>
  )
}

/** From logging in to signing up and back. */
function OtherMode({ mode, onChange }: { readonly mode: Mode; readonly onChange: (next: Mode) => void }) {
  const { question, answer, next } = OTHER_MODES[mode]
  return (
    <p className="mt-5 text-center text-small">
      {question ? `${question} ` : null}
      <button type="button" className={LINK_BUTTON} onClick={() => onChange(next)}>
        {answer}
      </button>
    </p>
  )
}

const OTHER_MODES = {
  login: { question: "Don't have an account?", answer: 'Sign up', next: 'signup' },
  signup: { question: 'Already have an account?', answer: 'Log in', next: 'login' },
  forgot: { question: undefined, answer: 'Back to log in', next: 'login' },
} as const

/** What a visitor agrees to by going on. */
function Terms() {
  return (
    <p className="mt-5 border-t border-mist pt-4 text-center text-tiny text-ink-soft">
      By continuing you agree to our{' '}
      <a className="inline-link" href={brandUrl(brand.terms)} target="_blank" rel="noreferrer">
        Terms of use
      </a>{' '}
      and{' '}
      <a className="inline-link" href={brandUrl(brand.privacy)} target="_blank" rel="noreferrer">
        Privacy policy
      </a>
      .
    </p>
  )
}

interface ProviderButtonsProps {
  readonly busy: boolean
  readonly onPress: (provider: Provider) => void
}

/** Google and Apple, set off from the form below them. */
function ProviderButtons(props: ProviderButtonsProps) {
  return (
    <>
      <div className="mt-6 grid gap-3">
        <ProviderButton provider="google" {...props} />
        <ProviderButton provider="apple" {...props} />
      </div>
      <div className="my-6 flex items-center gap-4 text-tiny font-semibold tracking-widest text-ink-soft">
        <span className="h-px flex-1 bg-mist" />
        OR
        <span className="h-px flex-1 bg-mist" />
      </div>
    </>
  )
}

function ProviderButton(props: ProviderButtonsProps & { readonly provider: Provider }) {
  const google = props.provider === 'google'
  return (
    <button
      type="button"
      aria-disabled={props.busy}
      className={buttonClass('secondary', 'regular', 'w-full')}
      onClick={() => props.onPress(props.provider)}
    >
      {google ? <GoogleMark /> : <AppleMark />}
      {google ? 'Continue with Google' : 'Continue with Apple'}
    </button>
  )
}
