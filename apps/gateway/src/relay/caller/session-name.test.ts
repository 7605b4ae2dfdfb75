import { expect, test } from 'vitest'
import { sessionDigest, sessionName } from './session-name.ts'

const TOKEN = { tokenId: 7 }
const json = (value: object) => Buffer.from(JSON.stringify(value))
const name = (headers: Record<string, string>, body: object = {}) => sessionName(headers, TOKEN, json(body))

/** In order of precedence. */
const HEADERS = [
  'x-claude-code-session-id',
  'session-id',
  'session_id',
  'x-session-id',
  'x-session-affinity',
  'x-opencode-session',
]

test('each header by which a client names its session is read, the most specific first', () => {
  HEADERS.forEach((header, at) => {
    const later = Object.fromEntries(HEADERS.slice(at).map((each) => [each, each]))
    expect(name(later, { prompt_cache_key: 'key' })).toBe(`7 ${header}`)
  })
})

test.each([
  ['prompt_cache_key', { prompt_cache_key: 'key', metadata: { user_id: 'user_1_account_2_session_3' } }, '7 key'],
  ['Claude Code’s user id', { metadata: { user_id: 'user_1_account_2_session_3-4' } }, '7 3-4'],
  ['its newer form', { metadata: { user_id: '{"device_id":"d","session_id":"3-4"}' } }, '7 3-4'],
])('%s names the session where no header does', (_, body, expected) => {
  expect(name({}, body)).toBe(expected)
  // Regardless of its length and its beginning.
  expect(name({}, { system: `${Math.PI}`.repeat(500), ...body })).toBe(expected)
})

test.each<object>([
  { prompt_cache_key: '' },
  { prompt_cache_key: 5 },
  { metadata: null },
  { metadata: { user_id: 'somebody' } },
  { metadata: { user_id: '{"session_id":5}' } },
  { metadata: { user_id: `${'x'.repeat(2_000)}_session_1` } },
])('a value that names no session is passed over: %j', (body) => {
  expect(name({}, body)).toBeUndefined()
})

test('a request id does not name a session: some clients generate one for every request', () => {
  expect(name({ 'x-client-request-id': 'r1' })).toBeUndefined()
})

test('otherwise a long body is recognised by its beginning, and forms are not JSON', () => {
  const [one, other] = ['a', 'b'].map((end) => Buffer.from(`--form${'x'.repeat(5_000)}${end}`))
  expect(sessionName({}, TOKEN, one)).toBe(sessionName({}, TOKEN, other))
  expect(sessionName({}, { tokenId: 8 }, one)).not.toBe(sessionName({}, TOKEN, one))
  expect(sessionName({}, TOKEN, undefined)).toBeUndefined()
})

test.each(['contents', 'messages', 'input'])(
  'turns that follow the first question in `%s` do not change the name',
  (turns) => {
    const opening = [
      { role: 'system', content: 'Be brief.' },
      { parts: [{ text: 'Hello' }], content: 'Hello', role: 'user' },
    ]
    const later = [
      { role: 'model', content: 'Hello!' },
      { role: 'user', content: 'And now?' },
    ]
    const body = (said: readonly object[]) => ({ [turns]: said, instructions: 'x'.repeat(5_000) })
    const first = name({}, body(opening))
    expect(first).toEqual(expect.any(String))
    expect(name({}, body([...opening, ...later]))).toBe(first)
    expect(name({}, body([{ role: 'user', content: 'Another' }, ...later]))).not.toBe(first)
  },
)

test('on a websocket the connection names the conversation, unless a header or the body does', () => {
  const long = Buffer.from(`{"input":"${'x'.repeat(5_000)}"}`)
  expect(sessionName({}, TOKEN, long, { id: 'c1' })).toBe('7 c1')
  expect(sessionName({}, TOKEN, Buffer.from('{}'), { id: 'c1' })).toBe('7 c1')
  expect(sessionName({ 'session-id': 's1' }, TOKEN, long, { id: 'c1' })).toBe('7 s1')
  expect(sessionName({}, TOKEN, Buffer.from('{"prompt_cache_key":"k1"}'), { id: 'c1' })).toBe('7 k1')
})

test('a digest stands for what the client named, for its token alone, and for nothing else', () => {
  const digest = (headers: Record<string, string>, body: object = {}, token = TOKEN) =>
    sessionDigest(headers, token, json(body))
  const named = digest({ 'session-id': 'secret-name' })
  expect(named).toMatch(/^[\w-]{22}$/)
  expect(named).not.toContain('secret')
  expect(digest({}, { prompt_cache_key: 'secret-name' })).toBe(named)
  expect(digest({ 'session-id': 'secret-name' }, {}, { tokenId: 8 })).not.toBe(named)
  expect(digest({ 'session-id': 'another' })).not.toBe(named)
  // Conversations with one system prompt begin alike; they are not one session.
  expect(digest({}, { system: 'x'.repeat(9_000) })).toBe('')
  expect(sessionDigest({}, TOKEN, undefined)).toBe('')
})

test('S28: a name of any length is a digest of the same length', () => {
  const lengths = [1, 200, 16_000].map((length) =>
    sessionDigest({ 'session-id': 'n'.repeat(length) }, TOKEN, undefined),
  )
  expect(lengths.map((digest) => digest.length)).toEqual([22, 22, 22])
})
