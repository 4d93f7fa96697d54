/* What a decoder would do that a hostile file has taken over: tries everything and says how each attempt ended. */
import { spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { closeSync, openSync, readdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { connect } from 'node:net'

const { secret, input, output, port, socket, fileBytes, eatBytes } = JSON.parse(process.argv[2])

async function tried(attempt) {
  try {
    await attempt()
    return 'done'
  } catch (error) {
    return `refused: ${error.code ?? error.message}`
  }
}

const opened = (options) =>
  new Promise((resolve, reject) => connect(options).once('connect', resolve).once('error', reject))
const sent = () =>
  new Promise((resolve, reject) => {
    const talk = createSocket('udp4')
    talk.once('error', reject)
    talk.send('x', port, '127.0.0.1', (error) => {
      talk.close()
      if (error) reject(error)
      else resolve()
    })
  })
const ran = () => {
  const { error, status } = spawnSync(process.execPath, ['-e', ''])
  if (error) throw error
  if (status !== 0) throw new Error(`status ${status}`)
}
const eaten = () => {
  const kept = []
  for (let sum = 0; sum < eatBytes; sum += 2 ** 26) kept.push(Buffer.alloc(2 ** 26))
  return kept
}
const grown = () => {
  const file = openSync(`${output}/long`, 'w')
  try {
    for (let at = 0; at <= fileBytes; at += 2 ** 20) writeSync(file, Buffer.alloc(2 ** 20))
  } finally {
    closeSync(file)
  }
}
const others = () => readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)

const said = {
  readInput: await tried(() => readFileSync(input)),
  writeOutput: await tried(() => writeFileSync(`${output}/made`, 'made')),
  readSecret: await tried(() => readFileSync(secret)),
  writeInput: await tried(() => writeFileSync(input, 'x')),
  writeBeside: await tried(() => writeFileSync(`${input}.more`, 'x')),
  writeCode: await tried(() => writeFileSync(process.argv[1], 'x')),
  writeTemporary: await tried(() => writeFileSync('/tmp/mendframe-hostile', 'x')),
  writeRoot: await tried(() => writeFileSync('/hostile', 'x')),
  connect: await tried(() => opened({ port, host: '127.0.0.1' })),
  connectSocket: await tried(() => opened({ path: socket })),
  send: await tried(sent),
  start: await tried(ran),
  grow: await tried(grown),
  eat: await tried(eaten),
  environment: Object.keys(process.env).filter((name) => !['TMPDIR', 'PWD'].includes(name)),
  others: others().map((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8')),
}
writeSync(1, JSON.stringify(said))
