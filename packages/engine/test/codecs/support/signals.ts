/** Test sounds: one value in -1..1 by sample number and channel. */
export type Signal = (sample: number, channel: number) => number

/** Deterministic noise source: mulberry32, 32 bits a call. */
export function randomSource(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
}

export const silence: Signal = () => 0

export function noise(seed: number, level = 0.5): Signal {
  const random = randomSource(seed)
  return () => level * (random() / 0x8000_0000 - 1)
}

/** A chord that differs a little between channels, with slow swell. */
export function tones(rate: number): Signal {
  return (sample, channel) => {
    const time = sample / rate
    const swell = 0.5 + 0.5 * Math.sin(time * 5 + channel)
    const chord = Math.sin(time * 2764 * (1 + channel / 50)) + Math.sin(time * 4523) + Math.sin(time * 7917)
    return 0.25 * swell * chord
  }
}

/** Clicks with short ringing over faint noise, which make encoders switch to short windows. */
export function transients(rate: number, seed = 7): Signal {
  const random = randomSource(seed)
  const period = Math.round(rate / 7)
  return (sample, channel) => {
    const since = (sample + channel * 400) % period
    const burst = since < 600 ? Math.exp(-since / 120) * Math.sin(since * 0.9) : 0
    return 0.9 * burst + 0.002 * (random() / 0x8000_0000 - 1)
  }
}

/** The signals one after another, `length` samples each, over and over. */
export function sequence(signals: readonly Signal[], length: number): Signal {
  return (sample, channel) => signals[Math.floor(sample / length) % signals.length](sample, channel)
}

/** Random bytes from a seed. */
export function randomBytes(length: number, seed: number): Uint8Array {
  const random = randomSource(seed)
  return Uint8Array.from({ length }, () => random() >>> 24)
}
