import type { CameraProfile } from './camera-profile.ts'

/** Characters of a line of hexadecimal. */
const HEX_LINE = 96

/** A profile as the text of its file in the library: TypeScript that says what it is. */
export function renderProfile(profile: CameraProfile): string {
  return `import type { CameraProfile } from '../camera-profile.ts'\n\nexport const ${constantName(profile.name)}: CameraProfile = ${render(profile, '')}\n`
}

/** The file's name in the library, without folder. */
export function profileFileName(profile: CameraProfile): string {
  return `${words(profile.name).join('-')}.ts`
}

function constantName(name: string): string {
  const [first = 'profile', ...rest] = words(name)
  const camel = first + rest.map((word) => word[0].toUpperCase() + word.slice(1)).join('')
  return /^[a-z]/.test(camel) ? camel : `profile${camel}`
}

function words(name: string): string[] {
  return name.toLowerCase().match(/[a-z0-9]+/g) ?? ['profile']
}

function render(value: unknown, indent: string): string {
  if (typeof value === 'string') return renderText(value, indent)
  if (Array.isArray(value)) return renderList(value, indent)
  if (typeof value === 'object' && value !== null) return renderObject(value, indent)
  return String(value)
}

function renderText(text: string, indent: string): string {
  if (text.length <= HEX_LINE || !/^[0-9a-f]+$/.test(text)) return quoted(text)
  const lines = text.match(new RegExp(`.{1,${HEX_LINE}}`, 'g')) ?? []
  return `\n${lines.map((line) => `${indent}  ${quoted(line)}`).join(' +\n')}`
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`
}

function renderList(list: readonly unknown[], indent: string): string {
  if (list.length === 0) return '[]'
  if (list.every((item) => typeof item === 'number')) return `[${list.join(', ')}]`
  const inner = `${indent}  `
  return `[\n${list.map((item) => `${inner}${render(item, inner)},`).join('\n')}\n${indent}]`
}

function renderObject(object: object, indent: string): string {
  const entries = Object.entries(object).filter(([, value]) => value !== undefined)
  const flat = `{ ${entries.map(([key, value]) => `${key}: ${render(value, indent)}`).join(', ')} }`
  if (flat.length + indent.length <= HEX_LINE && !flat.includes('\n')) return flat
  const inner = `${indent}  `
  return `{\n${entries.map(([key, value]) => `${inner}${key}: ${render(value, inner)},`).join('\n')}\n${indent}}`
}
