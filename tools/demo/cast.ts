import { MODELS } from '@sluice/testkit/emulator/models'

/** The demo's users, tokens and channels. All users sign in with the same password. */
export const DEMO_PASSWORD = 'sluice-demo'

export interface DemoUser {
  readonly username: string
  readonly displayName: string
  readonly role: 1 | 10
  /** Whole quota points; 500,000 are one dollar. */
  readonly quota: number
  readonly tokens: readonly DemoToken[]
}

export interface DemoToken {
  readonly name: string
  /** Undefined for unlimited. */
  readonly quota?: number
  readonly models?: readonly string[]
  /** Days from now; negative is in the past. */
  readonly expiresInDays?: number
  readonly disabled?: true
  /** Use of the token in the generated history; absent for a token that was never used. */
  readonly use?: TokenUse
}

export interface TokenUse {
  readonly weight: number
  /** `office`: weekdays in working hours; `steady`: round the clock; `nightly`: a batch at two in the morning. */
  readonly rhythm: 'office' | 'steady' | 'nightly'
  readonly models: readonly { readonly model: string; readonly weight: number }[]
  readonly promptTokens: number
  readonly answerTokens: number
  /** Share of the prompt that the provider reads from its cache. */
  readonly cachedShare: number
  readonly streamedShare: number
  /** Family of the coding agent that uses it; its calls belong to sessions. */
  readonly agent?: string
}

export const USERS: readonly DemoUser[] = [
  {
    username: 'carol',
    displayName: 'Carol (admin)',
    role: 10,
    quota: 20_000_000,
    tokens: [
      {
        name: 'health-probe',
        use: {
          weight: 5,
          rhythm: 'steady',
          models: [{ model: 'gpt-5.4-nano', weight: 1 }],
          promptTokens: 24,
          answerTokens: 8,
          cachedShare: 0,
          streamedShare: 0,
        },
      },
    ],
  },
  {
    username: 'alice',
    displayName: 'Alice',
    role: 1,
    quota: 150_000_000,
    tokens: [
      {
        name: 'support-bot',
        use: {
          weight: 50,
          rhythm: 'steady',
          models: [
            { model: 'gpt-5.4-mini', weight: 8 },
            { model: 'gpt-5.4', weight: 2 },
          ],
          promptTokens: 1_900,
          answerTokens: 210,
          cachedShare: 0.6,
          streamedShare: 0.95,
        },
      },
      {
        name: 'notebook',
        quota: 25_000_000,
        use: {
          weight: 12,
          rhythm: 'office',
          models: [
            { model: 'gpt-5.4', weight: 3 },
            { model: 'llama-3.3-70b', weight: 1 },
          ],
          promptTokens: 3_400,
          answerTokens: 700,
          cachedShare: 0.1,
          streamedShare: 0.7,
          agent: 'claude-code',
        },
      },
      { name: 'first-steps', quota: 5_000_000 },
      { name: 'workshop-october', quota: 1_000_000, expiresInDays: -12 },
    ],
  },
  {
    username: 'bob',
    displayName: 'Bob',
    role: 1,
    quota: 100_000_000,
    tokens: [
      {
        name: 'ide',
        use: {
          weight: 22,
          rhythm: 'office',
          models: [
            { model: 'qwen3-32b', weight: 5 },
            { model: 'gpt-5.4-mini', weight: 3 },
          ],
          promptTokens: 5_200,
          answerTokens: 160,
          cachedShare: 0.4,
          streamedShare: 1,
          agent: 'codex',
        },
      },
      {
        name: 'translations',
        models: ['llama-3.3-70b', 'qwen3-32b'],
        use: {
          weight: 11,
          rhythm: 'nightly',
          models: [{ model: 'llama-3.3-70b', weight: 1 }],
          promptTokens: 820,
          answerTokens: 790,
          cachedShare: 0,
          streamedShare: 0,
        },
      },
      { name: 'old-laptop', quota: 2_000_000, disabled: true },
    ],
  },
]

export interface DemoChannel {
  readonly name: string
  readonly type: 1 | 50
  readonly models: readonly string[]
  /** Quota per token, by model; if empty, the price book applies. */
  readonly prices: Readonly<Record<string, { readonly ratio: number; readonly completion_ratio: number }>>
  readonly priority: number
  readonly weight: number
  readonly disabled?: true
}

const CLOUD_MODELS = ['gpt-5.4', 'gpt-5.4-mini', 'gpt-5.4-nano'] as const
const LOCAL_PRICES = {
  'llama-3.3-70b': { ratio: 0.3, completion_ratio: 1.5 },
  'qwen3-32b': { ratio: 0.1, completion_ratio: 3 },
}

/** Values of the capital letters in the names of emulator models. */
const SAMPLE_NUMBERS: Readonly<Record<string, string>> = { K: '64', M: '50', N: '2000', S: '429' }
const EMULATED_MODELS: readonly string[] = MODELS.map(({ name }) =>
  name.replace(/-([A-Z])(?=-|$)/g, (letter, key: string) => `-${SAMPLE_NUMBERS[key] ?? letter}`),
)

export const CHANNELS: readonly DemoChannel[] = [
  { name: 'OpenAI', type: 1, models: CLOUD_MODELS, prices: {}, priority: 10, weight: 3 },
  { name: 'OpenAI, second account', type: 1, models: CLOUD_MODELS, prices: {}, priority: 5, weight: 1 },
  { name: 'GPU server', type: 50, models: Object.keys(LOCAL_PRICES), prices: LOCAL_PRICES, priority: 0, weight: 1 },
  {
    name: 'Slow, broken and hostile answers',
    type: 50,
    models: EMULATED_MODELS,
    prices: Object.fromEntries(EMULATED_MODELS.map((model) => [model, { ratio: 1, completion_ratio: 2 }])),
    priority: 0,
    weight: 1,
  },
  { name: 'Old reseller', type: 50, models: ['gpt-5.4-mini'], prices: {}, priority: -5, weight: 1, disabled: true },
]
