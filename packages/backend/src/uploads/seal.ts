import { extensionOfName } from '@mendframe/contract'
import type { Context } from '../context.ts'
import type { StoredObject } from '../ports/storage.ts'
import { sealedKey, uploadKey } from './names.ts'

/**
 * Takes what has arrived under an address's key to a key of its own, where nobody can write. Checks look at that and repairs
 * are made of it: a browser that still sends, or sends again, changes neither. `undefined` when nothing has arrived.
 */
export function seal(context: Context, fileName: string): Promise<StoredObject | undefined> {
  return context.storage.copy(uploadKey(fileName), sealedKey(extensionOfName(fileName)))
}
