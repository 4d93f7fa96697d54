import { loopClip } from './loop-clip.ts'

/** `node loop-child.ts SOURCE CONTAINER OUT BYTES`, in a process of its own as every use of the media library. */
const [source, container, output, bytes] = process.argv.slice(2)
if (!source || !container || !output || !bytes)
  throw new Error('usage: loop-child.ts SOURCE CONTAINER OUT BYTES')
loopClip(source, container, output, Number(bytes))
