/** How a coding agent is run without a person: the card of the console sets it up, and these words go behind the card's command. */
export interface AgentProgram {
  /** The card's name. */
  readonly card: string
  readonly command: string
  readonly npm: string
  /** What follows the card's last line, or the command where the card is a file. */
  readonly words: (question: string, model: string) => readonly string[]
  /** Beside the card: what a run without a person and without a network needs. */
  readonly environment: Readonly<Record<string, string>>
  /** The provider whose loop is recorded: the one that speaks the program's own dialect. */
  readonly records: string
}

export const PROGRAMS: readonly AgentProgram[] = [
  {
    card: 'Claude Code',
    command: 'claude',
    npm: '@anthropic-ai/claude-code',
    words: (question) => ['-p', question, '--allowedTools', 'Bash'],
    environment: { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' },
    records: 'messages',
  },
  {
    card: 'Codex',
    command: 'codex',
    npm: '@openai/codex',
    words: (question) => ['exec', '--skip-git-repo-check', '--sandbox', 'danger-full-access', question],
    environment: {},
    records: 'responses',
  },
  {
    card: 'Gemini CLI',
    command: 'gemini',
    npm: '@google/gemini-cli',
    words: (question) => ['--skip-trust', '--yolo', '-p', question],
    environment: {},
    records: 'gemini',
  },
  {
    card: 'opencode',
    command: 'opencode',
    npm: 'opencode-ai',
    words: (question, model) => ['run', '--auto', '-m', `gateway/${model}`, question],
    environment: { OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' },
    records: 'chat',
  },
  {
    card: 'Qwen Code',
    command: 'qwen',
    npm: '@qwen-code/qwen-code',
    words: (question) => ['--yolo', question],
    environment: {},
    records: 'chat',
  },
  {
    card: 'Cline',
    command: 'cline',
    npm: 'cline',
    words: (question) => [question],
    environment: {},
    records: 'chat',
  },
]
