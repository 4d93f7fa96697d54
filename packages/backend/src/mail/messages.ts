import type { Product } from '@mendframe/contract'
import type { Letter, StripPiece } from './layout.ts'

/** The messages the service sends. */
export const MAIL_KINDS = [
  'verify-email',
  'reset-password',
  'password-changed',
  'repair-ready',
  'repair-failed',
  'manual-requested',
  'manual-answered',
] as const
export type MailKind = (typeof MAIL_KINDS)[number]

/** What the words of a message need to know. */
export interface MailFacts {
  /** Address of the web app without a slash at its end. */
  readonly site: string
  readonly token?: string
  /** The flavour that the link leads back to. */
  readonly product?: Product
  readonly fileName?: string
  /** Page of the file. */
  readonly fileUrl?: string
  readonly keepHours?: number
  readonly partial?: boolean
  readonly strip?: readonly StripPiece[]
  readonly answer?: string
  readonly attached?: boolean
}

/** Hours that links in mails are good for. */
export const VERIFY_HOURS = 72
export const RESET_HOURS = 1

/** The words of each message. */
export const LETTERS: Readonly<Record<MailKind, (facts: MailFacts) => Letter>> = {
  'verify-email': (facts) => ({
    subject: 'Please confirm your email address',
    paragraphs: [
      'Welcome to Mendframe. Please confirm that this address is yours, so that purchases and news about your repairs reach you.',
    ],
    action: { label: 'Confirm this address', url: `${facts.site}/verify?token=${facts.token ?? ''}` },
    closing: [
      `The link is good for ${VERIFY_HOURS} hours. If you did not create an account, you need not do anything.`,
    ],
  }),
  'reset-password': (facts) => ({
    subject: 'Set a new password',
    paragraphs: ['Somebody, most likely you, asked to set a new password for your Mendframe account.'],
    action: { label: 'Set a new password', url: resetAddress(facts) },
    closing: [
      `The link is good for ${RESET_HOURS} hour and works once. If it was not you, your password stays as it is and you need not do anything.`,
    ],
  }),
  'password-changed': (facts) => ({
    subject: 'Your password was changed',
    paragraphs: [
      'The password of your Mendframe account was changed, and all other devices were signed out.',
    ],
    action: { label: 'Open Mendframe', url: `${facts.site}/` },
    closing: ['If it was not you, set a new password with the link Forgot password? of the log-in window.'],
  }),
  'repair-ready': (facts) => ({
    subject: facts.partial ? 'Your file is repaired in part' : 'Your repaired file is ready',
    paragraphs: [
      facts.partial
        ? `We repaired what can be brought back of ${named(facts)}. The report on its page says what is missing or uncertain, and why.`
        : `${capital(named(facts))} is repaired and ready to be seen and saved.`,
    ],
    ...linked(facts, 'See the result'),
    ...(facts.strip ? { strip: facts.strip } : {}),
    closing: [
      ...(facts.keepHours ? [`We keep it for ${facts.keepHours} hours, then it is deleted.`] : []),
      ...(facts.partial ? ['On the page of the result you can ask for a free manual repair.'] : []),
    ],
  }),
  'repair-failed': (facts) => ({
    subject: 'Your file could not be repaired',
    paragraphs: [
      `We could not repair ${named(facts)}. The attempt does not count against your plan.`,
      'You can try again with another sample, or ask for a free manual repair on the page of the file.',
    ],
    ...linked(facts, 'See why'),
    closing: [],
  }),
  'manual-requested': (facts) => ({
    subject: 'We have your request for a manual repair',
    paragraphs: [
      `Our people will look at ${named(facts)}. We keep the file until then and write to you when there is news.`,
    ],
    ...linked(facts, 'Open your files'),
    closing: [],
  }),
  'manual-answered': (facts) => ({
    subject: 'News about your manual repair',
    paragraphs: [
      facts.attached
        ? `The manual repair of ${named(facts)} is done, and its result waits for you.`
        : `We have looked at ${named(facts)}.`,
      ...(facts.answer ? [facts.answer] : []),
    ],
    ...linked(facts, 'Open your files'),
    closing: facts.attached && facts.keepHours ? [`We keep the result for ${facts.keepHours} hours.`] : [],
  }),
}

function named(facts: MailFacts): string {
  return facts.fileName ? `your file ${facts.fileName}` : 'your file'
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function linked(facts: MailFacts, label: string): Pick<Letter, 'action'> {
  return facts.fileUrl ? { action: { label, url: facts.fileUrl } } : {}
}

function resetAddress({ site, token = '', product }: MailFacts): string {
  return `${site}/reset?token=${token}${product === 'photo' ? '&product=photo' : ''}`
}
