import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CLIENT_FAMILIES, clientFamily } from './client-family.ts'

test.each([
  ['claude-cli/2.0.14 (external, cli)', 'claude-code'],
  ['codex_cli_rs/0.63.0 (Debian 13.0.0; x86_64) xterm-256color', 'codex'],
  ['codex_exec/0.63.0', 'codex'],
  ['codex-tui/0.80.0', 'codex'],
  ['GeminiCLI/0.18.0 (linux; x64)', 'gemini-cli'],
  ['GeminiCLI-tui/0.20.0/gemini-3-pro (linux; x64)', 'gemini-cli'],
  ['QwenCode/0.2.1 (linux; x64)', 'qwen-code'],
  ['opencode/1.0.110 ai-sdk/provider-utils/3.0.17 runtime/bun/1.3.3', 'opencode'],
  ['ai-sdk/openai-compatible/1.0.27 ai-sdk/provider-utils/3.0.17 opencode/1.0.110', 'opencode'],
  ['Cline/3.38.3', 'cline'],
  ['RooCode/3.34.0', 'roo-code'],
  ['Aider/0.86.1', 'aider'],
  ['litellm/1.80.5', 'litellm'],
  ['OpenAI/Python 2.8.1', 'openai-python'],
  ['AsyncOpenAI/Python 2.8.1', 'openai-python'],
  ['AsyncAzureOpenAI/Python 2.8.1', 'openai-python'],
  ['OpenAI/JS 6.9.1', 'openai-node'],
  ['Anthropic/Python 0.75.0', 'anthropic-python'],
  ['AsyncAnthropic/Python 0.75.0', 'anthropic-python'],
  ['Anthropic/JS 0.71.0', 'anthropic-node'],
  ['google-genai-sdk/1.30.0 gl-node/v24.11.1', 'google-genai'],
  ['ai/5.0.102 ai-sdk/provider-utils/3.0.17 runtime/node.js/24', 'vercel-ai'],
  ['curl/8.14.1', 'curl'],
  ['Mozilla/5.0 (X11; Linux x86_64)', 'browser'],
  ['my-own-script/1', 'other'],
  ['', 'other'],
  [undefined, 'other'],
])('%s is %s', (userAgent, family) => {
  expect(clientFamily(userAgent)).toBe(family)
})

/** Cline's CLI, Aider and Copilot CLI do not name themselves: they only send the name of the SDK that they are built on. */
const RECORDED: Readonly<Record<string, string>> = {
  claude: 'claude-code',
  codex: 'codex',
  'codex-mcp': 'codex',
  gemini: 'gemini-cli',
  opencode: 'opencode',
  qwen: 'qwen-code',
  cline: 'vercel-ai',
  aider: 'openai-python',
  copilot: 'openai-node',
}

test('every request that a real agent sent is of its family', async () => {
  const folder = join(import.meta.dirname, '../../../../../tests/recorded/agents')
  const loops = await Promise.all(
    (await readdir(folder)).map(async (name): Promise<Recorded> =>
      JSON.parse(await readFile(join(folder, name, 'loop.json'), 'utf8')),
    ),
  )
  const families = loops.map(({ program, requests }) => [
    program,
    [...new Set(requests.map(({ headers }) => clientFamily(headers['user-agent'])))],
  ])
  expect(families).toEqual(loops.map(({ program }) => [program, [RECORDED[program]]]))
  expect(new Set(loops.map(({ program }) => program))).toEqual(new Set(Object.keys(RECORDED)))
})

interface Recorded {
  readonly program: string
  readonly requests: readonly { readonly headers: Readonly<Record<string, string>> }[]
}

test('S28: whatever clients call themselves, there are only the listed families', () => {
  const seen = new Set<string>()
  for (let at = 0; at < 5_000; at++) {
    const name = `${at.toString(36)}-agent`
    for (const userAgent of [
      `${name}/1`,
      `OpenAI/JS ${name}`,
      `opencode/${name}`,
      `x opencode/${name}`,
      name.repeat(90),
    ])
      seen.add(clientFamily(userAgent))
  }
  expect([...seen].filter((family) => !CLIENT_FAMILIES.includes(family))).toEqual([])
  expect(seen.size).toBeLessThanOrEqual(CLIENT_FAMILIES.length)
})
