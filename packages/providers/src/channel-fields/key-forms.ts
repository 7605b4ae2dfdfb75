import { kindOf } from '../kinds/all.ts'
import { WORD } from '../kinds/defaults.ts'
import type { ProviderKind } from '../kinds/kind.ts'
import { type FieldProblem, maskedProblem, problem } from './field-problem.ts'
import type { JsonObject } from './json-object.ts'

export function writtenKeyForms(code: number): readonly string[] {
  const { keyForms, keyDocument } = kindOf(code) ?? UNKNOWN
  const forms = keyForms.map(({ written }) => written)
  return keyDocument?.written === undefined ? forms : [...forms, keyDocument.written]
}

export function hasSameKeyForm(code: number, other: number): boolean {
  return code === other || (hasPlainKey(kindOf(code)) && hasPlainKey(kindOf(other)))
}

/** Whether a key is one word of any form, as for unknown types. */
export function hasPlainKey(kind: ProviderKind | undefined): boolean {
  return kind === undefined || kind.keyForms[0] === WORD
}

/** What is wrong with one key of a channel of this type. The rule never repeats the key. */
export function keyProblem(code: number, key: string, config: JsonObject): FieldProblem | undefined {
  const masked = maskedProblem('key', key)
  if (masked !== undefined) return masked
  const rule = formProblem(kindOf(code) ?? UNKNOWN, key, config)
  return rule === undefined ? undefined : problem('key', rule)
}

type Keys = Pick<ProviderKind, 'keyForms' | 'keyDocument'>
const UNKNOWN: Keys = { keyForms: [WORD] }

function formProblem({ keyForms, keyDocument }: Keys, key: string, config: JsonObject): string | undefined {
  if (keyDocument?.isExpected(config) === true) return keyDocument.problem(key)
  if (keyForms.some(({ accepts }) => accepts.test(key))) return undefined
  return keyForms[0].rule ?? `must be written as ${keyForms.map(({ written }) => written).join(' or ')}`
}
