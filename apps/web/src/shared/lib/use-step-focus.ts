import { type RefObject, useEffect, useRef } from 'react'

/**
 * When a step replaces another and took the focused control with it, the focus goes to the new step's heading, so that
 * the keyboard goes on from there. Focus that is somewhere else stays.
 */
export function useStepFocus(step: string): RefObject<HTMLDivElement | null> {
  const place = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the step that moves the focus.
  useEffect(() => {
    if (document.activeElement !== null && document.activeElement !== document.body) return
    const heading = place.current?.querySelector<HTMLElement>('h2')
    if (!heading) return
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
  }, [step])
  return place
}
