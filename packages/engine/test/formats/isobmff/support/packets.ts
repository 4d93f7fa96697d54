import { createHash, randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeHashes, type PacketHash, type StreamHashes } from '@mendframe/renderer'

/**
 * What was seen before, by the file's hash: a decoder's start takes longer than most repairs, and recordings are compared again
 * and again.
 */
const known = new Map<string, Promise<StreamHashes[]>>()

/** What an independent demultiplexer and decoder see in a file. */
export function seen(bytes: Uint8Array, frames = false): Promise<StreamHashes[]> {
  const key = `${createHash('sha256').update(bytes).digest('hex')} ${frames}`
  const before = known.get(key)
  if (before) return before
  const now = decoded(bytes, frames)
  known.set(key, now)
  return now
}

async function decoded(bytes: Uint8Array, frames: boolean): Promise<StreamHashes[]> {
  const path = join(tmpdir(), `mendframe-isobmff-${randomUUID()}.mp4`)
  await writeFile(path, bytes)
  try {
    return await decodeHashes(path, { frames })
  } finally {
    await rm(path, { force: true })
  }
}

/** Packets without where they lie, which a rewritten file changes. */
export function contents(stream: StreamHashes): Omit<PacketHash, 'position'>[] {
  return stream.packets.map(({ position: _, ...rest }) => rest)
}

/** How many packets of `whole` are in `found` in order, and how many of those at the same time (one offset allowed, 5 ms). */
export function recovered(
  whole: StreamHashes,
  found: StreamHashes | undefined,
): { packets: number; timed: number } {
  const offsets: number[] = []
  let next = 0
  for (const packet of found?.packets ?? []) {
    const at = whole.packets.findIndex((candidate, i) => i >= next && candidate.md5 === packet.md5)
    if (at < 0) continue
    next = at + 1
    offsets.push((packet.pts ?? 0) - (whole.packets[at].pts ?? 0))
  }
  offsets.sort((a, b) => a - b)
  const middle = offsets[offsets.length >> 1] ?? 0
  return {
    packets: offsets.length,
    timed: offsets.filter((offset) => Math.abs(offset - middle) < 0.005).length,
  }
}
