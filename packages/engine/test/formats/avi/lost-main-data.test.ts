import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { FIXTURES } from '../../../testing/contract/fixtures.ts'
import { read, repaired } from './support/repaired.ts'

const film = new Uint8Array(readFileSync(`${FIXTURES}/avi/avi-h264-mp3.avi`))
const { chunks } = (await read(film)).walk
const rowsOf = (stream: number): number[] =>
  Array.from({ length: chunks.length }, (_, row) => row).filter((row) => chunks.stream[row] === stream)
const sounds = rowsOf(1)

/** The film with a chunk and its header zeroed. */
function without(row: number): Uint8Array {
  return new Uint8Array(film).fill(0, chunks.offset[row] - 8, chunks.offset[row] + chunks.size[row])
}

it('Layer III sound behind a loss is damaged as far as its main data began in what is lost', async () => {
  const { report } = await repaired(without(sounds[15]))
  const [sound] = report.tracks.filter(({ kind }) => kind === 'audio')
  // the frame behind begins 460 bytes in front of itself, the next one 466, and a frame has 348 bytes of main data
  expect([sound.recovered, sound.damaged, sound.lost]).toEqual([sounds.length - 3, 2, 1])
})

it('Layer III sound is whole where only a picture is lost', async () => {
  const { report } = await repaired(without(rowsOf(0)[10]))
  const [sound] = report.tracks.filter(({ kind }) => kind === 'audio')
  expect([sound.recovered, sound.damaged, sound.lost]).toEqual([sounds.length, 0, 0])
})
