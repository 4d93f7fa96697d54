/** `npm run bench -- photo` measures photos, without that word recordings; each with options of its own. */
const [what, ...args] = process.argv.slice(2)
if (what === 'photo') {
  const { benchPhotos } = await import('./bench-photo/main.ts')
  await benchPhotos(args)
} else await import('./bench/main.ts')
