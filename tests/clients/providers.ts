import { LLMock } from '@copilotkit/aimock'
import { openWorkbench, type Workbench } from '@sluice/testkit/workbench'

/** The product between third-party clients and providers: a channel per dialect, all to one emulator of every dialect. */
export interface Providers {
  readonly bench: Workbench
  readonly url: string
  readonly key: string
  close(): Promise<void>
}

/** A model of each dialect's provider, whose name selects its capability rules. */
export const MODELS = {
  openai: 'gpt-4o',
  anthropic: 'claude-sonnet-4-6',
  gemini: 'gemini-2.5-flash',
  bedrock: 'amazon.nova-pro-v1:0',
  cohere: 'command-r-plus',
} as const

export type ProviderName = keyof typeof MODELS
export const PROVIDERS = Object.keys(MODELS) as readonly ProviderName[]

const CHANNELS: Readonly<
  Record<ProviderName, { readonly type: number; readonly key: string; readonly config?: string }>
> = {
  openai: { type: 1, key: 'sk-upstream' },
  anthropic: { type: 14, key: 'sk-ant-upstream' },
  gemini: { type: 24, key: 'AIza-upstream' },
  bedrock: { type: 33, key: 'AKIDEXAMPLE|wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY|us-east-1' },
  cohere: { type: 35, key: 'co-upstream' },
}

export const CAPITAL = 'Paris is the capital of France.'
/** Calls in answer to `weather`, and the text once both have results. */
export const CALLS = [
  { name: 'weather', args: { city: 'Paris' } },
  { name: 'weather', args: { city: 'Rome' } },
] as const
export const FORECAST = 'Sun in Paris, rain in Rome.'

/** Answers to `turn`, by length of the conversation. */
export const ANSWERS = Array.from({ length: 10 }, (_, at) => `Answer ${at} of ten.`)

const THOUGHT = 'Two and two make four.'
const USAGE = { prompt_tokens: 21, completion_tokens: 9, total_tokens: 30 }

export async function openProviders(): Promise<Providers> {
  const mock = new LLMock({ port: 0 })
  mock.onMessage('capital', { content: CAPITAL, usage: USAGE })
  mock.onMessage('think', { content: 'It is four.', reasoning: THOUGHT, usage: USAGE })
  mock.on({ userMessage: 'weather', hasToolResult: true }, { content: FORECAST, usage: USAGE })
  for (const [at, content] of ANSWERS.entries()) {
    mock.on(
      { userMessage: 'turn', predicate: ({ messages }) => messages.length === at * 2 + 1 },
      { content, usage: USAGE },
    )
  }
  const toolCalls = CALLS.map(({ name, args }) => ({ name, arguments: JSON.stringify(args) }))
  mock.on({ userMessage: 'weather', hasToolResult: false }, { toolCalls, usage: USAGE })
  await mock.start()
  const bench = await openWorkbench()
  const price = { ratio: 1, completion_ratio: 2 }
  for (const name of PROVIDERS) {
    const model = MODELS[name]
    await bench.addChannel([model], {
      ...CHANNELS[name],
      name,
      base_url: mock.url,
      model_configs: JSON.stringify({ [model]: price }),
    })
  }
  return {
    bench,
    url: bench.gateway.url,
    key: await bench.addToken(),
    close: async () => {
      await bench.close()
      await mock.stop()
    },
  }
}
