import { describe, expect, test } from 'vitest'
import type { CanonRequest } from '../request.ts'
import { clientNames, withTakenNames } from './tool-aliases.ts'

const LONG = 'mcp__5b72495d-5e79-4584-8012-2bb5911c8de1__slack_search_public_and_private'
const asked = (name: string, dialect: CanonRequest['extra']['dialect']): CanonRequest => ({
  model: 'm',
  stream: false,
  system: [],
  turns: [
    { role: 'assistant', parts: [{ kind: 'tool-call', id: 'c', name, args: '{}' }] },
    { role: 'tool', parts: [{ kind: 'tool-result', callId: 'c', name, parts: [] }] },
  ],
  tools: [{ name }, { name: 'plain' }],
  builtins: [],
  toolChoice: { mode: 'named', name },
  sampling: {},
  extra: { dialect, fields: {} },
})

test.each([
  ['longer than OpenAI takes', LONG, 'anthropic-messages', 'openai-chat'],
  ['with dots, which Anthropic refuses', 'files.read', 'gemini', 'anthropic-messages'],
  ['that begin with a digit, which Gemini refuses', '7zip', 'openai-chat', 'gemini'],
] as const)('names %s are replaced by another one, and restored', (_, name, client, provider) => {
  const { request, aliases, losses } = withTakenNames(asked(name, client), provider)
  const alias = request.tools[0]?.name ?? ''
  expect(alias).toMatch(/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/)
  expect(request).toMatchObject({
    tools: [{ name: alias }, { name: 'plain' }],
    toolChoice: { name: alias },
    turns: [{ parts: [{ name: alias }] }, { parts: [{ name: alias }] }],
  })
  expect(losses).toStrictEqual([{ what: `tools[${name}].name`, became: 'changed' }])
  const call = { type: 'tool-start', block: 0, id: 'd', name: alias } as const
  expect(clientNames([call], aliases)).toStrictEqual([{ ...call, name }])
})

test('names that differ only where they are cut stay distinct', () => {
  const [one, other] = [`${LONG}_one`, `${LONG}_two`]
  const request = { ...asked(one, 'anthropic-messages'), tools: [{ name: one }, { name: other }] }
  const names = withTakenNames(request, 'openai-responses').request.tools.map(({ name }) => name)
  expect(new Set(names).size).toBe(2)
})

describe('a function in a namespace, as Codex groups those of MCP servers', () => {
  const inner = (namespace: string, name: string) => ({ name: `${namespace}.${name}`, namespace: { name: namespace } })
  const named = (...tools: CanonRequest['tools']) =>
    withTakenNames({ ...asked('plain', 'openai-responses'), tools }, 'openai-chat')

  test('is offered under both names in one', () => {
    const { request, aliases } = named(inner('mcp__files', 'read'), inner('mcp__mail', 'read'), inner('apps', '_send'))
    const names = request.tools.map(({ name }) => name)
    expect(names).toStrictEqual(['mcp__files__read', 'mcp__mail__read', 'apps_send'])
    expect(aliases.get('mcp__mail__read')).toBe('mcp__mail.read')
  })

  test('never shares its name with another tool', () => {
    const { request, aliases } = named(
      { name: 'files__read' },
      inner('files', 'read'),
      inner('a_', 'b'),
      inner('a', '_b'),
    )
    const names = request.tools.map(({ name }) => name)
    expect(new Set(names).size).toBe(4)
    expect(names.map((name) => aliases.get(name) ?? name)).toStrictEqual(['files__read', 'files.read', 'a_.b', 'a._b'])
  })

  test('keeps its name in the calls of earlier turns', () => {
    const call = { kind: 'tool-call', id: 'c', name: 'files.read', namespace: 'files', args: '{}' } as const
    const turns: CanonRequest['turns'] = [{ role: 'assistant', parts: [call] }]
    const { request } = withTakenNames({ ...asked('plain', 'openai-responses'), turns }, 'anthropic-messages')
    expect(request.turns[0]?.parts[0]).toMatchObject({ name: 'files__read' })
  })

  test('loses the description of its namespace by name', () => {
    const tool = { name: 'files.read', namespace: { name: 'files', description: 'Reads files.' } }
    expect(named(tool).losses).toContainEqual({ what: 'tools[files].description', became: 'dropped' })
  })
})

test('a client of the provider’s own dialect is trusted', () => {
  const request = asked(LONG, 'anthropic-messages')
  expect(withTakenNames(request, 'anthropic-messages').request).toBe(request)
})
