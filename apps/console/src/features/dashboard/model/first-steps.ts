/** The first steps of everybody, and those of who runs the gateway. */
export const USER_STEPS = ['token', 'call', 'balance', 'twoFactor'] as const
export const OPERATOR_STEPS = ['channel', 'channelTest', 'prices', 'user'] as const
export type Step = (typeof USER_STEPS)[number] | (typeof OPERATOR_STEPS)[number]

/** What the gateway knows about somebody's beginnings. */
export interface Beginnings {
  readonly tokens: number
  /** Requests that were ever charged; NaN where the server does not count them. */
  readonly requests: number
  /** Quota points. */
  readonly balance: number
  readonly twoFactor: boolean
  /** Absent for those who do not run the gateway. */
  readonly gateway?: {
    readonly channels: number
    /** Whether any of them has ever been tested. */
    readonly tested: boolean
    /** Models that were asked for and have no price. */
    readonly unpricedModels: number
    readonly users: number
  }
}

export interface StepState {
  readonly step: Step
  readonly done: boolean
}

/** Every step with whether it is done, in the order in which they make sense: a gateway needs a channel before anybody can call it. */
export function stepsOf({ tokens, requests, balance, twoFactor, gateway }: Beginnings): readonly StepState[] {
  const own = [
    { step: 'token', done: tokens > 0 },
    // What cannot be known is not asked for.
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
    // The one who looks is a user as well.
    { step: 'user', done: users > 1 },
  ]
}
