import { describe, expect, it, vi } from 'vitest'
import { PhotoBatch } from '../../src/features/repair/photo/photo-batch.ts'
import { repairsLeft, sortPhotos } from '../../src/features/repair/photo/photo-checks.ts'
import { ApiFailure } from '../../src/shared/api/failure.ts'
import { flowWorld, progress } from './fakes.ts'

const photo = (name: string) => new File(['damaged'], name)
const done = () => progress({ status: 'Completed', stage: 'done', verdict: 'repaired' })

/** A world of the photo flavour; each repair is told of by its own end, which comes after `go` where it is held. */
function photoWorld(change: Parameters<typeof flowWorld>[0] = {}, held = false) {
  const world = flowWorld(change)
  let running = 0
  let go = () => {}
  const gate = held ? new Promise<void>((open) => (go = open)) : undefined
  const seen = { atOnce: 0, started: [] as string[] }
  const ports = {
    ...world.ports,
    product: 'photo' as const,
    api: {
      ...world.api,
      startRepair: async (file: { name: string }) => {
        seen.started.push(file.name)
        running += 1
        seen.atOnce = Math.max(seen.atOnce, running)
        return 'code'
      },
    },
    progress: {
      ...world.ports.progress,
      async *events() {
        await gate
        await new Promise((resolve) => setTimeout(resolve, 5))
        running -= 1
        yield done()
      },
    },
  }
  return { ...world, ports, seen, go: () => go() }
}

const kinds = (batch: PhotoBatch) => batch.snapshot().items.map(({ state }) => state.repair.kind)
const settled = (batch: PhotoBatch, ready: () => boolean) =>
  vi.waitFor(() => {
    if (!ready()) throw new Error(kinds(batch).join())
  })

describe('several photos at once', () => {
  it('are each sent and repaired by themselves, on the Free plan one after the other, in their order', async () => {
    const world = photoWorld()
    const batch = new PhotoBatch(world.ports)
    await batch.choose([photo('a.jpg'), photo('b.jpg'), photo('c.jpeg')])
    expect(batch.snapshot().selected).toBe(1)
    await settled(batch, () => kinds(batch).every((kind) => kind === 'done'))
    expect(world.seen).toEqual({ atOnce: 1, started: ['a.jpg', 'b.jpg', 'c.jpeg'] })
    expect(world.store.puts).toHaveLength(3)
  })

  it('are repaired three at a time on Premium', async () => {
    const world = photoWorld({ facts: { plan: 'Premium', totalRecharges: 50 } })
    const batch = new PhotoBatch(world.ports)
    await batch.choose(Array.from({ length: 8 }, (_, index) => photo(`${index}.cr2`)))
    await settled(batch, () => kinds(batch).every((kind) => kind === 'done'))
    expect(world.seen.atOnce).toBeGreaterThan(1)
    expect(world.seen.atOnce).toBeLessThanOrEqual(3)
    expect(world.seen.started).toHaveLength(8)
  })

  it('are repaired once, also when somebody is impatient', async () => {
    const world = photoWorld({}, true)
    const batch = new PhotoBatch(world.ports)
    await batch.choose([photo('a.jpg'), photo('b.jpg')])
    await vi.waitFor(() => {
      const { queued, state } = batch.snapshot().items[1] ?? {}
      if (!queued || !state?.damaged) throw new Error('b.jpg does not wait for its turn yet')
    })
    const impatient = [batch.start(2), batch.start(2)]
    world.go()
    await Promise.all(impatient)
    await settled(batch, () => kinds(batch).every((kind) => kind === 'done'))
    expect(world.seen.started).toEqual(['a.jpg', 'b.jpg'])
  })

  it('of which one fails leave the others to go on', async () => {
    const world = photoWorld()
    const { startRepair } = world.ports.api
    world.ports.api.startRepair = async (file: { name: string }) => {
      if (file.name === 'a.jpg') throw new ApiFailure(500, 'server.error', 'x')
      return startRepair(file)
    }
    const batch = new PhotoBatch(world.ports)
    await batch.choose([photo('a.jpg'), photo('b.jpg')])
    await settled(batch, () => kinds(batch).join() === 'failed,done')
    expect(world.seen.started).toEqual(['b.jpg'])
  })

  it('that are taken off the list before their turn are neither sent nor repaired', async () => {
    const world = photoWorld()
    world.store.outcomes.push('hang', 'hang')
    const batch = new PhotoBatch(world.ports)
    await batch.choose([photo('a.jpg'), photo('b.jpg'), photo('c.jpg')])
    await vi.waitFor(() => expect(world.store.puts).toHaveLength(2))
    batch.remove(3)
    batch.remove(1)
    batch.remove(2)
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(world.store.puts).toHaveLength(2)
    expect(world.seen.started).toEqual([])
    expect(batch.snapshot()).toMatchObject({ items: [], selected: undefined })
  })

  it('beyond what the plan has left are left out and said so, those under way counted', async () => {
    const world = photoWorld({ facts: { usedRecharges: 1 } })
    const batch = new PhotoBatch(world.ports)
    await batch.choose([photo('a.jpg')])
    await batch.choose([photo('b.jpg'), photo('c.jpg'), photo('d.jpg')])
    expect(batch.snapshot().items.map(({ name }) => name)).toEqual(['a.jpg', 'b.jpg'])
    expect(world.notices).toContain('info: 2 photos were left out: your plan has 1 repair left.')
    await batch.choose([photo('e.jpg')])
    expect(world.dialogs).toEqual(['plan-limit'])
  })

  it('are refused each for its reason, and a guest is asked to sign in', async () => {
    const world = photoWorld()
    const batch = new PhotoBatch(world.ports)
    await batch.choose([photo('a.heic'), photo('b.txt'), photo('c.jpg')])
    expect(batch.snapshot().items.map(({ name }) => name)).toEqual(['c.jpg'])
    expect(world.notices).toEqual([
      'error: a.heic: The Free plan repairs JPEG photos. Premium repairs every supported format.',
      'error: b.txt: Unsupported file format.',
    ])
    world.world.signedIn = false
    await batch.choose([photo('d.jpg')])
    expect(world.dialogs).toEqual(['sign-in'])
  })
})

