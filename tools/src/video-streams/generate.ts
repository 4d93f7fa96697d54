import { mkdirSync, writeFileSync } from 'node:fs'
import { encode } from './encode.ts'
import { RECIPES } from './recipes.ts'

// Writes the stored streams that the engine's codec tests read: `node tools/src/video-streams/generate.ts [name…]`.

/** Where the tests look for them; `stream-fixture.ts` beside this folder says what a file holds. */
const FIXTURES = new URL('../../../packages/engine/testing/video/fixtures/', import.meta.url)

const wanted = process.argv.slice(2)
mkdirSync(FIXTURES, { recursive: true })
for (const recipe of RECIPES) {
  if (wanted.length > 0 && !wanted.includes(recipe.name)) continue
  const { config, packets } = encode(recipe)
  const text = JSON.stringify({
    codec: recipe.codec,
    width: recipe.width ?? 96,
    height: recipe.height ?? 64,
    config: Buffer.from(config).toString('base64'),
    packets: packets.map((packet) => [packet.bytes.length, packet.pts, packet.key ? 1 : 0]),
    data: Buffer.concat(packets.map((packet) => packet.bytes)).toString('base64'),
  })
  writeFileSync(new URL(`${recipe.name}.stream`, FIXTURES), `${text}\n`)
  console.log(`${recipe.name}: ${packets.length} packets, ${text.length} bytes`)
}
