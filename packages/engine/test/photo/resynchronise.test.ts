import { describe, expect, it } from 'vitest'
import { McuReader } from '../../src/codecs/jpeg/mcu-reader.ts'
import { Allowance } from '../../src/model/allowance.ts'
import { StreamReader } from '../../src/photo/reading/read-stream.ts'
import { Resynchroniser } from '../../src/photo/reading/resynchronise.ts'
import { drawPicture } from '../../testing/photos/draw.ts'
import { readPhoto } from '../../testing/photos/read-photo.ts'
import { scanData } from '../../testing/photos/read-scan.ts'
import { writePhoto } from '../../testing/photos/write-photo.ts'

const BYTE = 8
const INTERVAL = 40
/**
 * The part of an interval behind which the way is looked for, and MCUs of such a stretch that may be off and that may be missed.
 */
const PART = 0.5
const MAY_BE_OFF = 8
const MAY_BE_MISSED = 16

describe('the way behind damage in a restart interval', () => {
  it('is found though bits fill the last byte in front of the next marker up', () => {
    const bytes = writePhoto(drawPicture(640, 400, 8), {
      sampling: [2, 1],
      quality: 92,
      interval: INTERVAL,
    })
    const photo = readPhoto(bytes)
    if (!photo) throw new Error('the drawn photo cannot be read')
    const { layout, quantisation } = photo
    const { data, tables } = scanData(bytes, photo)
    const reader = new McuReader(data.bytes, data.length, tables)
    const { starts, usualBits } = new StreamReader(data, reader, layout, INTERVAL, quantisation).read()
    const onTheWay = new Set(starts)
    const scratch = new Int16Array(layout.mcuLength)
    const resynchroniser = new Resynchroniser(reader, layout.mcuLength, new Allowance(10_000_000))
    for (let i = 1; i < data.restarts.count; i++) {
      const start = data.restarts.at(i - 1) * BYTE
      const end = data.restarts.at(i) * BYTE
      const from = start + Math.floor(PART * (end - start))
      reader.end = end
      const found = resynchroniser.find(from, end, usualBits)
      // the first MCUs may be off before they fall into step
      let at = found
      for (let mcu = 0; mcu < MAY_BE_OFF && !onTheWay.has(at); mcu++) at = reader.read(at, scratch, 0)
      expect(found).toBeGreaterThanOrEqual(from)
      expect(onTheWay.has(at)).toBe(true)
      expect(at - from).toBeLessThan(MAY_BE_MISSED * usualBits)
    }
  })
})
