import { expect, test } from 'vitest'
import { recordRequests } from './recorded-loop.ts'

const machine = { key: 'sk-real', folder: '/tmp/agent-x', host: '127.0.0.1:4711' }
const request = { method: 'POST', path: '/v1/messages', status: 200, losses: '' }

test('a recorded request keeps its structure and nothing of the machine or of a vendor’s prose', () => {
  const session = '01a21fce-7aa1-7793-9e49-091bdd5008cd'
  const prose = 'You are an agent. '.repeat(10)
  const body = {
    model: 'm',
    system: [{ type: 'text', text: prose }],
    messages: [{ role: 'user', content: `${prose}(write /tmp/agent-x/work/a.txt)` }],
    tools: [{ name: 'Bash', description: 'Runs.', input_schema: { type: 'object' } }],
    metadata: { user_id: JSON.stringify({ session_id: session, more: 'x'.repeat(90) }) },
  }
  const headers = { authorization: 'Bearer sk-real', host: '127.0.0.1:4711', 'session-id': session }
  const [first] = recordRequests([{ ...request, headers, body: JSON.stringify(body) }], machine)
  const shown = JSON.stringify(first)
  for (const secret of ['sk-real', '/tmp/agent-x', '4711', session, 'You are', 'Runs.'])
    expect(shown).not.toContain(secret)
  expect(first?.headers).toEqual({
    authorization: 'Bearer sk-key-of-the-card',
    'session-id': '00000000-0000-0000-0000-000000000001',
  })
  expect(first?.body).toMatchObject({
    model: 'm',
    system: [{ type: 'text', text: expect.stringMatching(/^\[180 characters, sha256 [0-9a-f]{12}\]$/) }],
    messages: [{ content: expect.stringMatching(/\] \(write \/home\/agent\/work\/a\.txt\)$/) }],
    tools: [{ name: 'Bash', input_schema: { type: 'object' } }],
    metadata: { user_id: expect.stringContaining('"session_id":"00000000-0000-0000-0000-000000000001"') },
  })
})
