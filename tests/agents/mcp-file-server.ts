import { writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { MCP_TOOL } from './programs.ts'

/** An MCP server, started by an agent, with one tool that writes a file. Messages are lines of JSON-RPC on its pipes. */
interface Message {
  readonly id?: number | string
  readonly method?: string
  readonly params?: {
    readonly protocolVersion?: string
    readonly arguments?: { readonly path?: string; readonly content?: string }
  }
}

const TEXT = { type: 'string' }
const TOOL = {
  name: MCP_TOOL,
  description: 'Saves a text as a file.',
  inputSchema: { type: 'object', properties: { path: TEXT, content: TEXT }, required: ['path', 'content'] },
}

function resultOf({ method, params }: Message): object | undefined {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: params?.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'files', version: '1.0.0' },
      }
    case 'tools/list':
      return { tools: [TOOL] }
    case 'tools/call': {
      const { path = '', content = '' } = params?.arguments ?? {}
      writeFileSync(path, content)
      return { content: [{ type: 'text', text: 'saved' }] }
    }
    case 'ping':
      return {}
    default:
      return undefined
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line) as Message
  const result = resultOf(message)
  const answer = result === undefined ? { error: { code: -32_601, message: 'Method not found' } } : { result }
  // Notifications have no id and get no answer.
  if (message.id !== undefined)
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: message.id, ...answer })}\n`)
}
