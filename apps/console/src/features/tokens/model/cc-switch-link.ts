import type { SetupParts } from './client-setups.ts'

/** What cc-switch sets up. */
export const CC_SWITCH_APPS = ['claude', 'codex', 'gemini', 'opencode'] as const
export type CcSwitchApp = (typeof CC_SWITCH_APPS)[number]

/** Asks for the balance; cc-switch puts in address and key itself. */
const USAGE_SCRIPT = `({
  request: {
    url: "{{baseUrl}}/v1/usage",
    method: "GET",
    headers: { Authorization: "Bearer {{apiKey}}" }
  },
  extractor: function (response) {
    if (response.remaining < 0) return { isValid: response.isValid, used: response.used, unit: response.unit };
    return {
      isValid: response.isValid,
      remaining: response.remaining,
      used: response.used,
      total: response.total,
      unit: response.unit
    };
  }
})`
const ASK_AGAIN_MINUTES = '30'

/** Those whose address ends with the version. */
const VERSIONED: readonly CcSwitchApp[] = ['codex', 'opencode']

/**
 * A link that adds this gateway to cc-switch with its key, by the grammar of its `ccswitch://v1/import` (`src-tauri/src/deeplink` of its
 * repository). To be made on a click only: it
 * has the key in it.
 */
export function ccSwitchLink(app: CcSwitchApp, name: string, { origin, key, model }: SetupParts): string {
  const parts = new URLSearchParams({
    resource: 'provider',
    app,
    name,
    homepage: origin,
    endpoint: VERSIONED.includes(app) ? `${origin}/v1` : origin,
    apiKey: key,
    model,
    usageEnabled: 'true',
    usageScript: btoa(USAGE_SCRIPT),
    usageBaseUrl: origin,
    usageAutoInterval: ASK_AGAIN_MINUTES,
  })
  return `ccswitch://v1/import?${parts.toString()}`
}
