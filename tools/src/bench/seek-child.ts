import { seekHere } from './seek.ts'

/**
 * `node seek-child.ts FILE STREAM SECONDS…`: tells `seekHere`'s answer as JSON on standard output, in a process of its own: what
 * takes the media library down ends nothing else.
 */
const [path = '', stream = '0', ...times] = process.argv.slice(2)
const answer = seekHere(path, Number(stream), times.map(Number))
if (!answer) process.exit(1)
console.log(JSON.stringify(answer))
