/** A client's result, as its dialect reads it. */
export interface Got {
  readonly requestId: string
  readonly status: number
  /** Code or type of the error, in the answer or inside a stream; empty for none. */
  readonly error: string
  /** Seconds of `Retry-After`; undefined without. */
  readonly retryAfter: number | undefined
  readonly words: number
  /** Whether the answer itself says that it is complete. */
  readonly isWhole: boolean
  /** Number of events that are not JSON. */
  readonly unreadable: number
}

/** How clients of a dialect send requests and read replies. */
export interface ClientDialect {
  readonly name: string
  readonly path: (model: string, stream: boolean) => string
  readonly body: (model: string, stream: boolean) => object
  /** Text of a whole answer and of a stream, and a pattern that only a complete stream contains. */
  readonly text: RegExp
  readonly piece: RegExp
  readonly end: RegExp
}

const QUESTION = 'How does a sluice work?'
const messages = [{ role: 'user', content: QUESTION }]

export const CHAT: ClientDialect = {
  name: 'chat',
  path: () => '/v1/chat/completions',
  body: (model, stream) => ({ model, stream, messages }),
  text: /"content":"([^"]*)"/g,
  piece: /"content":"([^"]*)"/g,
  end: /"finish_reason":"stop"/,
}

export const DIALECTS: readonly ClientDialect[] = [
  CHAT,
  {
    name: 'messages',
    path: () => '/v1/messages',
    body: (model, stream) => ({ model, stream, max_tokens: 64, messages }),
    text: /"type":"text","text":"([^"]*)"/g,
    piece: /"type":"text_delta","text":"([^"]*)"/g,
    end: /"type":"message_stop"/,
  },
  {
    name: 'responses',
    path: () => '/v1/responses',
    body: (model, stream) => ({ model, stream, input: QUESTION }),
    text: /"type":"output_text","text":"([^"]*)"/g,
    piece: /"delta":"([^"]*)"/g,
    end: /"type":"response.completed"/,
  },
  {
    name: 'gemini',
    path: (model, stream) => `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: () => ({ contents: [{ role: 'user', parts: [{ text: QUESTION }] }] }),
    text: /"text":"([^"]*)"/g,
    piece: /"text":"([^"]*)"/g,
    end: /"finishReason":"STOP"/,
  },
]

export async function ask(
  url: string,
  key: string,
  dialect: ClientDialect,
  model: string,
  stream: boolean,
): Promise<Got> {
  const response = await fetch(url + dialect.path(model, stream), {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(dialect.body(model, stream)),
  })
  const text = await response.text()
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
  const events = isStream ? eventsOf(text) : [text]
  const wait = response.headers.get('retry-after')
  const said = Array.from(text.matchAll(isStream ? dialect.piece : dialect.text), ([, part]) => part).join('')
  return {
    requestId: response.headers.get('x-request-id') ?? '',
    status: response.status,
    error: events.map(errorOf).find((error) => error !== '') ?? '',
    retryAfter: wait === null ? undefined : Number(wait),
    words: response.ok ? said.split(' ').filter(Boolean).length : 0,
    isWhole: response.ok && (isStream ? dialect.end.test(text) : isJson(text)),
    unreadable: events.filter((event) => event !== '[DONE]' && !isJson(event)).length,
  }
}

function eventsOf(text: string): readonly string[] {
  return Array.from(text.matchAll(/^data: ?(.*)$/gm), ([, data = '']) => data)
}

function isJson(text: string): boolean {
  return parse(text) !== undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

interface ErrorObject {
  readonly code?: string | number | null
  readonly type?: string
  readonly status?: string
}

/** OpenAI's and Google's code, Anthropic's type, or the code of a failed response. */
function errorOf(event: string): string {
  const payload = parse(event) as
    | {
        readonly error?: ErrorObject
        readonly type?: string
        readonly code?: string
        readonly response?: { error?: ErrorObject | null }
      }
    | undefined
  if (payload?.type === 'error' && payload.error === undefined) return payload.code ?? 'error'
  const errorObject = payload?.error ?? payload?.response?.error
  if (errorObject === undefined || errorObject === null) return ''
  return String(errorObject.status ?? errorObject.code ?? errorObject.type ?? 'error')
}
