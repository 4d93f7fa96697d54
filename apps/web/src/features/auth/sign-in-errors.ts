/** Why a sign-in failed and what to do now, by the reason in the address of /error. */
const REASONS: Readonly<Record<string, string>> = {
  'auth.code-missing': 'The sign-in page sent us no answer that we could use.',
  cancelled: 'The sign-in was cancelled before it was finished.',
  'auth.state-invalid': 'The sign-in took too long, or was started in another window.',
  'auth.provider-unconfigured': 'This way of signing in is not set up here.',
  'auth.provider-refused': 'The sign-in was refused by the other side.',
  'no-answer': 'We could not reach our own service to finish the sign-in.',
}

/** The reason in plain words. */
export function signInErrorInWords(reason: string | null): string {
  return REASONS[reason ?? ''] ?? 'Something went wrong between the sign-in page and us.'
}
