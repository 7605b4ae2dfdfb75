export interface PromptParts {
  readonly texts: readonly string[]
  /** JSON of tool and function definitions. */
  readonly tools: string
  /** Tokens that are not from text: message frames, names, pictures. */
  readonly extra: number
}

const PER_MESSAGE = 3
const PER_NAME = 1
const PER_REPLY = 3
const PER_TOOL = 10
/** A picture at high detail in six tiles; providers differ, and they report usage themselves. */
const PER_MEDIUM = 1_105

/** Collects a body's text: a chat's messages, counted as OpenAI documents it, or a prompt or input. Tolerates any shape. */
export function promptParts(body: unknown): PromptParts {
  const texts: string[] = []
  const fields = asObject(body)
  let extra = fields?.['messages'] === undefined && isOtherCall(fields) ? 0 : PER_REPLY
  for (const key of OTHER_TEXTS) extra += collectInput(fields?.[key], texts)
  for (const entry of asList(fields?.['messages'])) {
    const message = asObject(entry)
    extra += PER_MESSAGE
    if (typeof message?.['name'] === 'string') extra += PER_NAME
    extra += collectContent(message?.['content'], texts)
    for (const key of ['reasoning_content', 'refusal', 'name'] as const) collectText(message?.[key], texts)
    if (message?.['tool_calls'] !== undefined) texts.push(JSON.stringify(message['tool_calls']))
  }
  for (const entry of asList(fields?.['contents'])) {
    extra += PER_MESSAGE + collectContent(asObject(entry)?.['parts'], texts)
  }
  const tools = [...asList(fields?.['tools']), ...asList(fields?.['functions'])]
  return { texts, tools: tools.length === 0 ? '' : JSON.stringify(tools), extra: extra + tools.length * PER_TOOL }
}

/** The fields with text in calls and dialects other than chat. */
const OTHER_TEXTS = ['prompt', 'suffix', 'input', 'instructions', 'system', 'systemInstruction'] as const

const isOtherCall = (fields: Readonly<Record<string, unknown>> | undefined) =>
  OTHER_TEXTS.some((key) => fields?.[key] !== undefined)

/** Takes a text, or a list of texts, tokens or token lists. Returns the number of tokens that are not from text. */
function collectInput(value: unknown, texts: string[]): number {
  if (typeof value === 'number') return 1
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + collectInput(item, texts), 0)
  if (typeof value === 'object' && value !== null) return collectContent([value], texts)
  collectText(value, texts)
  return 0
}

function collectContent(content: unknown, texts: string[]): number {
  if (typeof content === 'string') {
    texts.push(content)
    return 0
  }
  let extra = 0
  for (const entry of asList(content)) {
    const part = asObject(entry)
    if (part !== undefined) extra += collectPart(part, texts)
  }
  return extra
}

/** Members of parts in any dialect: text, nested parts, and data that the model reads as text. */
const SAID = ['text', 'thinking', 'refusal', 'arguments'] as const
const HOLDING = ['content', 'parts', 'output', 'summary'] as const
const DATA = ['input', 'functionCall', 'functionResponse'] as const

/** A part without text is a picture or similar. */
function collectPart(part: Readonly<Record<string, unknown>>, texts: string[]): number {
  const before = texts.length
  let extra = 0
  let isHolder = false
  const source = asObject(part['source'])
  for (const key of SAID) collectText(part[key], texts)
  for (const key of DATA) if (part[key] !== undefined) texts.push(JSON.stringify(part[key]))
  if (source?.['type'] === 'text') collectText(source['data'], texts)
  for (const key of HOLDING) {
    if (part[key] === undefined) continue
    isHolder = true
    extra += collectContent(part[key], texts)
  }
  return texts.length > before || isHolder ? extra : PER_MEDIUM
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
