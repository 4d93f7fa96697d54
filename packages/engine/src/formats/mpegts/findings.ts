import type { ByteReader } from '../../bytes/reader.ts'
import type { Finding, Findings } from '../../model/finding.ts'
import { addForeign } from '../../recording/zero-holes.ts'

const STANDARD = 'ISO/IEC 13818-1:2022'

export function noPackets(): Finding {
  return { code: 'mpegts.no-packets', severity: 'error', message: 'no row of transport packets was found' }
}

const FOREIGN = { zeros: 'mpegts.zeros', foreign: 'mpegts.foreign-bytes' }

/** Adds that [from, to) is no transport packets, of which each has `size` bytes. */
export function addForeignBytes(
  findings: Findings,
  reader: ByteReader,
  [from, to]: readonly [from: number, to: number],
  size: number,
): void {
  addForeign(findings, reader, [from, to], FOREIGN, (at, length) => foreignBytes(at, length, size))
}

export function foreignBytes(offset: number, length: number, size: number): Finding {
  const whole = Math.floor(length / size)
  const message = `${length} bytes that are no transport packets${whole > 0 ? `, the room of ${whole}` : ''}`
  return {
    code: FOREIGN.foreign,
    severity: 'error',
    message,
    offset,
    length,
    clause: `${STANDARD} §2.4.3.2`,
  }
}

export function tornPacket(offset: number, length: number): Finding {
  const message = `a transport packet ends after ${length} bytes`
  return {
    code: 'mpegts.torn-packet',
    severity: 'error',
    message,
    offset,
    length,
    clause: `${STANDARD} §2.4.3.2`,
  }
}

export function partialTail(offset: number, length: number): Finding {
  const message = `the file ends inside a transport packet, after ${length} of its bytes`
  return { code: 'mpegts.cut', severity: 'error', message, offset, length, clause: `${STANDARD} §2.4.3.2` }
}

export function headerHit(offset: number, field: string): Finding {
  const message = `the ${field} of a transport packet contradicts those around it`
  return {
    code: 'mpegts.packet-header',
    severity: 'error',
    message,
    offset,
    length: 4,
    clause: `${STANDARD} §2.4.3.3`,
  }
}

export function packetsLost(pid: number, offset: number): Finding {
  const message = `packets of PID ${pid} are missing: its continuity counter jumps`
  return { code: 'mpegts.continuity', severity: 'error', message, offset, clause: `${STANDARD} §2.4.3.3` }
}

export function counterUnkept(pid: number): Finding {
  const message = `the continuity counter of PID ${pid} counts nothing`
  return { code: 'mpegts.counter-unkept', severity: 'info', message, clause: `${STANDARD} §2.4.3.3` }
}

export function tornUnit(pid: number, offset: number): Finding {
  const message = `a PES packet of PID ${pid} is not whole`
  return { code: 'mpegts.pes-torn', severity: 'error', message, offset, clause: `${STANDARD} §2.4.3.6` }
}

export function packetStartHit(pid: number, offset: number): Finding {
  const message = `the header of a PES packet of PID ${pid} breaks the syntax`
  return { code: 'mpegts.pes-header', severity: 'error', message, offset, clause: `${STANDARD} §2.4.3.6` }
}

export function stampHit(pid: number, offset: number): Finding {
  const message = `a time stamp of PID ${pid} contradicts those around it`
  return { code: 'mpegts.time-stamp', severity: 'error', message, offset, clause: `${STANDARD} §2.4.3.7` }
}

export function clockHit(pid: number, offset: number): Finding {
  const message = `a clock reference of PID ${pid} contradicts those around it`
  return { code: 'mpegts.clock', severity: 'error', message, offset, clause: `${STANDARD} §2.4.3.5` }
}

export function clockJump(offset: number, seconds: number): Finding {
  const message = `the clock jumps by ${seconds.toFixed(1)} s without saying so`
  return { code: 'mpegts.clock-jump', severity: 'error', message, offset, clause: `${STANDARD} §2.4.3.5` }
}

export function arrivalsHit(offset: number, length: number, packets: number): Finding {
  const message = `the arrival times of ${packets} packets belong to no clock`
  return { code: 'mpegts.arrival-time', severity: 'error', message, offset, length }
}

export function sectionHit(pid: number, offset: number): Finding {
  const message = `the checksum of a table in PID ${pid} fails`
  return { code: 'mpegts.section', severity: 'error', message, offset, clause: `${STANDARD} §2.4.4` }
}

export function tableMissing(name: string): Finding {
  const message = `there is no ${name} table`
  return { code: 'mpegts.table-missing', severity: 'error', message, clause: `${STANDARD} §2.4.4` }
}

export function lateStart(pid: number): Finding {
  const message = `PID ${pid} begins inside a PES packet: recording was started in the middle of a programme`
  return { code: 'mpegts.late-start', severity: 'info', message, clause: `${STANDARD} §2.4.3.6` }
}

export function encrypted(pid: number): Finding {
  const message = `PID ${pid} is scrambled`
  return { code: 'mpegts.scrambled', severity: 'error', message, clause: `${STANDARD} §2.4.3.3` }
}

export function openEnd(pid: number, offset: number): Finding {
  const message = `the last PES packet of PID ${pid} is not whole`
  return { code: 'mpegts.open-end', severity: 'info', message, offset, clause: `${STANDARD} §2.4.3.6` }
}

export function soundHeaderHit(pid: number, offset: number): Finding {
  const message = `the header of a frame of sound of PID ${pid} contradicts those around it`
  return { code: 'mpegts.sound-header', severity: 'error', message, offset }
}
