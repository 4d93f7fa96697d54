import fs from 'node:fs'
import { ByteReader } from '/work/main/packages/engine/src/bytes/reader.ts'
import { MemorySource } from '/work/main/packages/engine/src/bytes/source.ts'
import { DEFAULT_LIMITS } from '/work/main/packages/engine/src/bytes/limits.ts'
import { Findings } from '/work/main/packages/engine/src/model/finding.ts'
import { SILENT } from '/work/main/packages/engine/src/model/monitor.ts'
import { readFile } from '/work/main/packages/engine/src/formats/isobmff/read.ts'
import { carve } from '/work/main/packages/engine/src/recovery/carve.ts'
const [vp, sp, ...kinds] = process.argv.slice(2)
const bytes = fs.readFileSync(vp)
const v = new ByteReader(new MemorySource(bytes)), s = new ByteReader(new MemorySource(fs.readFileSync(sp)))
const truth = await readFile(v, DEFAULT_LIMITS, new Findings(), SILENT), samp = await readFile(s, DEFAULT_LIMITS, new Findings(), SILENT)
const tracks = samp.movie!.tracks.map(t => ({ description: t.description, table: t.samples }))
let seed = 7; const rnd = () => { seed = (seed * 1103515245 + 12345) & 0x7fffffff; return seed / 0x7fffffff }
for (const kind of kinds.length ? kinds : ['cut70', 'head64k', 'blocks3', 'del512', 'ins', 'rand8']) {
  const d = new Uint8Array(bytes); const hit: [number, number][] = []
  let map = (o: number) => o, data = d, regions = truth.survey.payload.map(r => ({ ...r }))
  const p0 = regions[0].offset, p1 = regions.at(-1)!.offset + regions.at(-1)!.length
  if (kind === 'cut70') { data = d.subarray(0, Math.floor(d.length * .7)); hit.push([data.length, 1e12]) }
  if (kind === 'head64k') { d.fill(0, 0, 65536); hit.push([0, 65536]) }
  if (kind === 'blocks3' || kind === 'rand8') for (let i = 0; i < (kind === 'rand8' ? 8 : 3); i++) { const o = Math.floor(p0 + rnd() * (p1 - p0 - 4096)); if (kind === 'rand8') for (let k = o; k < o + 700; k++) d[k] = rnd() * 256; else d.fill(0, o, o + 4096); hit.push([o, o + (kind === 'rand8' ? 700 : 4096)]) }
  if (kind === 'del512') { const o = Math.floor((p0 + p1) / 2); data = new Uint8Array([...d.subarray(0, o), ...d.subarray(o + 512)]); hit.push([o, o + 512]); map = x => x >= o + 512 ? x - 512 : x }
  if (kind === 'ins') { const o = Math.floor((p0 + p1) / 2); data = new Uint8Array(Buffer.concat([d.subarray(0, o), Buffer.alloc(333, 0x5a), d.subarray(o)])); hit.push([o, o]); map = x => x >= o ? x + 333 : x }
  regions = regions.map(r => ({ offset: r.offset, length: Math.max(0, Math.min(r.length, data.length - r.offset)) })).filter(r => r.length > 0)
  if (kind === 'ins') regions.at(-1)!.length += 333
  if (kind === 'head64k') regions = [{ offset: 0, length: p1 }]
  const t0 = performance.now()
  const r = await carve({ reader: new ByteReader(new MemorySource(data)), regions, sample: { reader: s, tracks }, limits: DEFAULT_LIMITS, monitor: SILENT })
  const ms = performance.now() - t0
  let line = `${kind.padEnd(8)} ${ms.toFixed(0).padStart(5)} ms holes ${String(r.holes.length).padStart(3)} `
  const offs: number[] = []
  const per = truth.movie!.tracks.map((t, i) => {
    const a = t.samples, b = r.tracks[i]?.table; if (!b) return ''
    const at = new Map<number, number>(); for (let k = 0; k < b.length; k++) at.set(b.offset[k], k)
    let sha = 1e18; for (let k = 0; k < a.length; k++) sha = Math.min(sha, a.dts[k] + a.cts[k])
    let alive = 0, ok = 0; const diffs: number[] = []; const bad: number[] = []
    for (let k = 0; k < a.length; k++) {
      const o = a.offset[k], e = o + a.size[k]
      if (hit.some(([x, y]) => (x === y ? o < x && e > x : o < y && e > x))) continue
      alive++
      const m = at.get(map(o)); if (m === undefined || b.size[m] !== a.size[k]) { bad.push(k); continue }
      ok++
      diffs.push(((b.dts[m] + b.cts[m] - r.tracks[i].times.compositionShift + r.tracks[i].times.startDelay) - (a.dts[k] + a.cts[k] - sha)) / t.description.timescale)
    }
    const unit = a.duration[0] / a.count[0] / t.description.timescale
    return { name: t.description.codec, alive, ok, diffs, found: b.length, bad, unit: a.duration[1] / t.description.timescale / 2 }
  }).filter(x => x !== '')
  // one constant offset over all tracks: the most common difference of track with most
  const ref = per[0]; const hist = new Map<string, number>(); for (const x of ref.diffs) { const q = x.toFixed(3); hist.set(q, (hist.get(q) ?? 0) + 1) }
  const c = Number([...hist].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0)
  for (const x of per) { const cc = x === ref ? c : c; const base = per[0].diffs.length ? cc : 0
    const own = x === ref ? base : base; const t = x.diffs.filter(q => Math.abs(q - own) <= x.unit * 1.02).length
    line += `| ${x.name} ${x.ok}/${x.alive} found ${x.found} time ${t} `; if (process.env.V) line += ` d ${x.diffs.map((q,i)=>[i,q]).filter(([i,q])=>Math.abs(q-own)>x.unit*1.02).slice(0,6).map(([i,q])=>i+':'+(q/x.unit/2).toFixed(1))} ` +  `bad ${x.bad.slice(0, 8)} ` }
  console.log(line)
}
