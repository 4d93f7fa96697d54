import type { Mail } from '../ports/mailer.ts'

/** What a message says; both forms are made of it, so that they cannot differ. */
export interface Letter {
  readonly subject: string
  readonly paragraphs: readonly string[]
  readonly action?: { readonly label: string; readonly url: string }
  /** After the action: how long it lasts, what to do otherwise. */
  readonly closing: readonly string[]
  /** The recovery strip: shares of the recording in order. */
  readonly strip?: readonly StripPiece[]
}

export interface StripPiece {
  readonly share: number
  readonly state: 'recovered' | 'damaged' | 'lost'
}

const COLOURS = { recovered: '#e9e2d3', damaged: '#b5432e', lost: '#ffffff' } as const

/** Writes a letter as plain text and as HTML without images, scripts or remote styles. */
export function compose(to: string, letter: Letter): Mail {
  const text = [
    ...letter.paragraphs,
    ...(letter.action ? [`${letter.action.label}:\n${letter.action.url}`] : []),
    ...letter.closing,
  ]
  return {
    to,
    subject: letter.subject,
    text: `${text.join('\n\n')}\n\nMendframe\n`,
    html: page(letter),
  }
}

function page(letter: Letter): string {
  const paragraph = (words: string) => `<p style="margin:0 0 16px">${escapeHtml(words)}</p>`
  const action = letter.action
    ? `<p style="margin:0 0 24px"><a href="${escapeHtml(letter.action.url)}" style="display:inline-block;padding:12px 20px;background:#1d2433;color:#fbf8f1;text-decoration:none;border-bottom:3px solid #c9a24b">${escapeHtml(letter.action.label)}</a></p>`
    : ''
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(letter.subject)}</title></head>
<body style="margin:0;background:#f6f1e7;color:#1d2433;font:16px/1.55 Georgia,'Times New Roman',serif">
<div style="max-width:560px;margin:0 auto;padding:32px 24px">
<p style="margin:0 0 24px;font-size:20px;border-bottom:2px solid #c9a24b;padding-bottom:8px">Mendframe</p>
${letter.paragraphs.map(paragraph).join('\n')}
${strip(letter.strip)}
${action}
${letter.closing.map(paragraph).join('\n')}
</div></body></html>
`
}

/** The strip as a table, the one drawing that every mail program shows. */
function strip(pieces: readonly StripPiece[] | undefined): string {
  if (!pieces || pieces.length === 0) return ''
  const cells = pieces
    .map(({ share, state }) => {
      const width = Math.max(1, Math.round(share * 100))
      return `<td width="${width}%" height="20" title="${state}" style="background:${COLOURS[state]};border-left:1px solid #c9a24b;font-size:1px">&nbsp;</td>`
    })
    .join('')
  return `<table role="img" aria-label="The recording from start to end: recovered, damaged and lost stretches" width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 24px;border:1px solid #c9a24b;border-left:0"><tr>${cells}</tr></table>`
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
