import { BitReader } from '../../bytes/bit-reader.ts'
import type { ByteReader } from '../../bytes/reader.ts'
import { nextStartCode } from '../nal/start-code.ts'
import { PLANE } from './headers.ts'
import { PlaneReader } from './plane-data.ts'
import type { VideoObjectLayer } from './video-object-layer.ts'
import { emptyVop, readVopHeader, VOP_I } from './vop-header.ts'

/** Planes looked at. */
const MOST_PLANES = 400
/** Intra planes read, and bytes of one. */
const INTRA_PLANES = 6
const MOST_BYTES = 1 << 20

/** Offsets behind the start codes of planes. */
export function planesIn(
  reader: ByteReader,
  regions: readonly { readonly offset: number; readonly length: number }[],
): number[] {
  const found: number[] = []
  for (const { offset, length } of regions) {
    const end = offset + length
    for (
      let at = nextStartCode(reader, offset, end);
      at + 4 < end && found.length < MOST_PLANES;
      at = nextStartCode(reader, at + 3, end)
    )
      if (reader.u8(at + 3) === PLANE) found.push(at + 4)
  }
  return found
}

/** Bytes of the first intra planes and of what follows them, of planes at offsets. */
export function intraPlanes(reader: ByteReader, planes: readonly number[]): Uint8Array[] {
  return planes
    .filter((at) => reader.u8(at) >> 6 === VOP_I)
    .slice(0, INTRA_PLANES)
    .map((at) => reader.bytes(at, MOST_BYTES).slice())
}

/** Whether an intra plane reads to its stuffing with a layer's settings. */
export function isWhole(bytes: Uint8Array, layer: VideoObjectLayer): boolean {
  const bits = new BitReader(bytes)
  const vop = emptyVop()
  if (!readVopHeader(bits, layer, vop) || !vop.coded) return false
  const planes = new PlaneReader(layer)
  return planes.read(bits, vop, new Uint8Array(0)) && !bits.overrun
}

/** Whether most of the first intra planes in the regions read to their stuffing with a layer's settings; false without any. */
export function readsAs(
  reader: ByteReader,
  regions: readonly { readonly offset: number; readonly length: number }[],
  layer: VideoObjectLayer,
): boolean {
  const intra = intraPlanes(reader, planesIn(reader, regions))
  return intra.filter((bytes) => isWhole(bytes, layer)).length * 2 > intra.length
}
