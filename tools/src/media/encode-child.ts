import { readFileSync } from 'node:fs'
import { encodeClip } from './encode-clip.ts'
import type { ClipSpec } from './spec.ts'

/** `node encode-child.ts OUT` with a `ClipSpec` as JSON on standard input, written by `make-clip.ts`. */
const clip: ClipSpec = JSON.parse(readFileSync(0, 'utf8'))
const [output] = process.argv.slice(2)
if (!output) throw new Error('usage: encode-child.ts OUT')
encodeClip(clip, output)
