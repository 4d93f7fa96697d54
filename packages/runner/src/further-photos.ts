import { readSync, writeSync } from 'node:fs'
import { format, parse } from 'node:path'
import type { Report } from '@mendframe/engine'
import { EngineCrashError, environmentError } from './errors.ts'
import { PendingOutput } from './pending-output.ts'
import { printable } from './printable.ts'

/** Photos that are saved at most: the engine tells the places of no more. */
const MOST_PHOTOS = 50
/** Bytes copied at a time. */
const STEP = 1 << 20

/**
 * Files beside an output, one for each further photo of its own that its report tells the place of, in order: `name-2.jpg`,
 * `name-3.jpg`, … beside `name.jpg`. Empty where there is none.
 */
export function furtherPhotoPaths(output: string, report: Report): string[] {
  const { dir, name, ext } = parse(output)
  return placesIn(report).map((_, i) => format({ dir, name: `${name}-${i + 2}`, ext }))
}

/** The further photos of a finished output as files of their own, which have no names before they are published. */
export class FurtherPhotos {
  readonly #files: readonly PendingOutput[]

  private constructor(files: readonly PendingOutput[]) {
    this.#files = files
  }

  /**
   * Copies them out of the output that gets its name at `path`. A file that is there is never replaced.
   * @throws UsageError when a name is taken, EnvironmentError when nothing can be written there.
   */
  static copy(output: PendingOutput, path: string, report: Report): FurtherPhotos {
    const files: PendingOutput[] = []
    try {
      const places = placesIn(report)
      for (const [i, beside] of furtherPhotoPaths(path, report).entries()) {
        const file = PendingOutput.create(beside, [], false)
        files.push(file)
        copyPlace(output, file, places[i])
      }
    } catch (error) {
      for (const file of files) file.discard()
      throw error
    }
    return new FurtherPhotos(files)
  }

  /** Gives them their names. @throws EnvironmentError */
  publish(durable: boolean | undefined): void {
    for (const file of this.#files) file.publish(durable)
  }

  /** Removes those that have no names yet. */
  discard(): void {
    for (const file of this.#files) file.discard()
  }
}

interface Place {
  readonly offset: number
  readonly length: number
}

function placesIn(report: Report): Place[] {
  if (report.kind !== 'photo' || report.verdict === 'unrepairable') return []
  // pictures that were encoded anew lie elsewhere
  if (report.enhancements?.some(({ outcome }) => outcome === 'applied')) return []
  return report.pictures.flatMap(({ place }) => (place ? [place] : [])).slice(0, MOST_PHOTOS)
}

function copyPlace(from: PendingOutput, to: PendingOutput, { offset, length }: Place): void {
  const buffer = new Uint8Array(Math.min(STEP, length))
  try {
    for (let done = 0; done < length; ) {
      const read = readSync(from.descriptor, buffer, 0, Math.min(STEP, length - done), offset + done)
      if (read === 0)
        throw new EngineCrashError('the engine told of a photo behind the end of the output', '')
      for (let wrote = 0; wrote < read; ) wrote += writeSync(to.descriptor, buffer, wrote, read - wrote)
      done += read
    }
  } catch (error) {
    if (error instanceof EngineCrashError) throw error
    throw environmentError(`cannot write ${printable(to.target)}`, error)
  }
}
