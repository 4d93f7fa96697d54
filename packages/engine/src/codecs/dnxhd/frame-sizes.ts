/** Bytes of a frame by compression id, SMPTE ST 2019-1:2016 Table 1; interlaced frames count both fields. */
const FIXED: ReadonlyMap<number, number> = new Map([
  [1235, 917_504],
  [1237, 606_208],
  [1238, 917_504],
  [1241, 917_504],
  [1242, 606_208],
  [1243, 917_504],
  [1244, 606_208],
  [1250, 458_752],
  [1251, 458_752],
  [1252, 303_104],
  [1253, 188_416],
  [1256, 1_835_008],
  [1258, 212_992],
  [1259, 417_792],
  [1260, 417_792],
])

/** DNxHR: bytes for 255 macroblocks, by compression id. */
const SCALED: ReadonlyMap<number, number> = new Map([
  [1270, 57_344],
  [1271, 28_672],
  [1272, 28_672],
  [1273, 18_944],
  [1274, 5888],
])
const SCALE_MACROBLOCKS = 255
const DNXHR_STEP = 4096
const DNXHR_LEAST = 8192

/** Bytes of a frame of this compression id and size, or 0 for an id that is none. */
export function frameSize(compressionId: number, width: number, height: number): number {
  const scale = SCALED.get(compressionId)
  if (scale === undefined) return FIXED.get(compressionId) ?? 0
  const macroblocks = Math.ceil(width / 16) * Math.ceil(height / 16)
  const raw = Math.floor((macroblocks * scale) / SCALE_MACROBLOCKS)
  return Math.max(DNXHR_LEAST, Math.floor((raw + DNXHR_STEP / 2) / DNXHR_STEP) * DNXHR_STEP)
}
