import { parseSync } from 'rolldown/utils'
import { type AnyNode, childrenOf, isNode } from './tree.ts'

/** One small realistic fault: a stretch of a source file and what stands there instead. */
export interface Fault {
  /** Path from the project's root. */
  readonly path: string
  /** From 1. */
  readonly line: number
  /** First and one past the last character that is replaced. */
  readonly start: number
  readonly end: number
  readonly replacement: string
  /** In words, e.g. `< becomes <=`. */
  readonly what: string
}

const COMPARISONS: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
}

const ARITHMETIC: Readonly<Record<string, string>> = {
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '<<': '>>',
  '>>': '<<',
  '>>>': '<<',
  '&': '|',
  '|': '&',
}

const LOGIC: Readonly<Record<string, string>> = { '&&': '||', '||': '&&' }

const EXTREMES: Readonly<Record<string, string>> = { min: 'max', max: 'min' }

/** What a limit grows by: a bound that nobody tests is most often wrong by much. */
const LIMIT_FACTOR = 10

/** Parts of a program that say something to a person or to the compiler and decide nothing. */
const SILENT = new Set([
  'ImportDeclaration',
  'ThrowStatement',
  'TemplateLiteral',
  'JSXText',
  'ExportAllDeclaration',
])

/** Type syntax that holds code. */
const CARRIERS = new Set(['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression'])

/** What leaves a block early: an `if` that holds nothing else is a check. */
const LEAVES = new Set(['ReturnStatement', 'ThrowStatement', 'ContinueStatement', 'BreakStatement'])

/**
 * Every fault that can be planted in `text`, in the order of its places. With `emptied` each is a function without its body
 * instead: what survives that is tested by nothing at all.
 */
export function faultsOf(path: string, text: string, emptied = false): Fault[] {
  const { program, errors } = parseSync(path, text, { sourceType: 'module' })
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`)
  const found: Fault[] = []
  const add = (start: number, end: number, replacement: string, what: string): void => {
    found.push({ path, line: lineAt(text, start), start, end, replacement, what })
  }
  const visit = (node: AnyNode, parents: readonly AnyNode[]): void => {
    if (SILENT.has(node.type) || (node.type.startsWith('TS') && !CARRIERS.has(node.type))) return
    if (emptied) empty(node, text, add)
    else plant(node, parents, text, add)
    const line = [...parents, node]
    for (const child of childrenOf(node)) visit(child, line)
  }
  visit(program as unknown as AnyNode, [])
  return found.sort((a, b) => a.start - b.start)
}

type Add = (start: number, end: number, replacement: string, what: string) => void

function empty(node: AnyNode, text: string, add: Add): void {
  const body = node.body
  if (!/Function/.test(node.type) || !isNode(body) || body.type !== 'BlockStatement') return
  if (text.slice(body.start + 1, body.end - 1).trim() !== '')
    add(body.start, body.end, '{}', 'a function emptied')
}

function plant(node: AnyNode, parents: readonly AnyNode[], text: string, add: Add): void {
  switch (node.type) {
    case 'BinaryExpression':
      swapOperator(node, text, { ...COMPARISONS, ...(joinsText(node) ? {} : ARITHMETIC) }, add)
      return
    case 'LogicalExpression':
      swapOperator(node, text, LOGIC, add)
      return
    case 'IfStatement':
    case 'ConditionalExpression':
      turnTest(node, text, add)
      return
    case 'AwaitExpression':
      if (isNode(node.argument)) add(node.start, node.argument.start, '', 'await left out')
      return
    case 'ExpressionStatement':
      if (isNode(node.expression) && /^(Call|Await)Expression$/.test(node.expression.type)) {
        add(node.start, node.end, 'void 0', 'a call left out')
      }
      return
    case 'MemberExpression':
      swapExtreme(node, text, add)
      return
    case 'Literal':
      changeLiteral(node, parents, add)
  }
}

function swapOperator(node: AnyNode, text: string, pairs: Readonly<Record<string, string>>, add: Add): void {
  const operator = String(node.operator)
  const other = pairs[operator]
  if (other === undefined || !isNode(node.left) || !isNode(node.right)) return
  const start = text.indexOf(operator, node.left.end)
  if (start >= 0 && start < node.right.start) {
    add(start, start + operator.length, other, `${operator} becomes ${other}`)
  }
}

/** Whether a `+` may join text, where a minus would be no realistic fault. */
function joinsText(node: AnyNode): boolean {
  const isText = (side: unknown): boolean =>
    isNode(side) &&
    (side.type === 'TemplateLiteral' || (side.type === 'Literal' && typeof side.value === 'string'))
  return isText(node.left) || isText(node.right)
}

function turnTest(node: AnyNode, text: string, add: Add): void {
  const test = node.test
  if (!isNode(test)) return
  const written = text.slice(test.start, test.end)
  if (node.type === 'IfStatement' && !node.alternate && leaves(node.consequent)) {
    add(test.start, test.end, 'false', 'a check skipped')
  } else {
    add(test.start, test.end, `!(${written})`, 'branches swapped')
  }
}

function leaves(consequent: unknown): boolean {
  if (!isNode(consequent)) return false
  if (LEAVES.has(consequent.type)) return true
  const body: unknown = consequent.body
  return Array.isArray(body) && body.length === 1 && isNode(body[0]) && LEAVES.has(body[0].type)
}

function swapExtreme(node: AnyNode, text: string, add: Add): void {
  const { object, property } = node
  if (!isNode(object) || !isNode(property) || text.slice(object.start, object.end) !== 'Math') return
  const other = EXTREMES[String(property.name)]
  if (other) add(property.start, property.end, other, `Math.${property.name} becomes Math.${other}`)
}

function changeLiteral(node: AnyNode, parents: readonly AnyNode[], add: Add): void {
  if (typeof node.value === 'boolean') {
    add(node.start, node.end, String(!node.value), `${node.value} becomes ${!node.value}`)
  }
  if (typeof node.value !== 'number' || !Number.isFinite(node.value)) return
  const limit = parents.some(
    ({ type, id }) =>
      type === 'VariableDeclarator' && isNode(id) && /^[A-Z][A-Z0-9_]+$/.test(String(id.name)),
  )
  const other = limit && node.value > 0 ? node.value * LIMIT_FACTOR : node.value + 1
  add(node.start, node.end, String(other), `${node.value} becomes ${other}`)
}

function lineAt(text: string, offset: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line++
  return line
}
