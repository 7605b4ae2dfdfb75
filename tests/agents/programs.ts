/** How to run a coding agent unattended: the console's card sets it up, and these words follow the card's command. */
export interface AgentProgram {
  readonly card: string
  readonly command: string
  readonly install: string
  /** It offers no tools, and extracts the file from the answer's text. */
  readonly readsListings?: true
  /** It must write the file with an MCP server's tool: the card's file plus that server, whose program is `script`. */
  readonly withServer?: (file: string, script: string) => string
  /** Arguments after the card's last line, or after the command if the card is a file. */
  readonly words: (question: string, model: string) => readonly string[]
  /** Added to the card's: settings for a run without a person and without a network. */
  readonly environment: Readonly<Record<string, string>>
  /** The provider whose loop is recorded, which speaks the program's own dialect. */
  readonly records: string
}

/** The tool of `mcp-file-server.ts`, and the name under which the server is configured. */
export const MCP_TOOL = 'save_text'
export const MCP_SERVER = 'files'

export const runName = ({ command, withServer }: AgentProgram): string =>
  withServer === undefined ? command : `${command}-mcp`

const codexWords = (question: string) => ['exec', '--skip-git-repo-check', '--sandbox', 'danger-full-access', question]

export const PROGRAMS: readonly AgentProgram[] = [
  {
    card: 'Claude Code',
    command: 'claude',
    install: 'npm install @anthropic-ai/claude-code',
    words: (question) => ['-p', question, '--allowedTools', 'Bash'],
    environment: { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' },
    records: 'messages',
  },
  {
    card: 'Codex',
    command: 'codex',
    install: 'npm install @openai/codex',
    words: codexWords,
    environment: {},
    records: 'responses',
  },
  {
    card: 'Codex',
    command: 'codex',
    install: 'npm install @openai/codex',
    // Over HTTP, where every request contains the earlier calls.
    withServer: (file, script) =>
      [
        file.replace('supports_websockets = true', 'supports_websockets = false'),
        '',
        `[mcp_servers.${MCP_SERVER}]`,
        `command = ${JSON.stringify(process.execPath)}`,
        `args = [${JSON.stringify(script)}]`,
        'default_tools_approval_mode = "approve"',
      ].join('\n'),
    words: codexWords,
    environment: {},
    records: 'responses',
  },
  {
    card: 'Gemini CLI',
    command: 'gemini',
    install: 'npm install @google/gemini-cli',
    words: (question) => ['--skip-trust', '--yolo', '-p', question],
    environment: {},
    records: 'gemini',
  },
  {
    card: 'opencode',
    command: 'opencode',
    install: 'npm install opencode-ai',
    words: (question, model) => ['run', '--auto', '-m', `gateway/${model}`, question],
    environment: { OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' },
    records: 'chat',
  },
  {
    card: 'Qwen Code',
    command: 'qwen',
    install: 'npm install @qwen-code/qwen-code',
    words: (question) => ['--yolo', question],
    environment: {},
    records: 'chat',
  },
  {
    card: 'Cline',
    command: 'cline',
    install: 'npm install cline',
    words: (question) => [question],
    environment: {},
    records: 'chat',
  },
  {
    card: 'Copilot CLI',
    command: 'copilot',
    install: 'npm install @github/copilot',
    words: (question) => ['-p', question, '--allow-all-tools', '--disable-builtin-mcps'],
    environment: { COPILOT_OFFLINE: 'true', COPILOT_AUTO_UPDATE: 'false' },
    records: 'chat',
  },
  {
    card: 'Aider',
    command: 'aider',
    install: 'pip install aider-chat',
    readsListings: true,
    words: (question) => ['--yes-always', '--no-git', '--no-pretty', '--edit-format', 'whole', '--message', question],
    environment: { AIDER_CHECK_UPDATE: 'false', AIDER_ANALYTICS: 'false', AIDER_SHOW_MODEL_WARNINGS: 'false' },
    records: 'chat',
  },
]
