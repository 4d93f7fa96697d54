import { MAX_NAME_LENGTH } from '@mendframe/contract'
import { randomId } from '../random.ts'

/** Name of a new object's file: random, with an extension from our list. Nothing of what the user typed is in it. */
export function newFileName(extension: string): string {
  return `${randomId()}.${extension}`
}

/** Key under which a browser's bytes arrive; whoever has the address may write there until it is over. */
export const uploadKey = (fileName: string): string => `uploads/${fileName}`
/** A new key for bytes that are to be checked: no address is ever given for it. */
export const sealedKey = (extension: string): string => `sealed/${newFileName(extension)}`
export const resultKey = (repairId: string, attempt: number, suffix: string): string =>
  `results/${repairId}-${attempt}.${suffix}`
export const previewKey = (repairId: string, attempt: number, suffix: string): string =>
  `previews/${repairId}-${attempt}.${suffix}`
export const manualKey = (extension: string): string => `manual/${newFileName(extension)}`

/** A name that people gave, as it is stored: its last part, bounded, without characters that a database refuses. */
export function storedName(name: string): string {
  const clean = [...name.toWellFormed()].filter((character) => character >= ' ' && character !== '\x7f')
  return clean.slice(-MAX_NAME_LENGTH).join('')
}

/** Name under which a result is saved: `holiday_repaired.mp4`. */
export function resultName(originalName: string, extension: string, suffix: string): string {
  const dot = originalName.lastIndexOf('.')
  const base = (dot > 0 ? originalName.slice(0, dot) : originalName) || 'file'
  return `${base}_${suffix}.${extension}`
}
