import fs from 'node:fs'
import { ByteReader } from '/work/main/packages/engine/src/bytes/reader.ts'
import { MemorySource } from '/work/main/packages/engine/src/bytes/source.ts'
import { DEFAULT_LIMITS } from '/work/main/packages/engine/src/bytes/limits.ts'
import { Findings } from '/work/main/packages/engine/src/model/finding.ts'
import { SILENT } from '/work/main/packages/engine/src/model/monitor.ts'
import { readFile } from '/work/main/packages/engine/src/formats/isobmff/read.ts'
import { codecNamed } from '/work/main/packages/engine/src/codecs/index.ts'
import { Unit } from '/work/main/packages/engine/src/codecs/recogniser.ts'
const [vp, sp, from] = process.argv.slice(2)
const v = new ByteReader(new MemorySource(fs.readFileSync(vp))), s = new ByteReader(new MemorySource(fs.readFileSync(sp)))
const truth = (await readFile(v, DEFAULT_LIMITS, new Findings(), SILENT)).movie!, samp = (await readFile(s, DEFAULT_LIMITS, new Findings(), SILENT)).movie!
samp.tracks.forEach((t, i) => { const r = codecNamed(t.description.codec)?.recogniser(t.description); if (!r) return
 for (let k = 0; k < Math.min(600, t.samples.length); k++) r.learn?.(s, t.samples.offset[k], t.samples.size[k])
 const tt = truth.tracks[i].samples; const u = new Unit(); let n = 0
 for (let k = 0; k < tt.length && n < 12; k++) { if (tt.offset[k] < Number(from)) continue; n++; u.lengthKnown = true
  const ok = r.recognise(v, tt.offset[k], v.size, u); console.log(t.description.codec, k, tt.offset[k], tt.size[k], ok, u.length, 'ev', u.evidence.toFixed(1), 'search', r.search(v, tt.offset[k], v.size) - tt.offset[k], 'key', u.key) }
})
