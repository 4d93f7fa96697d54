import { expect, it } from 'vitest'
import { trackReports } from '../../../src/formats/asf/outcome.ts'
import type { AsfStream, Header } from '../../../src/formats/asf/read/header.ts'
import { newPayload } from '../../../src/formats/asf/read/packet.ts'
import { OBJECT_START, PacketTable, PayloadTable } from '../../../src/formats/asf/read/packet-table.ts'
import type { Hole, Scan } from '../../../src/formats/asf/read/scan.ts'
import { objectsOf } from '../../../src/formats/asf/recording.ts'

const STREAM = { number: 1, kind: 'video', codec: 'wmv2' } as AsfStream
const HEADER: Header = { ...({} as Header), whole: true, file: undefined }

it('what is missing between payloads that are left in a hole is lost, as it is in front of and behind them', () => {
  const payloads = new PayloadTable(100)
  const packets = new PacketTable()
  const put = (time: number): number => {
    const row = payloads.push({ ...newPayload(), stream: 1, time, size: 9, length: 9 }, 2)
    payloads.flags[row] |= OBJECT_START
    return row
  }
  // pictures 40 ms apart; from the hole those at 320 and 600 ms are left, behind it a packet goes on at 800
  packets.push(0, 100, 0, 0, 0, 0, 0)
  for (let time = 0; time < 200; time += 40) put(time)
  const row = put(320)
  packets.push(100, 300, row, 0, 0, 0, 0)
  put(600)
  const hole: Hole = {
    ...{ offset: 100, length: 300, packet: 2, row },
    ...{ zero: false, inGrid: true, unexplained: 0 },
  }
  for (let time = 800; time < 1000; time += 40) {
    const first = put(time)
    if (time === 800) packets.push(400, 100, first, 0, 0, 0, 0)
  }
  const scan: Scan = {
    ...{ packets, payloads, holes: [hole], indexes: [] },
    ...{ mendedPackets: 0, dataEnd: 500, trailing: 0 },
  }
  const [{ recovered, lost, ranges }] = trackReports({
    ...{ scan, objects: objectsOf(payloads, [STREAM]), span: { first: 0, end: 1000 } },
    ...{ header: HEADER, damaged: new Set<number>(), times: { mended: 0, estimated: 0 } },
  })
  expect(recovered).toBe(12)
  expect(lost).toBe(3 + 6 + 4)
  expect(ranges.filter(({ state }) => state === 'lost').map(({ start }) => start)).toEqual([0.2, 0.36, 0.64])
})
