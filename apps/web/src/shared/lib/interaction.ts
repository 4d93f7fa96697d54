const SIGNS = [
  'pointerdown',
  'pointermove',
  'touchstart',
  'keydown',
  'scroll',
  'focusin',
  'dragenter',
] as const

let seen: Promise<void> | undefined

/** Resolves at the visitor's first sign of life: what lies below the fold needs no script before that. */
export function firstInteraction(): Promise<void> {
  seen ??= new Promise((resolve) => {
    const done = () => {
      for (const sign of SIGNS) window.removeEventListener(sign, done, true)
      resolve()
    }
    for (const sign of SIGNS) window.addEventListener(sign, done, { capture: true, passive: true })
  })
  return seen
}
