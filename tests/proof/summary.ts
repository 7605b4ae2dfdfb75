import { SECURITY_CLASSES } from '../../tools/reference/security-classes.ts'
import type { TaggedTest } from '../../tools/reference/tagged-tests.ts'
import { CALLERS, type MatrixRow } from './permission-matrix.ts'
import { CALL_LISTS } from './specification-calls.ts'
import type { Walked } from './walk.ts'

const MARKS = {
  in: 'yes',
  needs_key: 'key',
  not_logged_in: '401',
  user_banned: 'banned',
  insufficient_permissions: '403',
} as const

/** Calls per document: how many are served, which are left out. */
export function walkSummary(walked: readonly Walked[]): string {
  const lines = CALL_LISTS.map(({ source }) => {
    const calls = walked.filter((each) => each.source === source)
    const count = (state: Walked['state']) => calls.filter((each) => each.state === state).length
    return row([
      source,
      String(calls.length),
      String(count('served')),
      String(count('left out')),
      String(count('missing')),
    ])
  })
  const missing = walked.filter(({ state }) => state === 'missing').map(({ call }) => `  missing: ${call}`)
  return [
    '',
    'Calls of the specification',
    row(['list', 'calls', 'served', 'left out', 'missing']),
    ...lines,
    ...missing,
  ].join('\n')

  function row(cells: readonly string[]): string {
    return `  ${cells.map((cell, at) => (at === 0 ? cell.padEnd(24) : cell.padStart(9))).join('')}`
  }
}

/** One line per call: how far each kind of caller gets. */
export function matrixSummary(rows: readonly MatrixRow[]): string {
  const head = ['call', ...CALLERS, 'other’s object']
  const lines = rows.map(({ call, seen, otherUser }) => [
    call,
    ...CALLERS.map((caller) => MARKS[seen[caller]]),
    otherUser,
  ])
  const width = Math.max(...lines.map(([call = '']) => call.length))
  const table = [head, ...lines].map(([call = '', ...cells]) => {
    return `  ${call.padEnd(width)}${cells.map((cell) => `  ${cell.padEnd(8)}`).join('')}`.trimEnd()
  })
  return ['', `Permissions: ${rows.length} calls as ${CALLERS.length} kinds of caller`, ...table].join('\n')
}

/** One line per class: its tests, or why there are none. */
export function securitySummary(tests: readonly TaggedTest[]): string {
  const lines = SECURITY_CLASSES.map(({ id, hole, notYet }) => {
    const count = tests.filter(({ tags }) => tags.includes(id)).length
    const state = notYet === undefined ? `${String(count).padStart(3)} tests` : '  no part'
    return `  ${id.padEnd(4)}${state}  ${hole}`
  })
  return ['', `Security classes: ${SECURITY_CLASSES.length}`, ...lines, ''].join('\n')
}
