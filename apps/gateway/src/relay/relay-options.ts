import type { Options } from '@sluice/store/options/options'

/** The settings that the relay uses. A group without a ratio pays the list price. */
export type RelayOptions = Pick<
  Options,
  | 'AddressRequestsPerMinute'
  | 'GroupLimits'
  | 'Groups'
  | 'PreConsumedQuota'
  | 'RetryTimes'
  | 'LogConsumeEnabled'
  | 'ApproximateTokenEnabled'
  | 'PriceOverrides'
  | 'UnpricedModelPolicy'
  | 'UnpricedModelRatio'
  | 'LossPolicy'
  | 'ModelFallbacks'
  | 'SharedObjects'
  | 'QuotaPerUnit'
> &
  BrokenAnswerPolicies

/** What to charge for broken or missing answers; see `billing-rule.ts`. */
export type BrokenAnswerPolicies = Pick<
  Options,
  'ClientLeftEarlyPolicy' | 'ClientLeftPolicy' | 'UpstreamBrokenPolicy' | 'EmptyAnswerPolicy' | 'ErrorInAnswerPolicy'
>
