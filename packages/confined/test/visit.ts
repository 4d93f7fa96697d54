/* Runs a script in a room and prints what it said; a process of its own, so that it can be another user's. */
import { text } from 'node:stream/consumers'
import { lookAtHost, type Means, type Room, spawnConfined } from '../src/index.ts'

const { means, args, room }: { means: Means; args: string[]; room: Room } = JSON.parse(process.argv[2] ?? '')
const host = await lookAtHost(means)
const child = spawnConfined(host, args, room)
child.stdin?.end()
const [said, complaint, ended] = await Promise.all([
  child.stdout ? text(child.stdout) : '',
  child.stderr ? text(child.stderr) : '',
  new Promise<{ code: number | null; signal: string | null }>((resolve) =>
    child.once('close', (code, signal) => resolve({ code, signal })),
  ),
])
console.log(JSON.stringify({ means: host.means, said, complaint, ...ended }))
