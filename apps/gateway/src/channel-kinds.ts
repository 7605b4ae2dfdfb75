import { asObject, parseJson } from '@sluice/dialects/json-value'
import { balanceStep, hasBalance } from '@sluice/providers/balances'
import { channelProblems, storedOther } from '@sluice/providers/channel-fields/channel-fields'
import { withoutBlanks } from '@sluice/providers/channel-fields/config-fields'
import { SECRET_CONFIG_FIELDS } from '@sluice/providers/channel-fields/field-names'
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
 * What the management API knows of the channel types. `now` in unix ms drops models that were shut down; `priceOverrides` is the present
 * text of the option.
 */
export function createChannelKinds(now: () => number, priceOverrides: () => string) {
  // The relay reports a stored text that cannot be used.
  const overrides = createPriceOverrides(priceOverrides, () => {})
  return {
    name: (type: number) => kindOf(type)?.name,
    defaultBaseUrl: (type: number) => kindOf(type)?.address.defaultBaseUrl ?? '',
    baseUrlEditable: (type: number) => kindOf(type)?.address.baseUrlEditable ?? false,
    isServable: (type: number) => kindOf(type) !== undefined,
    endpoints: ENDPOINTS,
    defaultEndpoints,
    isChatModel,
    prices: (channel: Parameters<typeof createDisplayedPrices>[0]) =>
      createDisplayedPrices(channel, now(), overrides()),
    priceOverridesProblem,
    knownModels: () => modelsByKind(now()),
    modelOwners: () => modelOwners(now()),
    defaultModelConfigs: (type: number) => defaultPricing(type, now(), overrides()),
    defaultRatios: (type: number) => defaultRatios(type, now(), overrides()),
    secretConfigFields: SECRET_CONFIG_FIELDS,
    withoutBlanks,
    storedOther,
    problems: channelProblems,
    callerHostProblem: (type: number, baseUrl: string, extra: readonly string[]) => {
      const kind = kindOf(type)
      return kind && callerHostProblem(kind, baseUrl, extra)
    },
    vendors: VENDOR_NAMES,
    vendorKeyProblem,
    callerVendor: (type: number, config: string) => callerVendor(type, asObject(parseJson(config)) ?? {}),
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
