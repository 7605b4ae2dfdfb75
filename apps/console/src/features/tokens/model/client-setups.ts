export interface SetupParts {
  /** Address without a path and without a trailing slash; Anthropic and Gemini clients add their own. */
  readonly origin: string
  readonly key: string
  readonly model: string
}

export interface ClientSetup {
  readonly name: string
  /** File that the text belongs in; absent for shell commands. */
  readonly file?: string
  readonly ccSwitch?: CcSwitchApp
  readonly text: string
}

const shell = (value: string) => `'${value.replaceAll("'", String.raw`'\''`)}'`
const quoted = (value: string) => JSON.stringify(value)
const exported = (values: Readonly<Record<string, string>>, command: string) =>
  [...Object.entries(values).map(([name, value]) => `export ${name}=${shell(value)}`), command].join('\n')
const file = (lines: readonly string[]) => lines.join('\n')

/** Zed shortens conversations to fit this number; the reader may know a better one. */
const CONTEXT_TOKENS = 128_000
/**
 * Zed's defaults, because a provider that names one capability has to name all. The last one makes Zed say which thread a call
 * belongs to.
 */
const ZED_CAPABILITIES = { tools: true, images: false, parallel_tool_calls: false, prompt_cache_key: true }
const GEMINI_BY_KEY = JSON.stringify({ security: { auth: { selectedType: 'gemini-api-key' } } })

interface Client extends Omit<ClientSetup, 'text'> {
  readonly text: (parts: SetupParts & { readonly baseUrl: string }) => string
}

