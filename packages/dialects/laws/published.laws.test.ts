import { faultsOfReply } from '@sluice/testkit/conformance/reply-watch'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fold } from '../src/canon/reply.ts'
import { type AnswerFeature, answers } from './arbitrary/answers.ts'
import { CLIENT_DIALECTS } from './client-dialects.ts'
import { CONTEXT, streamOf } from './views.ts'

const EVERYTHING: ReadonlySet<AnswerFeature> = new Set(['reasoning', 'refusal', 'tools', 'citations'])

/** Dialects whose vendors publish types. */
const PATHS: Readonly<Record<string, string>> = {
  'openai-chat': '/v1/chat/completions',
  'openai-responses': '/v1/responses',
  'anthropic-messages': '/v1/messages',
}
const published = CLIENT_DIALECTS.flatMap(({ dialect, client }) => {
  const path = PATHS[dialect]
  return path === undefined ? [] : [{ dialect, client, path }]
})

describe.each(published)('answers in $dialect', ({ client, path }) => {
  test('published: what a client receives has every member that the vendor’s own types require', () => {
    fc.assert(
      fc.property(answers(EVERYTHING), ({ events, counts }) => {
        const stream = new TextDecoder().decode(streamOf(client, events, counts))
        expect(faultsOfReply(path, 'text/event-stream', stream)).toEqual([])
        const whole = JSON.stringify(client.encodeReply(fold(events), CONTEXT))
        expect(faultsOfReply(path, 'application/json', whole)).toEqual([])
      }),
      { numRuns: 200 },
    )
  })
})
