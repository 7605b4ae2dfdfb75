import * as fc from 'fast-check'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { answers } from '../../packages/dialects/laws/arbitrary/answers.ts'
import { streamOf } from '../../packages/dialects/laws/views.ts'
import { responsesClientCodec } from '../../packages/dialects/src/openai-responses/codec.ts'

const ADDED = new Set(['parsed', 'parsed_arguments', 'output_parsed', 'output_text'])
const asSent = (value: object): unknown =>
  JSON.parse(JSON.stringify(value, (key, member: unknown) => (ADDED.has(key) ? undefined : member)))

test('OpenAI’s client gathers from the deltas of any translated answer what its last event repeats', async () => {
  let bytes = new Uint8Array(0)
  const fetch = () =>
    Promise.resolve(new Response(new Blob([bytes]), { headers: { 'content-type': 'text/event-stream' } }))
  const client = new OpenAI({ apiKey: 'key', baseURL: 'http://gateway/v1', maxRetries: 0, fetch })
  await fc.assert(
    fc.asyncProperty(answers(new Set(['reasoning', 'refusal', 'tools', 'citations'])), async ({ events, counts }) => {
      bytes = new Uint8Array(streamOf(responsesClientCodec, events, counts))
      const text = new TextDecoder().decode(bytes)
      const last = JSON.parse(text.slice(text.lastIndexOf('\ndata: ') + '\ndata: '.length)) as {
        response: { output: object }
      }
      const final = await client.responses.stream({ model: 'm', input: 'x' }).finalResponse()
      expect(asSent(final.output)).toEqual(asSent(last.response.output))
    }),
    { numRuns: 300 },
  )
})
