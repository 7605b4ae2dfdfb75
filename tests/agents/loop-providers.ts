import { type ChatCompletionRequest, LLMock } from '@copilotkit/aimock'
import { AFTER_WORK, workOf } from '@sluice/testkit/emulator/agent-work'
import { startEmulator } from '@sluice/testkit/emulator/server'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'

/** A provider with which every agent's loop must end the same way. Its model name selects its capability rules. */
export interface LoopProvider {
  readonly dialect: string
  readonly type: number
  readonly model: string
  /** Its channel uses its websocket for clients on a websocket. */
  readonly isFramed?: true
  /** It gets functions in Responses, whatever the client speaks. */
  readonly takesToolsInResponses?: true
  /** A third-party emulator, whose journal is not read. */
  readonly isForeign?: true
  /** The number of the answer event at which such a provider disconnects, after part of the text. */
  readonly dropsWithEvent?: number
  readonly lacksNamespaces?: true
}

export const LOOP_PROVIDERS: readonly LoopProvider[] = [
  { dialect: 'chat', type: 50, model: 'qwen3-coder-plus' },
  { dialect: 'responses', type: 1, model: 'gpt-5' },
  { dialect: 'responses-socket', type: 1, model: 'gpt-5-mini', isFramed: true },
  // OpenAI refuses functions in chat for models that always think.
  { dialect: 'responses-reasoning', type: 1, model: 'gpt-5.6-sol', takesToolsInResponses: true },
  { dialect: 'messages', type: 14, model: 'claude-sonnet-4-6' },
  { dialect: 'gemini', type: 24, model: 'gemini-2.5-flash' },
  { dialect: 'chat-aimock', type: 50, model: 'kimi-k2-turbo', isForeign: true, dropsWithEvent: 3 },
  {
    dialect: 'responses-aimock',
    type: 1,
    model: 'gpt-5-nano',
    isForeign: true,
    dropsWithEvent: 6,
    lacksNamespaces: true,
  },
  { dialect: 'messages-aimock', type: 14, model: 'claude-haiku-4-5', isForeign: true, dropsWithEvent: 4 },
  { dialect: 'gemini-aimock', type: 24, model: 'gemini-2.5-pro', isForeign: true, dropsWithEvent: 2 },
]

const USAGE = { prompt_tokens: 21, completion_tokens: 9, total_tokens: 30 }

function answerOf({ messages, tools = [] }: ChatCompletionRequest) {
  const question = JSON.stringify(messages.filter(({ role }) => role === 'user'))
  const work = workOf(messages, question, new Set(tools.flatMap((tool) => tool.function?.name ?? [])))
  if (work?.call === undefined) return { content: work?.says ?? AFTER_WORK, usage: USAGE }
  return { content: work.says, toolCalls: [{ name: work.call.tool, arguments: work.call.args }], usage: USAGE }
}

/** Pause between the events of a dropped answer, because an event written right before the drop does not arrive. */
const PAUSE_MS = 50

/** aimock, which behaves like the emulator. */
async function startForeign() {
  const mock = new LLMock({ port: 0 })
  const dropping = new Map<string, string>()
  for (const { model, dropsWithEvent } of LOOP_PROVIDERS)
    if (dropsWithEvent !== undefined)
      mock.on(
        {
          predicate: (asked) => {
            const within = asked.model === model ? dropping.get(model) : undefined
            return within !== undefined && JSON.stringify(asked).includes(within)
          },
        },
        (asked) => {
          dropping.delete(model)
          return answerOf(asked)
        },
        { truncateAfterChunks: dropsWithEvent, latency: PAUSE_MS },
      )
  mock.on({ predicate: () => true }, answerOf)
  await mock.start()
  return { mock, dropping }
}

/** Two channels per model, so that a conversation could leave the one where it began. */
const ACCOUNTS = ['one', 'two'] as const

export interface LoopCall {
  readonly key: string
  readonly body: object
}

/** A gateway in front of an emulator that acts as agents request. Models cost 1 quota per prompt token, 2 per answer token. */
export interface LoopWorld {
  readonly world: GatewayWorld
  readonly key: string
  /** Resets the connection in the middle of this provider's next answer to a request with this text. */
  dropNext(provider: LoopProvider, within: string): void
  hasDropped(provider: LoopProvider, within: string): boolean
  /** Calls to our own providers since the last call of this function, in order. */
  called(): readonly LoopCall[]
  close(): Promise<void>
}

export async function openLoopWorld(): Promise<LoopWorld> {
  const emulator = await startEmulator()
  const { mock, dropping } = await startForeign()
  const world = await openGatewayWorld()
  for (const { dialect, type, model, isForeign, isFramed } of LOOP_PROVIDERS) {
    const model_configs = JSON.stringify({ [model]: { ratio: 1, completion_ratio: 2 } })
    for (const account of ACCOUNTS) {
      const key = `sk-${dialect}-${account}`
      emulator.faults.switchOn({ key, as: 'emu-agent' })
      await world.addChannel(isForeign === true ? mock.url : emulator.at(dialect), [model], {
        type,
        key,
        name: `${dialect} ${account}`,
        model_configs,
        ...(isFramed === true ? { config: '{"websocket":"on"}' } : {}),
      })
    }
  }
  let seen = 0
  return {
    world,
    key: await world.addToken(world.root),
    dropNext: ({ dialect, model, isForeign }, within) => {
      if (isForeign === true) dropping.set(model, within)
      else emulator.faults.switchOn({ at: dialect, as: 'emu-agent-cut', cuts: 1, within })
    },
    hasDropped: ({ dialect, model }, within) =>
      !dropping.has(model) && emulator.faults.modelFor(dialect, '', within) === undefined,
    called: () => {
      const { calls, received } = emulator.journal
      const latest = received === seen ? [] : calls.slice(seen - received)
      seen = received
      return latest.map(({ headers, body }) => {
        const key = headers['authorization'] ?? headers['x-api-key'] ?? headers['x-goog-api-key']
        return { key: String(key).replace('Bearer ', ''), body: JSON.parse(body) as object }
      })
    },
    close: async () => {
      await world.close()
      await emulator.close()
      await mock.stop()
    },
  }
}
