import { ENHANCEMENTS, type Enhancement } from '@mendframe/worker/enhancements'
import { InvalidArgumentError } from 'commander'

/** Reads `conceal,retime` of the command line. */
export function enhancementList(value: string): Enhancement[] {
  const names = value.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !ENHANCEMENTS.some((known) => known === name))
  if (unknown !== undefined) throw new InvalidArgumentError(`Allowed are ${ENHANCEMENTS.join(', ')}.`)
  return ENHANCEMENTS.filter((name) => names.includes(name))
}
