import { createElement, type ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'

/** What of a tag somebody sees, hears, follows or sends. */
const TOLD =
  /^(points|href|src|poster|alt|accept|disabled|checked|role|aria-(current|label|valuenow|valuetext))$/
/** Classes that say how something stands. */
const TONE = /^(border|bg|text)-(vermilion|celadon|seam|seam-line|ink)$|^photo-area-(?!halo|line)/
/** Of an area's outline. */
const PLACE = /^(x|y|width|height)$/
/** Tags that begin a line. */
const BLOCKS =
  /^(section|figure|details|summary|p|h[1-3]|li|dt|dd|tr|button|a|label|img|video|input|svg|rect)$/
/** Drawn, and told by nothing. */
const DRAWN = /^(path|circle|line|polyline|g|text|clipPath|polygon|defs|title)$/

function toldOf(tag: string, text: string): string {
  const all = [...text.matchAll(/([\w-]+)="([^"]*)"/g)].map(
    ([, name = '', value = '']) => [name, value] as const,
  )
  // outlines of areas tell where they are, other rectangles are drawn
  if (tag === 'rect' && !text.includes('photo-area-line')) return ''
  const told = all.flatMap(([name, value]) => {
    if (name === 'class') return value.split(' ').filter((each) => TONE.test(each))
    if (name === 'stroke' && value.startsWith('var(')) return [value]
    if (!TOLD.test(name) && !(tag === 'rect' && PLACE.test(name))) return []
    return value === '' ? [name] : [`${name}=${value}`]
  })
  return told.length > 0 ? `(${told.join(' ')})` : ''
}

/** A component as plain lines: its texts, and of its tags what somebody notices. */
export function linesOf(element: ReactElement): string {
  const markup = renderToStaticMarkup(createElement(MemoryRouter, undefined, element))
  const lines = markup
    .replace(/<(\/?)([a-zA-Z0-9]+)([^>]*)>/g, (_, end: string, tag: string, rest: string) => {
      if (end) return BLOCKS.test(tag) ? '\n' : ' '
      const told = toldOf(tag, rest)
      const block = BLOCKS.test(tag) || /progressbar|var\(|points/.test(told)
      return block ? `\n${DRAWN.test(tag) ? '' : tag} ${told} ` : ` ${told} `
    })
    .replace(/&amp;/g, '&')
    .replace(/&gt;/g, '>')
    .replace(/&#x27;/g, '’')
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
  return lines
    .filter((line) => !/^(section|li|svg|rect|details|figure|dt|dd|label|p)?$/.test(line))
    .join('\n')
}
