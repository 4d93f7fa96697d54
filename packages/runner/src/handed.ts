import type { Input } from './inputs.ts'
import { FIRST_FILE, type HandedFile } from './protocol.ts'

/** A file as the engine process is told of it, by its place among those handed over. */
export function handed(input: Input, position: number): HandedFile {
  return { descriptor: FIRST_FILE + position, size: input.size, name: input.name }
}