describe('photos that are chosen', () => {
  it('wait while others are looked at, and an end of the session asks to log in', async () => {
    let answer: (may: boolean) => void = () => undefined
    const uploadCheck = () => new Promise<boolean>((resolve) => (answer = resolve))
    const world = photoWorld({ api: { uploadCheck } })
    const batch = new PhotoBatch(world.ports)
    const checking: boolean[] = []
    batch.subscribe(() => checking.push(batch.snapshot().checking))
    await batch.choose([])
    const first = batch.choose([photo('a.jpg')])
    await batch.choose([photo('b.jpg')])
    await vi.waitFor(() => expect(checking).toEqual([true]))
    answer(true)
    await first
    expect([batch.snapshot().items.map(({ name }) => name), checking.at(-1)]).toEqual([['a.jpg'], false])
    world.ports.api.uploadCheck = () => Promise.reject(new ApiFailure(401, 'auth.required', 'x'))
    await batch.choose([photo('c.jpg')])
    world.ports.api.uploadCheck = () => Promise.reject(new ApiFailure(500, 'server.error', ''))
    await batch.choose([photo('d.jpg')])
    expect(world.dialogs).toEqual(['sign-in'])
    expect(world.notices).toContain('error: Server error (500). Please try again later.')
    expect([batch.snapshot().items.length, batch.snapshot().checking]).toEqual([1, false])
  })

  it('on Premium are a matter of what is left alone, and too large ones are told to the service', async () => {
    const asked: unknown[] = []
    const api = {
      uploadCheck: async () => asked.push('check') > 0,
      reportSize: async (bytes: number) => void asked.push(bytes),
    }
    const world = photoWorld({ facts: { plan: 'Premium', totalRecharges: 5 }, api })
    const batch = new PhotoBatch(world.ports)
    const large = Object.defineProperty(photo('a.jpg'), 'size', { value: 501 * 2 ** 20 })
    await batch.choose([large, ...Array.from({ length: 5 }, (_, index) => photo(`${index}.txt`))])
    expect([asked, world.dialogs]).toEqual([[501 * 2 ** 20], ['too-large']])
    expect(world.notices.slice(2)).toEqual([
      'error: 2.txt: Unsupported file format.',
      'error: 2 more files could not be taken.',
    ])
    await batch.choose([photo('b.txt')])
    expect(world.notices.at(-1)).toBe('error: Unsupported file format.')
    await batch.choose(Array.from({ length: 6 }, (_, index) => photo(`${index}.jpg`)))
    expect(world.notices.at(-1)).toBe('info: 1 photo was left out: your plan has 5 repairs left.')
    await batch.choose([photo('c.jpg')])
    expect(world.dialogs.at(-1)).toBe('exhausted')
  })

  it('that failed leave their place of the plan to others', async () => {
    const failing = async () => Promise.reject(new ApiFailure(500, 'server.error', 'x'))
    const world = photoWorld({ facts: { usedRecharges: 2 } })
    Object.assign(world.ports.api, { startRepair: failing })
    const batch = new PhotoBatch(world.ports)
    world.store.outcomes.push({ kind: 'refused', status: 500 })
    await batch.choose([photo('a.jpg')])
    await settled(batch, () => batch.snapshot().items[0]?.state.transfer?.state === 'failed')
    await batch.choose([photo('b.jpg')])
    await settled(batch, () => kinds(batch)[1] === 'failed')
    await batch.choose([photo('c.jpg')])
    expect(batch.snapshot().items.map(({ name }) => name)).toEqual(['a.jpg', 'b.jpg', 'c.jpg'])
  })
})

