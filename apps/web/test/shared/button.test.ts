import { readFileSync } from 'node:fs'
import { compile } from 'tailwindcss'
import { expect, it } from 'vitest'
import { buttonClass } from '../../src/shared/ui/button.tsx'

const BASE = readFileSync(new URL('../../src/shared/styles/base.css', import.meta.url), 'utf8')
/** The variants that are our own. */
const VARIANTS = (BASE.match(/^@custom-variant .*;$/gm) ?? []).join('\n')
const THEME =
  '@theme { --color-ink-soft: grey; --color-mist: silver; --color-biscuit: beige; --color-seam-press: gold; }'

it.each(['primary', 'secondary', 'quiet', 'danger'] as const)(
  'a %s button that cannot be pressed looks so, whether or not it keeps the focus, and does not answer the mouse',
  async (look) => {
    const { build } = await compile(`${VARIANTS}\n${THEME}\n@tailwind utilities;`)
    const css = build(buttonClass(look).split(' '))
    const off = css.indexOf(':is(:disabled, [aria-disabled="true"])')
    expect(css.slice(off)).toContain('color: var(--color-ink-soft)')
    expect(css.slice(off)).toContain('cursor: not-allowed')
    // Of two rules that hold, the later one does.
    expect(off).toBeGreaterThan(css.indexOf(':hover'))
  },
)
