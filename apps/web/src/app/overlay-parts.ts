/** The dialogs of the page. */
export const loadDialogs = async () => (await import('./dialogs.tsx')).Dialogs

/** What shows toasts. */
export const loadToasts = async () => (await import('../shared/ui/toasts.tsx')).Toasts

/**
 * Fetches dialogs and toasts before they are asked for: when the connection breaks, what says so has to be there. One
 * that does not come is said to be missing when it is asked for.
 */
export function fetchOverlays(): void {
  for (const load of [loadDialogs, loadToasts]) {
    load().catch((cause: unknown) => console.warn('a part of the page could not be fetched ahead', cause))
  }
}