describe('the list of photos', () => {
  it('looks at the one that is selected; one that is taken off gives way to the next, or the last', async () => {
    const world = photoWorld({ facts: { plan: 'Premium', totalRecharges: 9 } })
    world.store.outcomes.push('hang', 'hang')
    const batch = new PhotoBatch(world.ports)
    let told = 0
    const stop = batch.subscribe(() => told++)
    await batch.choose(['a.jpg', 'b.jpg', 'c.jpg', 'd.jpg'].map(photo))
    batch.select(3)
    expect([batch.snapshot().selected, batch.flow()]).toEqual([3, batch.flow(3)])
    batch.remove(3)
    expect(batch.snapshot().selected).toBe(4)
    batch.remove(1)
    expect(batch.snapshot().selected).toBe(4)
    batch.remove(4)
    expect(batch.snapshot().selected).toBe(2)
    batch.remove(99)
    expect(batch.snapshot().items.map(({ id, queued }) => [id, queued])).toEqual([[2, true]])
    expect(world.milestones).not.toContain('cleared')
    batch.remove(2)
    expect([batch.snapshot().selected, world.milestones.at(-1)]).toEqual([undefined, 'cleared'])
    stop()
    const before = told
    batch.select(1)
    expect([told > 0, told]).toEqual([true, before])
  })

  it('sends a photo again whose upload stopped, and repairs it then', async () => {
    const world = photoWorld()
    world.store.outcomes.push({ kind: 'refused', status: 500 })
    const batch = new PhotoBatch(world.ports)
    await batch.retry(1)
    await batch.choose([photo('a.jpg')])
    await settled(batch, () => batch.snapshot().items[0]?.state.transfer?.state === 'failed')
    await batch.retry(1)
    expect([kinds(batch), world.seen.started]).toEqual([['done'], ['a.jpg']])
    expect(batch.snapshot().items[0]?.queued).toBe(false)
  })

  it('goes on with uploads of an earlier visit, one of which is repaired already', async () => {
    const world = photoWorld()
    const batch = new PhotoBatch(world.ports)
    const record = { originalfilename: 'a.jpg', status: 'Corrut_File_Uploaded', timestamp: '1' }
    batch.resume(record as Parameters<PhotoBatch['resume']>[0])
    await settled(batch, () => kinds(batch).join() === 'done')
    const running = { ...record, originalfilename: 'b.jpg', repair: { status: 'Running' } }
    batch.resume(running as Parameters<PhotoBatch['resume']>[0])
    await settled(batch, () => kinds(batch).join() === 'done,done')
    expect(world.seen.started).toEqual(['a.jpg'])
    batch.dispose()
    expect([batch.snapshot(), batch.flow(1)]).toEqual([
      { checking: false, items: [], selected: undefined },
      undefined,
    ])
    expect(world.milestones.filter((milestone) => milestone === 'cleared')).toHaveLength(2)
  })
})

describe('what a plan takes of chosen photos', () => {
  const file = (name: string, size = 1) => ({ name, size })
  const MB = 2 ** 20

  it('is JPEG up to 20 MB on Free, every format up to 500 MB on Premium', () => {
    const files = [file('a.jpg', 21 * MB - 1), file('b.jpg', 21 * MB), file('c.nef', 499 * MB)]
    const free = sortPhotos(files, 'Free', 3)
    expect(free.taken).toEqual([files[0]])
    expect(free.refused.map(({ name }) => name)).toEqual(['b.jpg', 'c.nef'])
    expect(sortPhotos(files, 'Premium', 50).taken).toEqual(files)
    expect(sortPhotos([file('d.dng', 500 * MB + 1)], 'Premium', 50)).toMatchObject({
      taken: [],
      refused: [],
      tooLarge: [{ name: 'd.dng' }],
    })
  })

  it('is nothing without a byte', () => {
    expect(sortPhotos([file('a.jpg', 0)], 'Free', 3)).toMatchObject({
      taken: [],
      refused: [
        { name: 'a.jpg', text: 'This file is empty: there is nothing in it that could be repaired.' },
      ],
    })
  })

  it('is as many as are left', () => {
    const facts = { plan: 'Free', uploadedFiles: [], totalRecharges: 0, usedRecharges: 1 }
    expect(repairsLeft(facts, 0)).toBe(2)
    expect(repairsLeft(facts, 2)).toBe(0)
    expect(repairsLeft({ ...facts, plan: 'Premium', totalRecharges: 50, usedRecharges: 8 }, 2)).toBe(40)
    expect(sortPhotos([file('a.jpg'), file('b.jpg')], 'Free', 1)).toMatchObject({ beyondPlan: 1 })
  })
})
