import { expect, it } from 'vitest'
import { numberPictures } from '../../../src/formats/mpegvideo/read/numbers.ts'
import type { CodedPicture } from '../../../src/formats/mpegvideo/read/picture.ts'

const [I, P, B] = [1, 2, 3]
const SIZE = 100

/**
 * A group in the order of coding: every third picture refers to others behind it, but for the first group the first one follows
 * two of them.
 */
function group(number: number, time: number, length: number): CodedPicture[] {
  const ahead = number === 1 ? 0 : 2
  const order = [{ type: I, reference: ahead }]
  if (ahead > 0) order.push({ type: B, reference: 0 }, { type: B, reference: 1 })
  for (let last = ahead + 3; last < length; last += 3)
    order.push(
      { type: P, reference: last },
      { type: B, reference: last - 2 },
      { type: B, reference: last - 1 },
    )
  return order.map(
    (coded, i) => ({ ...coded, group: number, time: i === 0 ? time : -1, suspect: false }) as CodedPicture,
  )
}

it('pictures behind a lost group header are counted by the next time code, whatever was torn before', () => {
  // the first group is shorter than most; the second's header and first picture are gone
  const first = group(1, 0, 13)
  const second = group(2, 13, 15)
    .slice(1)
    .map((picture) => ({ ...picture, group: 1, time: -1 }))
  Object.assign(second[0], { suspect: true })
  const others = [28, 43, 58].flatMap((time, i) => group(3 + i, time, 15))
  const pictures = [...first, ...second, ...others]
  let at = 0
  for (const picture of pictures) {
    if (picture === second[0]) at += SIZE
    Object.assign(picture, { header: at, end: at + SIZE })
    at += SIZE
  }
  // most of an earlier one is torn, and more of it than was lost
  Object.assign(first[5], { suspect: true })
  first[4].end = first[5].header - 2 * SIZE
  const { lost, shown, estimated } = numberPictures(pictures)
  expect(lost.reduce((sum, count) => sum + count, 0)).toBe(1)
  expect(lost[first.length]).toBe(1)
  expect(shown[first.length]).toBe(13)
  expect(estimated).toBe(false)
})

it('in groups of one picture that others refer to, and the one in front of it, none is lost where two in a row are torn', () => {
  const pictures = Array.from({ length: 6 }, (_, i) => [
    { type: I, reference: 1, group: i + 1, time: 2 * i, suspect: false },
    // what a torn picture in front leaves open
    { type: B, reference: 0, group: i + 1, time: -1, suspect: i === 2 || i === 3 },
  ]).flat()
  const placed = pictures.map((picture, i) => ({ ...picture, header: i * SIZE, end: (i + 1) * SIZE }))
  const { lost, shown, estimated } = numberPictures(placed as CodedPicture[])
  expect([...lost].filter((count) => count > 0)).toEqual([])
  expect([...shown]).toEqual(pictures.map(({ group: number, reference }) => 2 * (number - 1) + reference))
  expect(estimated).toBe(false)
})
