import { PAYLOAD_BYTES } from '../read/packet.ts'
import { packetOf } from './packets.ts'

/** The packets of a section, stuffed behind it as tables are; `counter` is the first one's. */
export function sectionPackets(pid: number, section: Uint8Array, counter: number): Uint8Array[] {
  const packets: Uint8Array[] = []
  // a pointer field says that the section begins right behind it
  const bytes = new Uint8Array(1 + section.length)
  bytes.set(section, 1)
  for (let at = 0; at < bytes.length; at += PAYLOAD_BYTES) {
    const payload = new Uint8Array(PAYLOAD_BYTES).fill(0xff)
    payload.set(bytes.subarray(at, at + PAYLOAD_BYTES))
    packets.push(packetOf(pid, at === 0, counter + packets.length, payload))
  }
  return packets
}
