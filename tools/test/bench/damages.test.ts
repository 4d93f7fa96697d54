import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DamageRecorder } from '../../src/bench/damage.ts'
import { DAMAGES } from '../../src/bench/damages.ts'
import { topBoxes } from '../../src/bench/top-boxes.ts'
import { clipOf, RECIPES } from '../../src/media/catalogue.ts'
import { makeClip } from '../../src/media/make-clip.ts'
import type { Recipe } from '../../src/media/recipe.ts'

describe('DamageRecorder', () => {
  const healthy = Buffer.from(Array.from({ length: 100 }, (_, index) => index))

  it('keeps the healthy bytes and accounts for every change in their offsets', () => {
    const damaged = new DamageRecorder(healthy, 1)
      .zero(10, 12)
      .insert(50, 3)
      .remove(60, 70)
      .append(Buffer.from('end'))
      .finish()
    expect(damaged.bytes).toHaveLength(100 + 3 - 10 + 3)
    expect([...damaged.bytes.subarray(0, 14)]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 12, 13])
    expect(damaged.bytes[53]).toBe(50)
    expect(damaged.bytes[63]).toBe(70)
    expect(damaged.lost).toEqual([
      { start: 10, end: 12 },
      { start: 50, end: 50 },
      { start: 60, end: 70 },
    ])
    expect(healthy[10]).toBe(10)
  })

  it('cuts cuts that overlap once', () => {
    const damaged = new DamageRecorder(healthy, 1).remove(20, 40).remove(30, 100).finish()
    expect(damaged.bytes).toHaveLength(20)
  })
})

describe('damages', () => {
  it('apply to files alone that have what they hit', () => {
    const box = (type: string): Buffer => Buffer.concat([Buffer.from([0, 0, 0, 8]), Buffer.from(type)])
    const names = (...types: readonly string[]): string[] => {
      const bytes = Buffer.concat(types.map(box))
      return Object.keys(DAMAGES).filter((name) => DAMAGES[name].applies('mp4', bytes))
    }
    expect(names('ftyp', 'mdat', 'moov')).toContain('index-flips')
    expect(names('ftyp', 'mdat')).not.toContain('index-flips')
    expect(names('ftyp', 'moov')).not.toContain('blocks-indexed')
    const three = names('moov', ...Array(3).fill(['moof', 'mdat']).flat())
    expect(three).toContain('frag-moof-zero')
    expect(three).not.toContain('frag-lost')
  })

  let folder: string
  const files = new Map<string, { recipe: Recipe; bytes: Buffer }>()
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'damages-'))
    for (const name of ['h264-camera-aac', 'h264-pcm-chunks', 'h264-fragmented-aac', 'mkv-h264-aac']) {
      const recipe = RECIPES[name]
      if (!recipe) throw new Error(name)
      const path = join(folder, name)
      await makeClip(clipOf(name, 'victim', { seconds: 6, width: 192, height: 108, seed: 1 }), path)
      files.set(name, { recipe, bytes: readFileSync(path) })
    }
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('changes the file, the same way every time, and leaves outside its losses what was there', () => {
    for (const { recipe, bytes } of files.values()) {
      for (const [name, damage] of Object.entries(DAMAGES)) {
        if (name === 'healthy' || !damage.applies(recipe.container, bytes)) continue
        const first = damage.apply(bytes, 3, bytes)
        expect(first.bytes.equals(damage.apply(bytes, 3, bytes).bytes), name).toBe(true)
        expect(first.bytes.equals(bytes), name).toBe(false)
        if (first.bytes.length !== bytes.length) continue
        const changed = new Uint8Array(bytes.length)
        for (const { start, end } of first.lost) changed.fill(1, start, end)
        expect(
          first.bytes.every((byte, at) => changed[at] === 1 || byte === bytes[at]),
          name,
        ).toBe(true)
      }
    }
  })

  it('has damages for every kind of file: index in front, at the end, fragments and other containers', () => {
    const applying = (name: string): string[] => {
      const file = files.get(name)
      return Object.entries(DAMAGES).flatMap(([damage, { applies }]) =>
        file && applies(file.recipe.container, file.bytes) ? [damage] : [],
      )
    }
    expect(applying('h264-camera-aac')).toContain('cut-indexed')
    expect(applying('h264-pcm-chunks')).not.toContain('cut-indexed')
    expect(applying('h264-fragmented-aac')).toContain('frag-init-lost')
    expect(applying('h264-fragmented-aac')).not.toContain('index-zero')
    expect(applying('mkv-h264-aac')).toContain('del512')
    expect(applying('mkv-h264-aac')).not.toContain('mdat-size')
    expect(applying('mkv-h264-aac')).toContain('seek-index-zero')
  })

  it('takes the index away where a damage says so', () => {
    const file = files.get('h264-camera-aac')
    if (!file) throw new Error('no clip')
    const damaged = DAMAGES['index-zero']?.apply(file.bytes, 1, file.bytes).bytes ?? Buffer.alloc(0)
    expect(topBoxes(file.bytes).some(({ type }) => type === 'moov')).toBe(true)
    expect(topBoxes(damaged).some(({ type }) => type === 'moov')).toBe(false)
  })

  it('zeroes of Matroska what leads to clusters, and no cluster', () => {
    const bytes = files.get('mkv-h264-aac')?.bytes ?? Buffer.alloc(0)
    const damaged = DAMAGES['seek-index-zero']?.apply(bytes, 1, bytes).bytes ?? Buffer.alloc(0)
    const count = (of: Buffer, id: string): number => of.toString('hex').split(id).length - 1
    expect(['114d9b74', '1c53bb6b'].map((id) => count(damaged, id))).toEqual([0, 0])
    expect(count(damaged, '1f43b675')).toBe(count(bytes, '1f43b675'))
  })
})
