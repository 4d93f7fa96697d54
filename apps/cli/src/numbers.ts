import { InvalidArgumentError } from 'commander'

/** A number above 0 from the command line. */
export function positiveNumber(value: string): number {
  const number = Number(value)
  if (!(number > 0) || !Number.isFinite(number))
    throw new InvalidArgumentError('It must be a number above 0.')
  return number
}

/** A whole number above 0 from the command line. */
export function wholeNumber(value: string): number {
  const number = positiveNumber(value)
  if (!Number.isInteger(number)) throw new InvalidArgumentError('It must be a whole number.')
  return number
}
