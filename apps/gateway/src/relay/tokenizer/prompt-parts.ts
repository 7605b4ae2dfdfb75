/** What the tokens of a chat prompt are counted from. */
export interface PromptParts {
  readonly texts: readonly string[]
  /** JSON of tool and function definitions. */
  readonly tools: string
  /** Tokens that no text accounts for: frames of messages, names, pictures. */
  readonly extra: number
}

const PER_MESSAGE = 3
const PER_NAME = 1
const PER_REPLY = 3
const PER_TOOL = 10
/** A picture at high detail in six tiles; providers differ, and they report usage themselves. */
const PER_MEDIUM = 1_105

/** Collects the text of a chat body, in the way that OpenAI documents the counting of messages. Tolerant of any shape. */
export function promptParts(body: unknown): PromptParts {
  const texts: string[] = []
  let extra = PER_REPLY
  const fields = asObject(body)
  for (const entry of asList(fields?.['messages'])) {
    const message = asObject(entry)
    extra += PER_MESSAGE
    if (typeof message?.['name'] === 'string') extra += PER_NAME
    extra += collectContent(message?.['content'], texts)
    for (const key of ['reasoning_content', 'refusal', 'name'] as const) collectText(message?.[key], texts)
    if (message?.['tool_calls'] !== undefined) texts.push(JSON.stringify(message['tool_calls']))
  }
  const tools = [...asList(fields?.['tools']), ...asList(fields?.['functions'])]
  return { texts, tools: tools.length === 0 ? '' : JSON.stringify(tools), extra: extra + tools.length * PER_TOOL }
}

/** Answers the tokens of what is no text. */
function collectContent(content: unknown, texts: string[]): number {
  if (typeof content === 'string') {
    texts.push(content)
    return 0
  }
  let extra = 0
  for (const entry of asList(content)) {
    const part = asObject(entry)
    if (typeof part?.['text'] === 'string') texts.push(part['text'])
    else if (part !== undefined) extra += PER_MEDIUM
  }
  return extra
}

function collectText(value: unknown, texts: string[]): void {
  if (typeof value === 'string') texts.push(value)
}

function asObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined
}

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
