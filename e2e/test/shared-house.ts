import { inject } from 'vitest'
import { type House, Stage } from '../src/stage.ts'

declare module 'vitest' {
  interface ProvidedContext {
    house: House
  }
}

/** A stage in the house that all journeys share. The caller closes it. */
export function openStage(): Promise<Stage> {
  return Stage.open(inject('house'))
}
