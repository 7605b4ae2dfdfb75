import { balanceStep, hasBalance } from '@sluice/providers/balances'
import { channelProblems, storedOther } from '@sluice/providers/channel-fields/channel-fields'
import { withoutBlanks } from '@sluice/providers/channel-fields/config-fields'
import { SECRET_CONFIG_FIELDS } from '@sluice/providers/channel-fields/field-names'
import { parseObject } from '@sluice/providers/channel-fields/json-object'
import { hasSameKeyForm, keyProblem } from '@sluice/providers/channel-fields/key-forms'
import { newKeys, updatedKey } from '@sluice/providers/channel-fields/key-parts'
import {
  callerHostProblem,
  callerVendor,
  VENDOR_NAMES,
  vendorKeyProblem,
} from '@sluice/providers/credentials/caller-credentials'
import { defaultEndpoints, ENDPOINTS } from '@sluice/providers/endpoints'
import { KINDS, kindOf } from '@sluice/providers/kinds/all'
import { defaultPricing, defaultRatios, modelOwners, modelsByKind } from '@sluice/providers/model-lists'
import { hasModelList, isChatModel, modelListStep } from '@sluice/providers/offered-models'
import { createPriceOverrides, priceOverridesProblem } from '@sluice/providers/prices/price-overrides'
import { createDisplayedPrices } from './displayed-prices.ts'

/**
 * The management API's view of the channel types. Unknown types have no name, address or models. `now` in unix ms drops models that
 * were shut down; `priceOverrides` is the current text of the option.
 */
export function createChannelKinds(now: () => number, priceOverrides: () => string) {
  // The relay reports a stored text that cannot be used.
  const overrides = createPriceOverrides(priceOverrides, () => {})
  const secretConfigFields: readonly string[] = SECRET_CONFIG_FIELDS
  return {
    name: (type: number) => kindOf(type)?.name,
    /** Empty if the operator must give an address. */
    defaultBaseUrl: (type: number) => kindOf(type)?.address.defaultBaseUrl ?? '',
    baseUrlEditable: (type: number) => kindOf(type)?.address.baseUrlEditable ?? false,
    /** Whether requests can be relayed to the type; channels of other types can only be stored. */
    isServable: (type: number) => kindOf(type) !== undefined,
    endpoints: ENDPOINTS,
    defaultEndpoints,
    isChatModel,
    /** Prices of a channel's models; undefined for a model without a price. */
    prices: (channel: Parameters<typeof createDisplayedPrices>[0]) =>
      createDisplayedPrices(channel, now(), overrides()),
    priceOverridesProblem,
    knownModels: () => modelsByKind(now()),
    modelOwners: () => modelOwners(now()),
    defaultModelConfigs: (type: number) => defaultPricing(type, now(), overrides()),
    defaultRatios: (type: number) => defaultRatios(type, now(), overrides()),
    secretConfigFields,
    withoutBlanks,
    storedOther,
    problems: channelProblems,
    /** Why callers' keys may not go to a channel of this type at this address. `extra`: further origins that may receive them. */
    callerHostProblem: (type: number, baseUrl: string, extra: readonly string[]) => {
      const kind = kindOf(type)
      return kind && callerHostProblem(kind, baseUrl, extra)
    },
    vendors: VENDOR_NAMES,
    vendorKeyProblem,
    /** The vendor whose keys a channel takes from its callers, by its type and settings; undefined if it takes none. */
    callerVendor: (type: number, config: string) => callerVendor(type, parseObject(config) ?? {}),
    newKeys,
    updatedKey,
    keyProblem,
    hasSameKeyForm,
    typesWithBalance: KINDS.map(({ code }) => code).filter(hasBalance),
    balanceStep: (type: number, account: { readonly baseUrl: string; readonly key: string }) =>
      balanceStep(type, { ...account, now: now() }),
    typesWithModelList: KINDS.map(({ code }) => code).filter(hasModelList),
    modelListStep,
  }
}

export type ChannelKinds = ReturnType<typeof createChannelKinds>
