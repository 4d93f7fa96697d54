import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import { firstInteraction } from './interaction.ts'
import { loadChunk } from './lazy-with-timeout.ts'

type Loader<P> = () => Promise<ComponentType<P>>

/** A component that arrives on its own, within 120 seconds or not at all. */
export function lazyPart<P extends object>(
  name: string,
  load: Loader<P>,
): LazyExoticComponent<ComponentType<P>> {
  return lazy(async () => ({ default: await loadChunk(name, load) }))
}

let prerendered: boolean | undefined

/**
 * Whether this document came with its content, asked when the first deferred part is reached: React then either takes
 * over markup that is there, or has not made any yet.
 */
function cameWithContent(): boolean {
  prerendered ??= typeof document !== 'undefined' && document.querySelector('main') !== null
  return prerendered
}

let navigated = false

/** The root calls this when another page is shown: it was not prerendered, so its parts are fetched at once. */
export function markNavigated(): void {
  navigated = true
}

/**
 * A prerendered component whose script waits for the first interaction. Its text and links are there from the
 * start (so their style sheets are imported by the page, not by the part); only a page that was reached without a
 * full load fetches it at once.
 */
export function deferredPart<P extends object>(
  name: string,
  load: Loader<P>,
): LazyExoticComponent<ComponentType<P>> {
  return lazy(async () => {
    if (cameWithContent() && !navigated) await firstInteraction()
    return { default: await loadChunk(name, load) }
  })
}