/** Coding agents, chat front ends and SDKs, named as in their documentation. A JSON string is also valid in TOML and YAML. */
const CLIENTS: readonly Client[] = [
  {
    name: 'Claude Code',
    ccSwitch: 'claude',
    text: ({ origin, key, model }) =>
      exported(
        {
          ANTHROPIC_BASE_URL: origin,
          ANTHROPIC_AUTH_TOKEN: key,
          ANTHROPIC_MODEL: model,
          // Makes its model menu list the gateway's models whose names begin with claude or anthropic.
          CLAUDE_CODE_ENABLE_GATEWAY_MODEL_DISCOVERY: '1',
        },
        'claude',
      ),
  },
  {
    name: 'Codex',
    ccSwitch: 'codex',
    file: '~/.codex/config.toml',
    text: ({ baseUrl, key, model }) =>
      file([
        `model = ${quoted(model)}`,
        'model_provider = "gateway"',
        '',
        '[model_providers.gateway]',
        'name = "Gateway"',
        `base_url = ${quoted(baseUrl)}`,
        `http_headers = { Authorization = ${quoted(`Bearer ${key}`)} }`,
        'wire_api = "responses"',
        'supports_websockets = true',
      ]),
  },
  {
    name: 'Gemini CLI',
    ccSwitch: 'gemini',
    // Without this choice, the client asks for a sign-in with Google, or exits where nobody can answer.
    text: ({ origin, key, model }) =>
      file([
        `[ -e ~/.gemini/settings.json ] || { mkdir -p ~/.gemini && echo '${GEMINI_BY_KEY}' > ~/.gemini/settings.json; }`,
        exported({ GOOGLE_GEMINI_BASE_URL: origin, GEMINI_API_KEY: key }, `gemini -m ${shell(model)}`),
      ]),
  },
  {
    name: 'opencode',
    ccSwitch: 'opencode',
    file: 'opencode.json',
    text: ({ baseUrl, key, model }) =>
      JSON.stringify(
        {
          $schema: 'https://opencode.ai/config.json',
          provider: {
            gateway: {
              npm: '@ai-sdk/openai-compatible',
              name: 'Gateway',
              options: { baseURL: baseUrl, apiKey: key },
              models: { [model]: { name: model } },
            },
          },
        },
        undefined,
        2,
      ),
  },
  {
    name: 'Qwen Code',
    text: ({ baseUrl, key, model }) =>
      exported({ OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: key, OPENAI_MODEL: model }, 'qwen --auth-type openai'),
  },
  {
    name: 'Cline',
    text: ({ baseUrl, key, model }) =>
      file([
        `cline auth --provider openai-compatible --baseurl ${shell(baseUrl)} --apikey ${shell(key)} --modelid ${shell(model)}`,
        'cline',
      ]),
  },
  {
    name: 'Copilot CLI',
    text: ({ baseUrl, key, model }) =>
      exported({ COPILOT_PROVIDER_BASE_URL: baseUrl, COPILOT_PROVIDER_API_KEY: key, COPILOT_MODEL: model }, 'copilot'),
  },
  {
    name: 'Cursor',
    file: 'Cursor Settings > Models > API Keys',
    text: ({ baseUrl, key, model }) =>
      file([`Override OpenAI Base URL: ${baseUrl}`, `OpenAI API Key: ${key}`, `Add model: ${model}`]),
  },
  {
    name: 'Roo Code',
    file: 'Settings > Providers',
    text: ({ baseUrl, key, model }) =>
      file(['API Provider: OpenAI Compatible', `Base URL: ${baseUrl}`, `API Key: ${key}`, `Model: ${model}`]),
  },
  {
    name: 'Zed',
    file: '~/.config/zed/settings.json',
    text: ({ baseUrl, key, model }) =>
      file([
        // Zed derives the variable's name from the provider's name, and reads no key from the file.
        `// In the environment of Zed: GATEWAY_API_KEY=${shell(key)}`,
        JSON.stringify(
          {
            language_models: {
              openai_compatible: {
                gateway: {
                  api_url: baseUrl,
                  available_models: [{ name: model, max_tokens: CONTEXT_TOKENS, capabilities: ZED_CAPABILITIES }],
                },
              },
            },
          },
          undefined,
          2,
        ),
      ]),
  },
  {
    name: 'Continue',
    file: '~/.continue/config.yaml',
    text: ({ baseUrl, key, model }) =>
      file([
        'name: Gateway',
        'version: 1.0.0',
        'schema: v1',
        'models:',
        `  - name: ${quoted(model)}`,
        '    provider: openai',
        `    model: ${quoted(model)}`,
        `    apiBase: ${quoted(baseUrl)}`,
        `    apiKey: ${quoted(key)}`,
        '    roles: [chat, edit, apply]',
      ]),
  },
  {
    name: 'Aider',
    text: ({ baseUrl, key, model }) =>
      exported({ OPENAI_API_BASE: baseUrl, OPENAI_API_KEY: key }, `aider --model ${shell(`openai/${model}`)}`),
  },
  {
    name: 'Open WebUI',
    text: ({ baseUrl, key }) => exported({ OPENAI_API_BASE_URL: baseUrl, OPENAI_API_KEY: key }, 'open-webui serve'),
  },
  {
    name: 'LibreChat',
    file: 'librechat.yaml',
    text: ({ baseUrl, key, model }) =>
      file([
        'endpoints:',
        '  custom:',
        '    - name: "Gateway"',
        `      apiKey: ${quoted(key)}`,
        `      baseURL: ${quoted(baseUrl)}`,
        '      models:',
        `        default: [${quoted(model)}]`,
        '        fetch: true',
      ]),
  },
  {
    name: 'LobeChat',
    file: '.env',
    text: ({ baseUrl, key, model }) =>
      file([`OPENAI_PROXY_URL=${baseUrl}`, `OPENAI_API_KEY=${key}`, `OPENAI_MODEL_LIST=-all,+${model}`]),
  },
  {
    name: 'NextChat',
    file: '.env',
    text: ({ origin, key, model }) =>
      file([`BASE_URL=${origin}`, `OPENAI_API_KEY=${key}`, `CUSTOM_MODELS=-all,+${model}`]),
  },
  {
    name: 'Anthropic SDK',
    file: 'Python',
    text: ({ origin, key, model }) =>
      file([
        'from anthropic import Anthropic',
        '',
        `client = Anthropic(base_url=${quoted(origin)}, api_key=${quoted(key)})`,
        'reply = client.messages.create(',
        `    model=${quoted(model)},`,
        '    max_tokens=1024,',
        '    messages=[{"role": "user", "content": "Say hello."}],',
        ')',
        'print(reply.content)',
      ]),
  },
  {
    name: 'Google Gen AI SDK',
    file: 'Python',
    text: ({ origin, key, model }) =>
      file([
        'from google import genai',
        '',
        `client = genai.Client(api_key=${quoted(key)}, http_options={"base_url": ${quoted(origin)}})`,
        `reply = client.models.generate_content(model=${quoted(model)}, contents="Say hello.")`,
        'print(reply.text)',
      ]),
  },
]

export function clientSetups(parts: SetupParts): readonly ClientSetup[] {
  const baseUrl = `${parts.origin}/v1`
  return CLIENTS.map((client) => ({ ...client, text: client.text({ ...parts, baseUrl }) }))
}

export const CC_SWITCH_APPS = ['claude', 'codex', 'gemini', 'opencode'] as const
type CcSwitchApp = (typeof CC_SWITCH_APPS)[number]

/** Requests the balance; cc-switch fills in the address and the key. */
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

const VERSIONED: readonly CcSwitchApp[] = ['codex', 'opencode']

/**
 * Adds this gateway to cc-switch with its key, by the grammar of `ccswitch://v1/import` (`src-tauri/src/deeplink` of its
 * repository). Make the link only on a click: it contains the key.
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
