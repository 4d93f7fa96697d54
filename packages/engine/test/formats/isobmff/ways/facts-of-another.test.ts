import { describe, expect, it } from 'vitest'
import type { Movie, MovieTrack, TrackFact } from '../../../../src/formats/isobmff/read/movie.ts'
import { equipmentOf, isPersonal } from '../../../../src/formats/isobmff/ways/descriptions/equipment.ts'
import {
  counterpartOf,
  movieLike,
  withFactsOf,
  withHabitsOf,
  withHeaderOf,
  withoutPersonal,
  withRemnant,
} from '../../../../src/formats/isobmff/ways/descriptions/track-facts.ts'
import { movieOf } from '../support/engine.ts'
import { fixture } from '../support/fixtures.ts'

const text = (value: string): Uint8Array => Uint8Array.from(Buffer.from(value, 'latin1'))
const word = (value: number): Uint8Array =>
  Uint8Array.from([24, 16, 8, 0].map((shift) => (value >> shift) & 255))
const joined = (...parts: readonly Uint8Array[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => [...part]))
const box = (type: string | number, ...parts: readonly Uint8Array[]): Uint8Array => {
  const body = joined(...parts)
  return joined(word(body.length + 8), typeof type === 'string' ? text(type) : word(type), body)
}
const shown = (boxes: readonly Uint8Array[]): string[] =>
  boxes.map((each) => Buffer.from(each).toString('latin1'))

describe('of user data and metadata', () => {
  const model = box('©mod', text('X1'))
  const user = box(
    'udta',
    box('©day', text('2020')),
    model,
    box('loci', text('home')),
    box('FIRM', text('v2')),
  )
  const handler = box('hdlr', new Uint8Array(24))
  const key = (name: string): Uint8Array => box('mdta', text(name))
  const keys = (...names: readonly string[]): Uint8Array =>
    box('keys', word(0), word(names.length), ...names.map(key))
  const item = (type: string | number, value: string): Uint8Array =>
    box(type, box('data', word(1), word(0), text(value)))
  const names = [
    'com.apple.quicktime.location.ISO6709',
    'com.apple.quicktime.make',
    'com.apple.quicktime.creationdate',
    'com.android.version',
    'x.model',
  ]
  const list = box(
    'ilst',
    item(1, 'home'),
    item(2, 'Maker'),
    item(3, '2020'),
    item(5, 'X1'),
    item('©too', 'app'),
    item('©day', '2021'),
  )

  it('what names the equipment is kept, and nothing of one recording alone', () => {
    expect(['udta', 'meta', 'uuid', 'tapt', 'iods'].map((type) => isPersonal(box(type)))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ])
    expect(shown(equipmentOf([user, box('uuid', text('serial number')), box('tapt', model)]))).toEqual(
      shown([box('udta', model, box('FIRM', text('v2')))]),
    )
    expect(equipmentOf([box('udta', box('©day', text('2020'))), box('udta')])).toEqual([])
  })

  it.each(['ISO', 'QuickTime'])('items keep their keys, counted anew, in boxes of %s', (kind) => {
    const front = kind === 'ISO' ? [word(0)] : []
    const kept = box(
      'meta',
      ...[...front, handler, keys('com.apple.quicktime.make', 'com.android.version', 'x.model')],
      box('ilst', item(1, 'Maker'), item(3, 'X1'), item('©too', 'app')),
    )
    const meta = box('meta', ...front, handler, keys(...names), list)
    expect(shown(equipmentOf([meta]))).toEqual(shown([kept]))
    expect(shown(equipmentOf([box('udta', meta)]))).toEqual(shown([box('udta', kept)]))
    // nothing of it without a handler, a list, or anything wanted
    const none = [
      ...[box('meta', ...front, keys(...names), list), box('meta', ...front, handler, keys(...names))],
      box('meta', ...front, handler, keys(...names), box('ilst', item(1, 'home'), item('©day', '2021'))),
    ]
    expect(equipmentOf(none)).toEqual([])
    // by type alone where there are no keys
    const plain = box('meta', ...front, handler, box('ilst', item('©swr', 'fw'), item(2, 'Maker')))
    expect(shown(equipmentOf([plain]))).toEqual(
      shown([box('meta', ...front, handler, box('ilst', item('©swr', 'fw')))]),
    )
  })

  it('boxes beyond a mebibyte, and lists that lead beyond their end, are not read', () => {
    const large = box('udta', model, box('free', new Uint8Array((1 << 20) - 26)))
    expect([large.length, equipmentOf([large]).length]).toEqual([(1 << 20) + 0, 1])
    expect(equipmentOf([box('udta', model, box('free', new Uint8Array((1 << 20) - 25)))])).toEqual([])
    const torn = joined(item('©too', 'app'), word(500), text('©mod'))
    const meta = box('meta', word(0), handler, box('ilst', torn))
    expect(shown(equipmentOf([meta]))).toEqual(
      shown([box('meta', word(0), handler, box('ilst', item('©too', 'app')))]),
    )
  })
})

