import type { Refusal } from '@sluice/contract/errors'
import { type BaseIssue, getDotPath } from 'valibot'

/** Refuses invalid input; names the first field at fault and the rule that it breaks. */
export function invalidInput(issues: readonly BaseIssue<unknown>[], whole: string): Refusal {
  const issue = deepest(issues[0])
  if (issue === undefined) return invalidField(whole, 'is not valid')
  return invalidField(getDotPath(issue) ?? whole, rule(issue))
}

/** Refuses one field for a rule that no schema can express. */
export function invalidField(field: string, rule: string): Refusal {
  return { code: 'invalid_body', params: { field, rule }, field }
}

/** A union nests the issues of its options; the first one names the problem. */
function deepest(issue: BaseIssue<unknown> | undefined): BaseIssue<unknown> | undefined {
  const inner = issue?.type === 'union' && isStock(issue.message) ? issue.issues?.[0] : undefined
  return inner === undefined ? issue : deepest(inner)
}

/** Texts of our own schemas are used unchanged; the library's stock texts become plain English. */
function rule(issue: BaseIssue<unknown>): string {
  if (issue.received === 'undefined') return isStock(issue.message) ? 'is required' : issue.message
  if (!isStock(issue.message)) return issue.message
  return issue.expected === null ? 'is not valid' : `expected ${issue.expected}, got ${short(issue.received)}`
}

function isStock(message: string): boolean {
  return /^Invalid [\w ]+: (Expected|Received) /.test(message)
}

function short(received: string): string {
  return received.length > 60 ? `${received.slice(0, 60)}…` : received
}
