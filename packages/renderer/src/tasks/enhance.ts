import type { EnhanceOutcome } from '../enhance-result.ts'
import type { Task } from '../protocol.ts'
import { conceal } from './enhance/conceal.ts'
import { filterPictures } from './enhance/filter.ts'
import { retime } from './enhance/retime.ts'

/** Performs one enhancement; what it changed, or nothing and no output when there is nothing to change. */
export function enhance(
  { input, output, operation }: Extract<Task, { task: 'enhance' }>,
  progress: (fraction: number) => void,
): Promise<EnhanceOutcome> {
  switch (operation.kind) {
    case 'conceal':
      return conceal(input, output, operation.ranges, progress)
    case 'deflicker':
    case 'sharpen':
      return filterPictures(input, output, operation, progress)
    case 'retime':
      return retime(input, output, operation.rate, progress)
  }
}
