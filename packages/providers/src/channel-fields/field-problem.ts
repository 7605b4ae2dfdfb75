/** For the administrator who is editing the channel. Never contains a secret. */
export interface FieldProblem {
  /** Name in the request; `config.region` for a member of `config`. */
  readonly field: string
  /** Continues a sentence that begins with the field; no full stop. */
  readonly rule: string
}

export const problem = (field: string, rule: string): FieldProblem => ({ field, rule })

/** Stars, dots or an ellipsis in place of a secret's characters. */
const MASKED = /\*{3}|•{2}|…/

/** A preview of a secret must never be stored in its place (class S33). */
export function maskedProblem(field: string, secret: string): FieldProblem | undefined {
  return MASKED.test(secret) ? problem(field, 'is masked; leave it empty to keep the stored value') : undefined
}

/** An http(s) address with a host and at most a path. */
export function isPlainAddress(text: string): boolean {
  if (!/^https?:\/\/[^\s\\]+$/i.test(text) || !URL.canParse(text)) return false
  const { username, password, search, hash } = new URL(text)
  return username === '' && password === '' && search === '' && hash === ''
}

/** Regions become part of a host name, projects part of a path, so neither may contain anything that could lead elsewhere. */
export const REGION = /^[a-z][a-z0-9-]{0,39}$/
export const PROJECT = /^[a-z0-9][a-z0-9.:-]{0,99}$/