describe('facts of another recording', async () => {
  const [own] = (await movieOf(fixture('h264-aac.mp4'))).tracks
  const others = (await movieOf(fixture('h264-two-aac.mov'))).tracks
  const personal = box('udta', box('©mod', text('X1')), box('©day', text('2020')))
  const other: MovieTrack = {
    ...others[0],
    header: { ...others[0].header, creation: 7, modification: 8, id: 9, flags: 15 },
    mediaHeader: { ...others[0].mediaHeader, creation: 5, modification: 6, language: 11, quality: 12 },
    trackBoxes: [box('tapt', text('a')), personal],
    edits: [
      { duration: 50, mediaTime: -1, rate: 65_536 },
      { duration: 9, mediaTime: 1024 + 512, rate: 65_536 },
    ],
  }
  const kept = [box('tapt', text('a')), box('udta', box('©mod', text('X1')))]
  const lost = (...facts: readonly TrackFact[]): MovieTrack => ({ ...own, lost: new Set(facts) })

  it('are taken without its dates and places, and only where damage took the own', () => {
    const stranger = withoutPersonal(other)
    expect([stranger.header.creation, stranger.header.modification, stranger.mediaHeader.creation]).toEqual([
      0, 0, 0,
    ])
    expect(stranger.mediaHeader.modification).toBe(0)
    expect([stranger.trackBoxes, [...stranger.lost]]).toEqual([kept, ['tkhd']])
    expect(withFactsOf({ ...own, lost: new Set() }, other).header).toBe(own.header)
    const all: readonly TrackFact[] = ['tkhd', 'mdhd', 'hdlr', 'minf', 'boxes', 'elst']
    for (const fact of all) {
      const filled = withFactsOf(lost(fact), other)
      const changed = all.filter((each) => {
        const field = (
          {
            tkhd: 'header',
            mdhd: 'mediaHeader',
            hdlr: 'handler',
            minf: 'information',
            boxes: 'trackBoxes',
            elst: 'edits',
          } as const
        )[each as 'tkhd']
        return JSON.stringify(filled[field]) !== JSON.stringify(own[field])
      })
      expect(changed, fact).toEqual([fact])
      expect([...filled.lost], fact).toEqual(fact === 'tkhd' ? ['tkhd'] : [])
    }
    expect(withFactsOf(lost('mdhd'), other).mediaHeader).toMatchObject({
      creation: 0,
      duration: 0,
      language: 11,
    })
    expect(withFactsOf(lost('boxes'), other).trackBoxes).toEqual(kept)
    expect(withFactsOf(lost('hdlr'), { ...other, handler: new Uint8Array(0) }).handler).toBe(own.handler)
  })

  it('give a start as theirs, priming skipped up to half a second', () => {
    const start = (mediaTime: number): number | undefined => {
      const edits = [{ duration: 0, mediaTime, rate: 65_536 }]
      return withFactsOf(lost('elst'), { ...other, edits }).edits?.[0]?.mediaTime
    }
    const { timescale } = other.description
    const firstOf = ({ samples }: MovieTrack): number =>
      Math.min(
        ...samples.dts
          .subarray(0, 64)
          .map((dts, row) => (row < samples.length ? dts + samples.cts[row] : Infinity)),
      )
    const [theirs, ours] = [firstOf(other), firstOf(own)]
    const scaled = (ticks: number): number =>
      ours + Math.round((ticks * own.description.timescale) / timescale)
    expect([
      start(theirs),
      start(theirs + 100),
      start(theirs + timescale / 2),
      start(theirs + timescale / 2 + 1),
    ]).toEqual([...[ours, scaled(100), scaled(timescale / 2), ours]])
    expect(withFactsOf(lost('elst'), { ...other, edits: [] }).edits).toBeUndefined()
  })

  it('are habits for a track worked out from its payload, but for apertures', () => {
    const made = withHabitsOf({ ...own, trackBoxes: [] }, other)
    expect([made.trackBoxes, made.mediaHeader.language, made.mediaHeader.quality]).toEqual([
      [kept[1]],
      11,
      12,
    ])
    expect([made.handler, made.information]).toEqual([other.handler, other.information])
    expect(
      withHabitsOf(
        { ...own, trackBoxes: [personal] },
        { ...other, handler: new Uint8Array(0), information: [] },
      ),
    ).toMatchObject({
      ...{ trackBoxes: [personal], handler: own.handler, information: own.information },
    })
  })

  it('give way to what a damaged movie box still has of a track', () => {
    const fields = ['header', 'mediaHeader', 'handler', 'trackBoxes'] as const
    const remnant = {
      ...own,
      trackBoxes: [personal],
      header: { ...own.header, modification: 77 },
      mediaHeader: { ...own.mediaHeader, language: 21 },
    }
    const taken = (...facts: readonly TrackFact[]): string[] => {
      const made = withRemnant(other, { ...remnant, lost: new Set(facts) })
      expect(made.header.id).toBe(9)
      expect([...made.lost]).toEqual(facts.includes('tkhd') ? ['tkhd'] : [])
      return fields.filter((field) => JSON.stringify(made[field]) !== JSON.stringify(other[field]))
    }
    expect(taken()).toEqual(fields)
    expect(
      [taken('tkhd'), taken('mdhd'), taken('hdlr'), taken('boxes')].map((left) =>
        fields.filter((field) => !left.includes(field)),
      ),
    ).toEqual([...[['header'], ['mediaHeader'], ['handler'], ['trackBoxes']]])
    expect(withRemnant(other, { ...remnant, lost: new Set(), trackBoxes: [] }).trackBoxes).toBe(
      other.trackBoxes,
    )
  })

  it('are those of the track at its place among its kind', () => {
    const [film, first, second] = others
    expect([film, first, second].map((track) => counterpartOf(track, others, others))).toEqual([
      film,
      first,
      second,
    ])
    expect(counterpartOf(second, [second, film], others)).toBe(first)
    const nameless = { ...second, handlerType: '' }
    expect(counterpartOf(nameless, [film, first, nameless], others)).toBe(second)
    expect(counterpartOf(second, [first, second], [film, first])).toBeUndefined()
  })

  it('are of a movie its header, where the own is lost, in the own scale where lengths are told in it', async () => {
    const movie: Movie = { ...(await movieOf(fixture('h264-aac.mp4'))), headerLost: true }
    const theirs: Movie = { ...(await movieOf(fixture('h264-two-aac.mov'))), boxes: [personal, box('iods')] }
    const scale = theirs.header.timescale + 1
    const foreign = {
      ...theirs,
      header: { ...theirs.header, timescale: scale, creation: 3, modification: 4, duration: 5 },
    }
    expect(movieLike(foreign)).toMatchObject({
      header: { creation: 0, modification: 0, duration: 5 },
      boxes: [kept[1]],
    })
    expect(withHeaderOf({ ...movie, headerLost: false }, foreign).header).toBe(movie.header)
    const untold = movie.tracks.map((track) => ({
      ...track,
      header: { ...track.header, duration: 0 },
      edits: [],
    }))
    const scales = [movie, { ...movie, tracks: untold }].map((of) => {
      const { header } = withHeaderOf(of, foreign)
      expect(header).toMatchObject({ creation: 0, modification: 0, duration: 0 })
      return header.timescale
    })
    expect(scales).toEqual([movie.header.timescale, scale])
  })
})
