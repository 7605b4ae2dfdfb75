import { openRealtimeClient, type RealtimeClient } from '@sluice/testkit/realtime-client'
import type { CompleteAnswer } from './load.ts'

/** A response over a websocket of its own, during which the gateway may die. */
export async function callFramed(url: string, key: string, model: string): Promise<CompleteAnswer | 'broken'> {
  const headers = { authorization: `Bearer ${key}` }
  let client: RealtimeClient
  try {
    client = await openRealtimeClient(`${url}/v1/responses`, [], { headers })
  } catch {
    return 'broken'
  }
  client.send({ type: 'response.create', model, input: 'Which way does the water go?', store: false })
  const answer = await client.take('response.completed', 'error').catch(() => undefined)
  client.cut()
  if (answer?.type !== 'response.completed') return 'broken'
  const { id, usage } = answer['response'] as {
    readonly id: string
    readonly usage: { readonly input_tokens: number; readonly output_tokens: number }
  }
  // A translated response is named after its request.
  const requestId = id.replace('resp_', '')
  return { requestId, model, usage: { prompt_tokens: usage.input_tokens, completion_tokens: usage.output_tokens } }
}
