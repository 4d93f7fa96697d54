import type { ComponentProps, ReactNode } from 'react'
import { Link } from 'react-router'
import { cx } from '../lib/cx.ts'

/** `primary`: the one action of a screen. `secondary`: beside it. `quiet`: in a row of small actions. */
export type ButtonLook = 'primary' | 'secondary' | 'quiet' | 'danger'
export type ButtonSize = 'large' | 'regular' | 'small'

const LOOKS: Readonly<Record<ButtonLook, string>> = {
  primary: 'bg-seam text-on-seam hover:bg-seam-press off:bg-mist off:text-ink-soft',
  secondary: 'border border-edge bg-glaze text-ink hover:border-ink off:border-mist off:text-ink-soft',
  quiet: 'text-ink hover:bg-biscuit off:bg-transparent off:text-ink-soft',
  danger:
    'border border-vermilion text-vermilion hover:bg-vermilion-wash off:border-mist off:bg-transparent off:text-ink-soft',
}

const SIZES: Readonly<Record<ButtonSize, string>> = {
  large: 'min-h-14 px-7 text-lead',
  regular: 'min-h-12 px-5 text-body',
  small: 'min-h-10 px-3.5 text-small',
}

/** The classes of a button, for elements that are not `<button>` (a label, a download link). */
export function buttonClass(
  look: ButtonLook = 'primary',
  size: ButtonSize = 'regular',
  extra?: string,
): string {
  return cx(
    'inline-flex cursor-pointer items-center justify-center gap-2 rounded-sm text-center font-semibold no-underline transition-colors duration-(--quick) select-none off:cursor-not-allowed',
    LOOKS[look],
    SIZES[size],
    extra,
  )
}

interface Looks {
  readonly look?: ButtonLook | undefined
  readonly size?: ButtonSize | undefined
  readonly children: ReactNode
}

export function Button({
  look,
  size,
  className,
  type = 'button',
  ...rest
}: Looks & ComponentProps<'button'>) {
  return <button type={type} className={buttonClass(look, size, className)} {...rest} />
}

/** A link inside the site that looks like a button. */
export function ButtonLink({ look, size, className, ...rest }: Looks & ComponentProps<typeof Link>) {
  return <Link className={buttonClass(look, size, className)} {...rest} />
}

/** A link out of the page (another site, a file) that looks like a button. */
export function ButtonAnchor({ look, size, className, ...rest }: Looks & ComponentProps<'a'>) {
  return <a className={buttonClass(look, size, className)} {...rest} />
}
