import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** WCAG 2.2 AA and what comes before it. */
const EVERY_RULE = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }
/** The only ones of them that look at colours. */
const RULES_OF_COLOUR = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }

/** Every rule, or only those that can tell one colour scheme from another. */
export type Rules = 'every' | 'colour'

interface AxeResult {
  readonly violations: readonly {
    readonly id: string
    readonly help: string
    readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[]
  }[]
}

declare global {
  // The library puts itself on the page's window.
  var axe: { run(context: Document | string, options: object): Promise<AxeResult> }
}

/**
 * What on the page, or in its part of a selector, keeps people out: one line a rule with the places it is broken; empty
 * when nothing does.
 */
export async function accessibilityFaults(page: Page, rules: Rules, within?: string): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE)
  const result = await page.evaluate(
    ([runOnly, part]) => globalThis.axe.run(part ?? document, { runOnly, resultTypes: ['violations'] }),
    [rules === 'every' ? EVERY_RULE : RULES_OF_COLOUR, within] as const,
  )
  return result.violations.map((violation) => {
    const places = violation.nodes.map((node) => node.target.join(' ')).join(', ')
    return `${violation.id}: ${violation.help} (${places})`
  })
}
