import { describe, expect, it } from 'vitest'
import { draftMovie } from '../../../src/formats/isobmff/write/draft-movie.ts'
import type { PlannedTrack } from '../../../src/formats/isobmff/write/plan.ts'
import { planChunks } from '../../../src/formats/isobmff/write/plan-chunks.ts'
import { buildMovieBox, isUntouched } from '../../../src/formats/isobmff/write/write-moov.ts'
import { SAMPLE_KEY, SampleTable } from '../../../src/model/sample-table.ts'
import type { DraftTrack } from '../../../src/recording/draft.ts'

const PARENTS = /^(moov|trak|mdia|minf|stbl|dinf|edts)$/

/** Boxes of some bytes, one a line: what stands in them in hexadecimal, runs of zeros as their number. */
function treeOf(bytes: Uint8Array, depth = ''): string[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const lines: string[] = []
  for (let at = 0; at < bytes.length; ) {
    const size = view.getUint32(at)
    const type = Buffer.from(bytes).toString('latin1', at + 4, at + 8)
    const body = bytes.subarray(at + 8, at + size)
    if (PARENTS.test(type)) lines.push(depth + type, ...treeOf(body, `${depth} `))
    else {
      const hex = Buffer.from(body).toString('hex').replace(/../g, '$& ').trim()
      lines.push(
        `${depth}${type} ${hex.replace(/(00 ?){3,}/g, (zeros) => `<${Math.ceil(zeros.length / 3)}> `)}`.trimEnd(),
      )
    }
    at += size
  }
  return lines
}

const DRAFTS: readonly DraftTrack[] = [
  {
    ...{ kind: 'video', timescale: 12_800, unit: 512, width: 640, height: 360, fromFirstPicture: true },
    coding: { codec: 'vp9', config: new Uint8Array(0) },
  },
  {
    ...{ id: 7, kind: 'audio', timescale: 8000, unit: 1, constantBytes: 2 },
    coding: { codec: 'pcm', config: new Uint8Array(0), bits: 16, channels: 1, sampleRate: 8000 },
  },
  { kind: 'data', timescale: 30, unit: 1, coding: { codec: 'camm', config: new Uint8Array(0) } },
]

function movieOf(tracks: readonly DraftTrack[]) {
  const made = draftMovie({ tracks })
  if (!made) throw new Error('the draft makes no movie')
  return made
}

/** Pictures of which every other is a key and the second is shown late, plain sound with a gap, and data of one size. */
function planned(): readonly PlannedTrack[] {
  const { movie } = movieOf(DRAFTS)
  const rows = [
    [0, 1, 2, 3].map((i) => ({
      offset: 100 + i * 50,
      size: 40 + i,
      count: 1,
      duration: 512,
      dts: i * 512,
      cts: i === 1 ? 1024 : 0,
      key: i % 2 === 0,
    })),
    [0, 1].map((i) => ({
      offset: 145 + i * 100,
      size: 4,
      count: 2,
      duration: 2,
      dts: 100 + i * 4,
      cts: 0,
      key: true,
    })),
    [0, 1].map((i) => ({ offset: 400 + i * 9, size: 9, count: 1, duration: 1, dts: i, cts: 0, key: true })),
  ]
  return movie.tracks.map((template, track) => {
    const table = new SampleTable(4)
    for (const { offset, size, count, duration, dts, cts, key } of rows[track]) {
      const row = table.push(offset, size, count, duration, 0, key ? SAMPLE_KEY : 0)
      table.dts[row] = dts
      table.cts[row] = cts
    }
    return { template, table, times: 'index' }
  })
}

