import type { CaseResult } from './cases.ts'

/** What counts as brought back: the bars of a case, of blocks near the original and of those with exact detail. */
const BAR = 0.99
const DETAIL_BAR = 0.9
/** Levels that colours may be off on average. */
const COLOUR_BAR = 4

const percent = (value: number): string => (100 * value).toFixed(2).padStart(6)

export function caseLine({
  photo,
  damage,
  progressive,
  dcSurvives,
  verdict,
  near,
  peerNear,
  exact,
  shape,
  seconds,
  off,
  falselyRepaired,
}: CaseResult): string {
  const peer = peerNear === undefined ? '' : ` sharp ${percent(peerNear)}`
  return `${damage.padEnd(11)} ${photo.slice(0, 44).padEnd(44)} ${verdict.padEnd(12)} near ${percent(near)} exact ${percent(exact)}${peer} off ${off?.toFixed(2) ?? '-'} ${shape ? '' : 'other shape '}${falselyRepaired ? 'FALSE ' : ''}${progressive && !dcSurvives ? 'DC hit ' : ''}${seconds.toFixed(2)} s`
}

/** A line for each damage: means, how many cases reach the bar, how many are worse than the peer, and the time. */
export function summaryLines(results: readonly CaseResult[]): string[] {
  const lines = [
    'damage       cases  near% >=99%  exact% >=90%  sharp%  worse  shape% colour%  s/MP median  p95  most',
  ]
  for (const damage of new Set(results.map((result) => result.damage))) {
    const own = results.filter((result) => result.damage === damage)
    const rates = own.map(({ seconds, megapixels }) => seconds / megapixels).sort((a, b) => a - b)
    const at = (part: number): string =>
      (rates[Math.min(rates.length - 1, Math.floor(part * rates.length))] ?? 0).toFixed(3)
    const worse = own.filter(({ near, peerNear }) => peerNear !== undefined && near < peerNear - 0.001).length
    const peers = own.flatMap(({ peerNear }) => (peerNear === undefined ? [] : [peerNear]))
    lines.push(
      [
        damage.padEnd(12),
        String(own.length).padStart(5),
        percent(mean(own.map(({ near }) => near))),
        percent(share(own, ({ near }) => near >= BAR)),
        percent(mean(own.map(({ exact }) => exact))),
        percent(share(own, ({ exact }) => exact >= DETAIL_BAR)),
        peers.length > 0 ? percent(mean(peers)) : '     -',
        String(worse).padStart(5),
        percent(share(own, ({ shape }) => shape)),
        percent(share(own, ({ off }) => off !== undefined && off <= COLOUR_BAR)),
        at(0.5).padStart(8),
        at(0.95).padStart(8),
        (rates.at(-1) ?? 0).toFixed(3).padStart(8),
      ].join(' '),
    )
  }
  lines.push(...progressiveLines(results))
  const wrong = results.filter(({ falselyRepaired }) => falselyRepaired).length
  lines.push(`called repaired without being the original: ${wrong} of ${results.length}`)
  return lines
}

/** Of progressive photos a line for each damage, of those whose first scan of DC was not hit. */
function progressiveLines(results: readonly CaseResult[]): string[] {
  const sound = results.filter(({ progressive, dcSurvives }) => progressive && dcSurvives)
  return [...new Set(sound.map(({ damage }) => damage))].map((damage) => {
    const own = sound.filter((result) => result.damage === damage)
    const peers = own.flatMap(({ peerNear }) => (peerNear === undefined ? [] : [peerNear]))
    const peer = peers.length > 0 ? ` sharp ${percent(mean(peers))}` : ''
    return `progressive, DC survives: ${damage.padEnd(12)} ${String(own.length).padStart(5)} near ${percent(mean(own.map(({ near }) => near)))}${peer}`
  })
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}

function share<Value>(values: readonly Value[], holds: (value: Value) => boolean): number {
  return values.filter(holds).length / Math.max(1, values.length)
}
