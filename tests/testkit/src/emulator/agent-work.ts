export interface AgentWork {
  readonly says: string
  readonly call?: { readonly tool: string; readonly args: string }
}

export const WRITTEN = 'written by a model'
export const BEFORE_WORK = 'I will write the file now, as you asked me to.'
export const AFTER_WORK = 'The file is written, and nothing else is to be done.'

/** How a question names the file to write: an absolute path, and the tool if it belongs to an MCP server. */
const FILE_TO_WRITE = /\(write (\/[\w./-]{1,200})(?: with (\w{1,40}))?\)/
/** The same for an agent without tools, which extracts files from the answer's text. */
const FILE_TO_LIST = /\(write (\/[\w./-]{1,200}) as a listing\)/
/** Tool results in the formats of Anthropic, Google, OpenAI's chat and Responses. */
const RESULT =
  /"(?:role":"tool"|type":"(?:tool_result|function_call_output|custom_tool_call_output)"|functionResponse":)/

const shell = (path: string) => `printf '${WRITTEN}' > ${path}`
/** Codex's tool for its newer models: JavaScript that calls the others. Its only argument is the tool's free text. */
const CODE = 'functions__exec'
const codeFor = (tool: string, args: object) => ({ input: `text(await tools.${tool}(${JSON.stringify(args)}));` })

/** Tool names of coding agents; the preferred tool comes first. */
const TOOLS: readonly (readonly [tool: string, argumentsFor: (path: string) => object])[] = [
  ['Bash', (path) => ({ command: shell(path), description: 'Write the file' })],
  ['exec_command', (path) => ({ cmd: shell(path) })],
  ['shell_command', (path) => ({ command: shell(path) })],
  ['write_file', (path) => ({ file_path: path, content: WRITTEN })],
  ['write', (path) => ({ filePath: path, content: WRITTEN })],
  ['bash', (path) => ({ command: shell(path), description: 'Write the file' })],
  ['run_commands', (path) => ({ commands: [shell(path)] })],
  [CODE, (path) => codeFor('exec_command', { cmd: shell(path) })],
]

/** Undefined when the question names no file, or no tool can write one. */
export function workOf(
  messages: readonly unknown[],
  question: string,
  tools: ReadonlySet<string>,
): AgentWork | undefined {
  const [, listed] = FILE_TO_LIST.exec(question) ?? []
  if (listed !== undefined) return { says: [BEFORE_WORK, '', listed, '```', WRITTEN, '```', '', AFTER_WORK].join('\n') }
  const [, path, wanted] = FILE_TO_WRITE.exec(question) ?? FILE_TO_WRITE.exec(JSON.stringify(messages)) ?? []
  if (path === undefined) return undefined
  const call = wanted === undefined ? ownCall(tools, path) : serverCall(tools, wanted, path)
  if (call === undefined) return undefined
  return RESULT.test(JSON.stringify(messages)) ? { says: AFTER_WORK } : { says: BEFORE_WORK, call }
}

function ownCall(tools: ReadonlySet<string>, path: string): AgentWork['call'] {
  for (const [name, argumentsFor] of TOOLS) {
    const tool = offeredAs(name, tools)
    if (tool !== undefined) return { tool, args: JSON.stringify(argumentsFor(path)) }
  }
  return undefined
}

/** Also finds a tool in a namespace, whose name Responses joins with a dot. */
function offeredAs(name: string, tools: ReadonlySet<string>): string | undefined {
  return tools.has(name) ? name : [...tools].find((offered) => offered.replace('.', '__') === name)
}

function serverCall(tools: ReadonlySet<string>, wanted: string, path: string): AgentWork['call'] {
  const args = { path, content: WRITTEN }
  const tool = offeredAs(wanted, tools)
  if (tool !== undefined) return { tool, args: JSON.stringify(args) }
  const code = offeredAs(CODE, tools)
  return code === undefined ? undefined : { tool: code, args: JSON.stringify(codeFor(wanted, args)) }
}
