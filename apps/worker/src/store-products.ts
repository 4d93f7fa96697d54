import { stat } from 'node:fs/promises'
import { extname } from 'node:path'
import { type Attempt, type Context, type Products, previewKey, resultKey } from '@mendframe/backend'
import { mediaTypeOf } from '@mendframe/contract'
import type { PreviewFiles } from './previews.ts'

/** Puts the files of an attempt into the store, under keys that only this attempt uses. */
export class ProductStore {
  readonly #context: Context
  readonly #attempt: Attempt
  readonly #stored: string[] = []

  constructor(context: Context, attempt: Attempt) {
    this.#context = context
    this.#attempt = attempt
  }

  /** `extension` is the result's, without its dot. */
  async store(result: string, extension: string, previews: PreviewFiles): Promise<Products> {
    const { repair } = this.#attempt
    const resultSize = (await stat(result)).size
    const name = (suffix: string) => previewKey(repair.id, repair.attempt, suffix)
    const { preview, playable, still, still2, jpeg, png } = previews
    const previewName = preview === undefined ? undefined : name(`preview${extname(preview)}`)
    if (preview !== undefined && previewName !== undefined) await this.#put(previewName, preview)
    let playableName: string | undefined
    if (playable !== undefined) {
      playableName = playable === preview ? previewName : name('play.mp4')
      if (playable !== preview && playableName !== undefined) await this.#put(playableName, playable)
    }
    if (still !== undefined) await this.#put(name('still.jpg'), still)
    if (still2 !== undefined) await this.#put(name('still2.jpg'), still2)
    if (jpeg !== undefined) await this.#put(name('photo.jpg'), jpeg)
    if (png !== undefined) await this.#put(name('photo.png'), png)
    const key = resultKey(repair.id, repair.attempt, extension)
    await this.#put(key, result)
    return {
      resultKey: key,
      resultSize,
      ...(previewName === undefined ? {} : { previewKey: previewName }),
      ...(playableName === undefined ? {} : { playableKey: playableName }),
      ...(still === undefined ? {} : { stillKey: name('still.jpg') }),
      ...(still2 === undefined ? {} : { still2Key: name('still2.jpg') }),
      ...(jpeg === undefined ? {} : { jpegKey: name('photo.jpg') }),
      ...(png === undefined ? {} : { pngKey: name('photo.png') }),
    }
  }

  async #put(key: string, path: string): Promise<void> {
    this.#stored.push(key)
    await this.#context.storage.storeFile(key, path, mediaTypeOf(extname(key)))
  }

  /** Takes back what an attempt stored that did not end the repair. */
  async discard(): Promise<void> {
    for (const key of this.#stored.splice(0)) await this.#context.storage.remove(key)
  }
}

/** Deletes what earlier attempts of a repair left when their workers died. */
export async function discardEarlier(context: Context, attempt: Attempt): Promise<void> {
  if (attempt.repair.attempt < 2) return
  for (const prefix of [`results/${attempt.repair.id}-`, `previews/${attempt.repair.id}-`]) {
    for await (const { key } of context.storage.list(prefix)) await context.storage.remove(key)
  }
}
