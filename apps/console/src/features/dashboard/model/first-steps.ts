/** The first steps for every user, and those for operators. */
export const USER_STEPS = ['token', 'call', 'balance', 'twoFactor'] as const
export const OPERATOR_STEPS = ['channel', 'channelTest', 'prices', 'user'] as const
export type Step = (typeof USER_STEPS)[number] | (typeof OPERATOR_STEPS)[number]

/** What the gateway knows about a user's first steps. */
export interface Beginnings {
  readonly tokens: number
  /** Number of requests ever charged; NaN where the server does not count them. */
  readonly requests: number
  /** Quota points. */
  readonly balance: number
  readonly twoFactor: boolean
  /** Absent for users who do not operate the gateway. */
  readonly gateway?: {
    readonly channels: number
    /** Whether any of them has ever been tested. */
    readonly tested: boolean
    /** Models that were requested and have no price. */
    readonly unpricedModels: number
    readonly users: number
  }
}

export interface StepState {
  readonly step: Step
  readonly done: boolean
}

/** Every step and whether it is done, in the order that makes sense: a gateway needs a channel before it can be called. */
export function stepsOf({ tokens, requests, balance, twoFactor, gateway }: Beginnings): readonly StepState[] {
  const own = [
    { step: 'token', done: tokens > 0 },
    // Steps whose state cannot be known are left out.
    { step: 'call', done: requests !== 0 },
    { step: 'balance', done: balance > 0 },
    { step: 'twoFactor', done: twoFactor },
  ] as const
  if (gateway === undefined) return own
  const { channels, tested, unpricedModels, users } = gateway
  return [
    { step: 'channel', done: channels > 0 },
    { step: 'channelTest', done: tested },
    { step: 'prices', done: channels > 0 && unpricedModels === 0 },
    ...own,
    // The operator is one of the users.
    { step: 'user', done: users > 1 },
  ]
}
