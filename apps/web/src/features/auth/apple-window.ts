import { type Product, SIGN_IN, type SignInReply } from '@mendframe/contract'
import { call } from '../../shared/api/call.ts'

/** The part of Apple's script that is used. */
interface AppleScript {
  readonly auth: {
    init(options: {
      readonly clientId: string
      readonly scope: string
      readonly redirectURI: string
      readonly state: string
      readonly nonce: string
      readonly usePopup: true
    }): void
    signIn(): Promise<unknown>
  }
}

declare global {
  interface Window {
    AppleID?: AppleScript
  }
}

/** What a sign-in in Apple's own window is begun with. */
export interface AppleWindow {
  readonly script: string
  readonly clientId: string
  readonly redirectUri: string
  readonly state: string
  readonly nonce: string
}

/** The visitor closed Apple's window. */
export class WindowClosed extends Error {
  override readonly name = 'WindowClosed'
}

/**
 * Signs in by Apple's own window: its id token goes to the service, with the state as timestamp.
 * @throws WindowClosed, or whatever the script or the call throws
 */
export async function signInByWindow(product: Product, terms: AppleWindow): Promise<SignInReply> {
  const script = await loadScript(terms.script)
  script.auth.init({
    clientId: terms.clientId,
    scope: 'name email',
    redirectURI: terms.redirectUri,
    state: terms.state,
    nonce: terms.nonce,
    usePopup: true,
  })
  const idToken = idTokenOf(await signIn(script))
  return call(SIGN_IN[product].apple, { body: { id_token: idToken, timestamp: terms.state } })
}

async function signIn(script: AppleScript): Promise<unknown> {
  try {
    return await script.auth.signIn()
  } catch (cause) {
    const error = typeof cause === 'object' && cause !== null && 'error' in cause ? cause.error : undefined
    if (error === 'popup_closed_by_user' || error === 'user_cancelled_authorize') throw new WindowClosed()
    throw cause
  }
}

function idTokenOf(answer: unknown): string {
  if (typeof answer === 'object' && answer !== null && 'authorization' in answer) {
    const { authorization } = answer
    if (typeof authorization === 'object' && authorization !== null && 'id_token' in authorization) {
      return String(authorization.id_token)
    }
  }
  throw new TypeError('the window gave no id token')
}

function loadScript(src: string): Promise<AppleScript> {
  if (window.AppleID) return Promise.resolve(window.AppleID)
  return new Promise((resolve, reject) => {
    const element = document.createElement('script')
    element.src = src
    element.onload = () =>
      window.AppleID ? resolve(window.AppleID) : reject(new Error('the script is not the one expected'))
    element.onerror = () => {
      element.remove()
      reject(new Error(`the script of the provider did not load: ${src}`))
    }
    document.head.append(element)
  })
}
