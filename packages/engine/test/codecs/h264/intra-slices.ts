import { type AvcConfig, parseAvcC } from '../../../src/codecs/h264/avcc.ts'
import { CabacSliceReader } from '../../../src/codecs/h264/slice-data/cabac-slice.ts'
import { CavlcSliceReader } from '../../../src/codecs/h264/slice-data/cavlc-slice.ts'
import type { PictureLayout, SliceReading } from '../../../src/codecs/h264/slice-data/picture-layout.ts'
import { SliceHeader } from '../../../src/codecs/h264/slice-header.ts'
import { unescaped } from '../../../src/codecs/nal/rbsp.ts'
import { type StreamFixture, streamFixture } from '../../../testing/video/stream-fixture.ts'

const SLICE_TYPES = [1, 5]
const INTRA = 2

/** An intra slice of a stored stream, unescaped, with its header. */
export interface StoredSlice {
  readonly bytes: Uint8Array
  readonly header: SliceHeader
}

export function configOf(fixture: StreamFixture): AvcConfig {
  const config = parseAvcC(fixture.config)
  if (!config) throw new Error(`${fixture.name} has no avcC`)
  return config
}

/** The intra slices of a stream with lengths of four bytes. */
export function intraSlices(name: string): { slices: StoredSlice[]; config: AvcConfig } {
  const fixture = streamFixture(name)
  const config = configOf(fixture)
  const sets = {
    sps: (id: number) => config.sps.find((set) => set.id === id),
    pps: (id: number) => config.pps.find((set) => set.id === id),
  }
  const slices: StoredSlice[] = []
  const view = new DataView(fixture.bytes.buffer, fixture.bytes.byteOffset)
  for (const { offset, size } of fixture.packets) {
    for (let at = offset; at + 4 < offset + size; ) {
      const length = view.getUint32(at)
      const nal = fixture.bytes.subarray(at + 4, at + 4 + length)
      at += 4 + length
      if (!SLICE_TYPES.includes(nal[0] & 31)) continue
      const bytes = unescaped(nal)
      const header = new SliceHeader()
      if (header.parse(bytes, bytes.length, sets) && header.type === INTRA) slices.push({ bytes, header })
    }
  }
  return { slices, config }
}

/** How the macroblocks of a slice are read by the stream's own parameter sets, with changes. */
export function layoutOf(config: AvcConfig, changes: Partial<PictureLayout> = {}): PictureLayout {
  const [sps] = config.sps
  return {
    width: sps.widthInMbs,
    height: sps.heightInMbs,
    transform8x8: config.pps[0].transform8x8,
    chromaFormat: sps.chromaFormat,
    bitDepthLuma: sps.bitDepthLuma,
    bitDepthChroma: sps.bitDepthChroma,
    field: false,
    pairs: sps.mbaff,
    ...changes,
  }
}

export function readSlice(
  { bytes, header }: StoredSlice,
  config: AvcConfig,
  layout: PictureLayout,
  qp = header.qp,
): SliceReading {
  const most = layout.width * layout.height
  const firstMb = header.firstMb * (layout.pairs ? 2 : 1)
  return config.pps[0].cabac
    ? new CabacSliceReader(layout).read(bytes, header.dataBit / 8, bytes.length, firstMb, qp, most)
    : new CavlcSliceReader(layout).read(bytes, header.dataBit, bytes.length, firstMb, most)
}