describe('a movie box', () => {
  it('of a draft is laid out as the standard has it, without a sample', () => {
    const { reader } = movieOf(DRAFTS)
    const tree = treeOf(reader.bytes(0, reader.size)).filter((line) => !/^ +(mvhd|dinf|dref)/.test(line))
    expect(tree.join('\n')).toMatchInlineSnapshot(`
      "moov
       trak
        tkhd <3> 03 <11> 01 <25> 01 <15> 01 <14> 40 <3> 02 80 00 00 01 68 00 00
        edts
         elst <7> 01 <9> 01 00 00
        mdia
         mdhd <14> 32 <5> 55 c4 00 00
         hdlr <8> 76 69 64 65 <12> 56 69 64 65 6f 48 61 6e 64 6c 65 72 00
         minf
          vmhd <3> 01 <8>
          stbl
           stsd <7> 01 <3> 56 76 70 30 39 <7> 01 <16> 02 80 01 68 00 48 <3> 48 <7> 01 <33> 18 ff ff
           stts <8>
           stsc <8>
           stsz <12>
           stco <8>
       trak
        tkhd <3> 03 <11> 07 <20> 01 <4> 01 <15> 01 <14> 40 <11>
        mdia
         mdhd <14> 1f 40 <4> 55 c4 00 00
         hdlr <8> 73 6f 75 6e <12> 53 6f 75 6e 64 48 61 6e 64 6c 65 72 00
         minf
          smhd <8>
          stbl
           stsd <7> 01 <3> 24 74 77 6f 73 <7> 01 <9> 01 00 10 <4> 1f 40 00 00
           stts <7> 01 <7> 01
           stsc <8>
           stsz <7> 02 <4>
           stco <8>
       trak
        tkhd <3> 03 <11> 03 <20> 01 <4> 01 <15> 01 <14> 40 <11>
        mdia
         mdhd <15> 1e <4> 55 c4 00 00
         hdlr <8> 6d 65 74 61 <12> 44 61 74 61 48 61 6e 64 6c 65 72 00
         minf
          nmhd <4>
          stbl
           stsd <7> 01 <3> 10 63 61 6d 6d <7> 01
           stts <8>
           stsc <8>
           stsz <12>
           stco <8>"
    `)
  })

  it('of a plan has the times, sizes, chunks and keys of its rows', () => {
    const { movie } = movieOf(DRAFTS)
    const plan = { movie, tracks: planned() }
    const box = buildMovieBox(plan, planChunks(plan), false, 24)
    box.place(5000)
    const tree = treeOf(box.bytes).filter((line) => !/^ +(hdlr|vmhd|smhd|nmhd|stsd)/.test(line))
    expect(tree.join('\n')).toMatchInlineSnapshot(`
      "moov
       mvhd <14> 03 e8 <3> a0 00 01 00 00 01 <12> 01 <15> 01 <14> 40 <30> 08
       trak
        tkhd <3> 03 <11> 01 <7> a0 <17> 01 <15> 01 <14> 40 <3> 02 80 00 00 01 68 00 00
        edts
         elst <7> 01 <3> a0 <5> 01 00 00
        mdia
         mdhd <14> 32 <3> 08 00 55 c4 00 00
         minf
          dinf
           dref <7> 01 <3> 0c 75 72 6c 20 <3> 01
          stbl
           stts <7> 01 <3> 04 00 00 02 00
           ctts <7> 03 <3> 01 <7> 01 00 00 04 <4> 02 <4>
           stss <7> 02 <3> 01 <3> 03
           stsc <7> 03 <3> 01 <3> 01 <3> 01 <3> 02 <3> 02 <3> 01 <3> 03 <3> 01 <3> 01
           stsz <11> 04 <3> 28 <3> 29 <3> 2a <3> 2b
           stco <7> 03 00 00 13 88 00 00 13 b8 00 00 14 0f
       trak
        tkhd <3> 03 <11> 07 <7> 0e <12> 01 <4> 01 <15> 01 <14> 40 <11>
        edts
         elst <7> 02 <3> 0d ff ff ff ff 00 01 <5> 01 <5> 01 00 00
        mdia
         mdhd <14> 1f 40 <3> 06 55 c4 00 00
         minf
          dinf
           dref <7> 01 <3> 0c 75 72 6c 20 <3> 01
          stbl
           stts <7> 01 <3> 06 <3> 01
           stsc <7> 02 <3> 01 <3> 04 <3> 01 <3> 02 <3> 02 <3> 01
           stsz <7> 02 <3> 06
           stco <7> 02 00 00 13 b0 00 00 14 0b
       trak
        tkhd <3> 03 <11> 03 <7> 43 <12> 01 <4> 01 <15> 01 <14> 40 <11>
        mdia
         mdhd <15> 1e <3> 02 55 c4 00 00
         minf
          dinf
           dref <7> 01 <3> 0c 75 72 6c 20 <3> 01
          stbl
           stts <7> 01 <3> 02 <3> 01
           stsc <7> 01 <3> 01 <3> 02 <3> 01
           stsz <7> 09 <3> 02
           stco <7> 01 00 00 14 3a"
    `)
    const wide = buildMovieBox(plan, planChunks(plan), true, 24)
    wide.place(2 ** 33)
    expect(treeOf(wide.bytes).filter((line) => /^ +co64/.test(line))).toMatchInlineSnapshot(`
      [
        "     co64 <7> 03 <3> 02 <7> 02 <3> 30 <3> 02 <3> 87",
        "     co64 <7> 02 <3> 02 <3> 28 <3> 02 <3> 83",
        "     co64 <7> 01 <3> 02 <3> b2",
      ]
    `)
  })

  it('keeps what numbers samples only where they are the index’s own, all of them', () => {
    const [pictures, sound] = planned()
    const own = (track: PlannedTrack): PlannedTrack => ({
      ...track,
      template: { ...track.template, samples: track.table },
    })
    const none = { ...pictures, table: new SampleTable(1) }
    expect(
      [own(pictures), { ...own(sound), times: 'carved' as const }, pictures, own(none)].map(isUntouched),
    ).toEqual([...[true, false, false, false]])
    const { movie } = movieOf(DRAFTS)
    const group = Uint8Array.of(0, 0, 0, 9, 0x74, 0x65, 0x73, 0x74, 5)
    const written = (track: PlannedTrack): boolean => {
      const plan = { movie, tracks: [{ ...track, template: { ...track.template, groupBoxes: [group] } }] }
      return Buffer.from(buildMovieBox(plan, planChunks(plan), false, 0).bytes).includes(group)
    }
    expect([written(own(pictures)), written(pictures)]).toEqual([true, false])
  })

  it('starts with the first of its tracks, though that holds but one sample', () => {
    const { movie } = movieOf(DRAFTS)
    const [pictures, sound] = planned()
    const still = new SampleTable(1)
    still.dts[still.push(100, 40, 1, 512, 0, SAMPLE_KEY)] = 6400
    const late = new SampleTable(1)
    late.dts[late.push(145, 16_000, 8000, 8000, 0, SAMPLE_KEY)] = 8000
    const plan = {
      movie,
      tracks: [
        { ...pictures, table: still },
        { ...sound, table: late },
      ],
    }
    const tree = treeOf(buildMovieBox(plan, planChunks(plan), false, 24).bytes)
    // the sound begins half a second behind the picture, which begins the movie
    expect(tree.filter((line) => /^ +elst/.test(line))).toEqual([
      '   elst <7> 01 <3> 28 <5> 01 00 00',
      '   elst <7> 02 00 00 01 f4 ff ff ff ff 00 01 <4> 03 e8 <5> 01 00 00',
    ])
  })

  it('names the ids of its tracks, and a next one that none has', () => {
    const { movie } = movieOf(DRAFTS)
    expect(movie.tracks.map(({ header }) => header.id)).toEqual([1, 7, 3])
    const plan = { movie, tracks: planned() }
    const bytes = Buffer.from(buildMovieBox(plan, planChunks(plan), false, 0).bytes)
    expect(bytes.readUInt32BE(8 + 108 - 4)).toBe(8)
  })

  it('has a plain handler and media header where the track’s own are lost', () => {
    const { movie } = movieOf(DRAFTS)
    const tracks = planned().map((track) => ({
      ...track,
      template: { ...track.template, handler: new Uint8Array(0), information: [] },
    }))
    const plan = { movie, tracks }
    const tree = treeOf(buildMovieBox(plan, planChunks(plan), false, 0).bytes)
    expect(tree.filter((line) => /^ +(hdlr|vmhd|smhd|nmhd)/.test(line)).join('\n')).toMatchInlineSnapshot(`
      "   hdlr <8> 76 69 64 65 <13>
          vmhd <3> 01 <8>
         hdlr <8> 73 6f 75 6e <13>
          smhd <8>
         hdlr <8> 6d 65 74 61 <13>
          nmhd <4>"
    `)
  })
})
