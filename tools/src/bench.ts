/**
 * `npm run bench -- photo` measures photos, `-- raw` raw, HEIF and TIFF photos whose structures are lost, `-- hostile` bytes made
 * to cost time, `-- conceal` what is made of damaged pictures, `-- damaged-frames` whether they are kept or left out, `--
 * contained` what it costs to keep decoders apart, without such a word recordings; each with options of its own.
 */
const [what, ...args] = process.argv.slice(2)
if (what === 'photo') {
  const { benchPhotos } = await import('./bench-photo/main.ts')
  await benchPhotos(args)
} else if (what === 'raw') {
  const { benchRaw } = await import('./bench-raw/main.ts')
  await benchRaw(args)
} else if (what === 'hostile') {
  const { benchHostile } = await import('./bench-hostile/main.ts')
  await benchHostile(args)
} else if (what === 'conceal') {
  const { benchConceal } = await import('./bench-conceal/main.ts')
  await benchConceal(args)
} else if (what === 'contained') {
  const { benchContained } = await import('./bench-contained/main.ts')
  await benchContained(args)
} else if (what === 'damaged-frames') {
  const { benchDamagedFrames } = await import('./bench-damaged-frames/main.ts')
  await benchDamagedFrames(args)
} else await import('./bench/main.ts')
