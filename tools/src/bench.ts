/** `npm run bench -- photo` measures photos, `-- hostile` bytes made to cost time, without such a word recordings; each with options of its own. */
const [what, ...args] = process.argv.slice(2)
if (what === 'photo') {
  const { benchPhotos } = await import('./bench-photo/main.ts')
  await benchPhotos(args)
} else if (what === 'hostile') {
  const { benchHostile } = await import('./bench-hostile/main.ts')
  await benchHostile(args)
} else await import('./bench/main.ts')
