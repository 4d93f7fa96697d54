import type { Enhancement, RepairReport } from '@mendframe/contract'

interface Words {
  readonly label: string
  readonly hint: string
  /** What was done, behind a number of pictures. */
  readonly done: string
  readonly unneeded: string
}

/** What each enhancement is called and how the report tells of it. */
export const ENHANCEMENT_WORDS: Readonly<Record<Enhancement, Words>> = {
  conceal: {
    label: 'Hide what stays damaged',
    hint: 'Torn parts of a picture are filled in from the pictures around it.',
    done: 'encoded anew with their damage hidden.',
    unneeded: 'No damaged picture was left to hide.',
  },
  deflicker: {
    label: 'Calm flickering light',
    hint: 'For lamps that pulse and exposure that jumps.',
    done: 'encoded anew in steady light.',
    unneeded: 'No flicker was found.',
  },
  sharpen: {
    label: 'Sharpen blurry pictures',
    hint: 'For a lens that was slightly out of focus.',
    done: 'encoded anew and sharpened.',
    unneeded: 'No picture needed sharpening.',
  },
  retime: {
    label: 'Mend slow or jerky playback',
    hint: 'Pictures are spread over the time that the sound tells.',
    done: 'shown at new times.',
    unneeded: 'The pictures keep time with the sound already.',
  },
}

type EnhancementReport = NonNullable<RepairReport['enhancements']>[number]

/** One enhancement in a line. An operation that this page does not know yet keeps its own name. */
export function enhancementInWords({ operation, outcome, pictures, reason }: EnhancementReport): {
  readonly label: string
  readonly line: string
} {
  const words = isKnown(operation) ? ENHANCEMENT_WORDS[operation] : undefined
  const label = words?.label ?? operation
  if (outcome === 'failed')
    return { label, line: `Not done${reason ? `: ${reason}` : ''}. The repair stands without it.` }
  if (outcome === 'unneeded') return { label, line: words?.unneeded ?? 'It was not needed.' }
  const count = pictures === 1 ? '1 picture is' : `${pictures.toLocaleString('en-US')} pictures are`
  const rest = reason ? ` Not done everywhere: ${reason}.` : ''
  return { label, line: `${count} ${words?.done ?? 'changed.'}${rest}` }
}

function isKnown(operation: string): operation is Enhancement {
  return Object.hasOwn(ENHANCEMENT_WORDS, operation)
}
