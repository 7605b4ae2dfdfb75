import { API_VERSION } from '@sluice/dialects/anthropic/encode-request'
import { type BodyRefusal, invalidField } from '@sluice/dialects/body-refusal'
import type { ClientHeaders } from './calls.ts'

/** Names of betas are short; a longer header means something else. */
const LIMIT = 1_000
const NAMES = /^[\w.\-, ]+$/
const DATE = /^\d{4}-\d{2}-\d{2}$/

/** The version that a client was written for, and the betas that its body uses, for providers that support them. */
export function anthropicHeaders(headers: ClientHeaders): readonly string[] {
  const [version, betas] = [single(headers['anthropic-version']), single(headers['anthropic-beta'])]
  const translated = betas.length <= LIMIT && NAMES.test(betas) ? ['anthropic-beta', betas] : []
  return ['anthropic-version', DATE.test(version) ? version : API_VERSION, ...translated]
}

/** The advisor is another model within an answer, which a tool of the body names; the tool can be recognised only by its beta. */
export function strayBeta(headers: ClientHeaders): BodyRefusal | undefined {
  const hasAdvisor = /advisor/i.test(single(headers['anthropic-beta']))
  return hasAdvisor
    ? invalidField('anthropic-beta', 'must not request an advisor: its model is not checked or priced here')
    : undefined
}

function single(header: string | readonly string[] | undefined): string {
  return typeof header === 'string' ? header : (header ?? []).join(',')
}
