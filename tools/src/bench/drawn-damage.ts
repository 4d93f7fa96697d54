import { type Draw, drawFrom } from '../media/draw.ts'
import type { Damage } from './damage.ts'
import { DamageRecorder } from './damage.ts'
import { payloadOf } from './damages.ts'
import { topBoxes } from './top-boxes.ts'

/** One blow, and what it is called with its size and place. */
interface Blow {
  readonly about: string
  strike(recorder: DamageRecorder, bytes: Buffer): void
}

/** The damage with a number: up to three blows drawn by lot, the same for the same number. */
export function drawnDamage(number: number): Damage {
  const draw = drawFrom(number + 0.5)
  const index = drawIndexBlow(draw)
  const count = index ? draw.below(3) : 1 + draw.below(2)
  const blows = [...(index ? [index] : []), ...Array.from({ length: count }, () => drawBlow(draw))]
  return {
    about: blows.map(({ about }) => about).join(' + '),
    applies: () => true,
    apply: (bytes, seed) => {
      const recorder = new DamageRecorder(bytes, seed)
      for (const blow of blows) blow.strike(recorder, bytes)
      return recorder.finish()
    },
  }
}

/** What happens to every `moov`: undefined where nothing does. */
function drawIndexBlow(draw: Draw): Blow | undefined {
  const kind = draw.weighted({ whole: 30, zeroed: 40, half: 10, flips: 20 })
  if (kind === 'whole') return undefined
  const flips = 1 + draw.below(40)
  const from = draw.below(1000) / 1000
  return {
    about:
      kind === 'flips' ? `index ${flips} flips` : kind === 'half' ? `index from ${from}` : 'index zeroed',
    strike: (recorder, bytes) => {
      for (const { type, start, body, end } of topBoxes(bytes)) {
        if (type !== 'moov') continue
        if (kind === 'zeroed') recorder.zero(start, end)
        else if (kind === 'flips') recorder.flip(flips, body, end)
        else recorder.zero(Math.floor(start + (end - start) * from), end)
      }
    },
  }
}

function drawBlow(draw: Draw): Blow {
  const kind = draw.weighted({
    cut: 20,
    'zero tail': 10,
    blocks: 20,
    noise: 10,
    flips: 10,
    removed: 12,
    inserted: 8,
    appended: 8,
    'head zeroed': 6,
    'head cut': 6,
    'payload size': 5,
  })
  const place = 0.05 + draw.below(900) / 1000
  const size = 2 ** draw.below(16) + draw.below(64)
  const count = 1 + draw.below(6)
  const at = (bytes: Buffer): number => {
    const { start, end } = payloadOf(bytes)
    return Math.floor(start + (end - start) * place)
  }
  const within = (bytes: Buffer, from: number): number => Math.min(from + size, payloadOf(bytes).end)
  const blow = (about: string, strike: Blow['strike']): Blow => ({ about: `${kind} ${about}`, strike })
  switch (kind) {
    case 'cut':
      return blow(`${place}`, (recorder, bytes) =>
        recorder.remove(Math.max(Math.floor(bytes.length * place), 1), bytes.length),
      )
    case 'zero tail':
      return blow(`${place}`, (recorder, bytes) =>
        recorder.zero(Math.floor(bytes.length * place), bytes.length),
      )
    case 'blocks':
    case 'noise':
      return blow(`${count} of ${size}`, (recorder, bytes) => {
        const { start, end } = payloadOf(bytes)
        for (let done = 0; done < count; done++) {
          const from = start + recorder.pick(Math.max(end - start - size, 1))
          if (kind === 'blocks') recorder.zero(from, Math.min(from + size, end))
          else recorder.scramble(from, Math.min(from + size, end))
        }
      })
    case 'flips':
      return blow(`${count * 10}`, (recorder, bytes) => {
        const { start, end } = payloadOf(bytes)
        recorder.flip(count * 10, start, end)
      })
    case 'removed':
      return blow(`${size} at ${place}`, (recorder, bytes) =>
        recorder.remove(at(bytes), within(bytes, at(bytes))),
      )
    case 'inserted':
      return blow(`${size} at ${place}`, (recorder, bytes) => recorder.insert(at(bytes), size))
    case 'appended':
      return blow(`${size * 4}`, (recorder) => {
        recorder.append(Buffer.from(Array.from({ length: size * 4 }, () => recorder.pick(256))))
      })
    case 'head zeroed':
      return blow(`${size}`, (recorder, bytes) => recorder.zero(0, Math.min(size, bytes.length)))
    case 'head cut':
      return blow(`${size}`, (recorder, bytes) => recorder.remove(0, Math.min(size, bytes.length)))
    case 'payload size':
      return blow(`${count}`, (recorder, bytes) => {
        const payload = topBoxes(bytes).find(({ type }) => type === 'mdat')
        if (!payload) return
        const wrong = Buffer.alloc(4)
        wrong.writeUInt32BE([0, 8, 7, 0xffff_ffff, (payload.end - payload.start) >> 1, 1000][count - 1] ?? 0)
        recorder.put(payload.start, wrong)
      })
  }
}
