import { startSite } from '@sluice/testkit/http-site'
import type { Workbench } from '@sluice/testkit/workbench'

/** Providers that store threads, sign thinking and explain their errors, each behind a separate model. */
export interface OddProviders {
  close(): Promise<void>
}

const RPC = 'type.googleapis.com/google.rpc.'
const USAGE = { input_tokens: 5, output_tokens: 5 }
/** Like real signatures, it has characters that differ between the two base64 alphabets. */
const SIGNATURE = 'EuYBCkQI+/8BGAIiQL+/7w=='

interface Block {
  readonly type: string
  readonly signature?: string
}
interface Asked {
  readonly model: string
  readonly thread?: { readonly type: string; readonly previous_message_id?: string }
  readonly messages: readonly { readonly role: string; readonly content: string | readonly Block[] }[]
}

export async function openOddProviders(bench: Workbench): Promise<OddProviders> {
  const anthropic = await startSite(({ body }) => answer(JSON.parse(body) as Asked))
  const google = await startSite(() => ({ status: 429, body: LIMITED }))
  const price = { ratio: 1, completion_ratio: 2 }
  const add = (type: number, url: string, models: readonly string[]) =>
    bench.addChannel(models, {
      name: `odd ${type}`,
      type,
      base_url: url,
      model_configs: JSON.stringify(Object.fromEntries(models.map((model) => [model, price]))),
    })
  await add(14, anthropic.url, ['threaded', 'thinker', 'detailed'])
  await add(24, google.url, ['limited'])
  return {
    close: async () => {
      await anthropic.close()
      await google.close()
    },
  }
}

const LIMITED = {
  error: {
    code: 429,
    message: 'Quota exceeded.',
    status: 'RESOURCE_EXHAUSTED',
    details: [
      { '@type': `${RPC}QuotaFailure`, violations: [{ quotaId: 'PerDay', quotaValue: '15' }] },
      { '@type': `${RPC}RetryInfo`, retryDelay: '1.5s' },
    ],
  },
}

function answer({ model, thread, messages }: Asked) {
  if (model === 'detailed') {
    const details = { error_code: 'image_dimensions_too_large' }
    const error = { type: 'invalid_request_error', message: 'Too large.', details }
    return { status: 400, body: { type: 'error', error } }
  }
  const blocks = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content))
  return { body: { ...MESSAGE, model, ...(model === 'thinker' ? thought(blocks) : threaded(thread, messages.length)) } }
}

const MESSAGE = { id: 'msg_1', type: 'message', role: 'assistant', stop_sequence: null, usage: USAGE }

function thought(blocks: readonly Block[]) {
  const signatures = blocks.filter(({ type }) => type === 'thinking').map(({ signature }) => signature)
  const text = signatures.every((signature) => signature === SIGNATURE) ? 'signature whole' : 'signature broken'
  const thinking = { type: 'thinking', thinking: 'Hm.', signature: SIGNATURE }
  return {
    content: [thinking, { type: 'text', text: signatures.length === 0 ? 'First.' : text }],
    stop_reason: 'end_turn',
  }
}

function threaded(thread: Asked['thread'], messages: number) {
  if (thread?.type === 'create') {
    const call = { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Paris' } }
    return { content: [call], stop_reason: 'tool_use' }
  }
  const isContinued = thread?.previous_message_id === MESSAGE.id && messages === 1
  return { content: [{ type: 'text', text: isContinued ? 'continued' : 'all again' }], stop_reason: 'end_turn' }
}
